import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tables } from "../assembly/features.ts";
import type { Configuration } from "../config.ts";
import { countOf } from "../core/words/count-of.ts";
import { projectFolder } from "../core/project-folder.ts";
import { listChanges } from "../features/updates/read-changes.ts";
import { listReleases } from "../features/updates/release-history.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Finding } from "../kernel/feature/finding.ts";
import { openStore } from "../store/open-store.ts";

/** An update is explained for this long. */
const explainedMs = 30 * 24 * 3_600_000;
const maxLines = 12;
const maxReleases = 20;

/** The version, and what an update of the last weeks changed. */
export async function checkUpdate(
  { home, store: place }: Pick<Configuration, "home" | "store">,
  version: string,
): Promise<readonly Finding[]> {
  const known: Finding = { check: "version", state: "ok", detail: version };
  if (place.url === undefined && !existsSync(`${home}/kurisu.db`)) return [known];
  const { close, main } = await openStore({ home, ...place }, tables);
  try {
    const releases = await listReleases(main, maxReleases);
    const [last] = releases;
    // Two processes that start together may both have recorded the new version.
    const before = releases.find((release) => release.version !== last?.version);
    // The data folder has seen another version: this one has not been started since it was installed.
    if (last !== undefined && last.version !== version) return explain(last.version, version, "not started yet");
    if (last === undefined || before === undefined || Date.now() - last.since > explainedMs) return [known];
    return explain(before.version, version, `since ${new Date(last.since).toISOString().slice(0, 10)}`);
  } finally {
    await close();
  }
}

function explain(from: string, to: string, since: string): readonly Finding[] {
  const file = join(projectFolder, "CHANGELOG.md");
  const changes = listChanges(existsSync(file) ? readFileSync(file, "utf8") : "", from, to);
  const shown = changes.urgent.slice(0, maxLines);
  const others = changes.others + changes.urgent.length - shown.length;
  const lines = others === 0 ? shown : [...shown, `${countOf(others, "more change")} in CHANGELOG.md`];
  return [
    { check: "version", state: "ok", detail: `${to} (${since}), after ${from}` },
    ...lines.map((line): Finding => ({ check: "update", state: "ok", detail: toTerminalLine(line) })),
  ];
}
