import { basename, join, sep } from "node:path";
import type { ConfigEditor, WriteResult } from "../console/routes/config-routes.ts";
import type { ConfigFaultView, ConfigFileView, LockedKeyView } from "../console/views/config-views.ts";
import { describeError } from "../core/errors.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import { hashText, readStoredText } from "../core/read-stored-text.ts";
import { writeConfigFile } from "../core/write-config-file.ts";
import { listChangedPaths } from "./changed-paths.ts";
import { isWritableInConsole } from "./keys-of-the-console.ts";
import { listLockedKeys } from "./list-locked-keys.ts";
import type { LiveConfiguration } from "./live-configuration.ts";
import { systemFileNames } from "./system-files.ts";
import { readYamlKeys } from "./yaml-keys.ts";

export interface ConfigEditorParts {
  readonly live: Pick<LiveConfiguration, "check" | "now" | "refusedFiles" | "reload">;
  readonly waitingKeys: () => readonly string[];
  /** Takes the known secrets out. */
  readonly scrub: (text: string) => string;
}

/** Writes the files of config/system for the web console: text that was read as a whole configuration first. */
export function createConfigEditor({ live, scrub, waitingKeys }: ConfigEditorParts): ConfigEditor {
  const { configFolder } = live.now();
  const pathOf = (name: string): string => join(configFolder, "system", `${name}.yaml`);
  const lockedKeys = new Map<string, readonly string[]>();

  function show(name: string): ConfigFileView {
    const { fault, text, was } = readStoredText(pathOf(name), "follow");
    const shown = scrub(text);
    if (!lockedKeys.has(name)) lockedKeys.set(name, listLockedKeys(name));
    return {
      name,
      text: shown,
      was,
      isMasked: shown !== text || fault !== undefined,
      faults: [],
      lockedLines: listLockedLines(name, text),
      lockedKeys: lockedKeys.get(name) ?? [],
    };
  }

  /** Broken files have no keys to compare with: there the last good text counts, which is in force. */
  function listChanges(name: string, stored: string, text: string) {
    const next = readYamlKeys(text);
    if (next === undefined) return undefined;
    const before = readYamlKeys(stored) ?? readYamlKeys(live.now().texts[name] ?? "");
    const paths = listChangedPaths(before?.value ?? {}, next.value);
    const locked = paths
      .filter((path) => !isWritableInConsole(name, path))
      .map((path): LockedKeyView => ({ key: makeVisible(path.join(".")), line: next.lineOf(path) }));
    return { keys: paths.map((path) => path.join(".")), locked };
  }

  const describeFaults = (name: string, lines: readonly string[]): readonly ConfigFaultView[] =>
    lines.map((line) => describeFault(line, pathOf(name)));

  function write(name: string, text: string, was: string): WriteResult {
    const stored = readStoredText(pathOf(name), "follow");
    if (stored.was !== was) return { kind: "conflict", theirs: scrub(stored.text), was: stored.was };
    if (stored.fault !== undefined) return { kind: "unwritable", reason: makeVisible(scrub(stored.fault)) };
    if (scrub(text) !== text || scrub(stored.text) !== stored.text) return { kind: "secret" };
    // Faults that are elsewhere already do not keep the owner from mending this file.
    const known = new Set(live.check());
    const faults = live.check({ name, text });
    const blocking = faults.filter((line) => !known.has(line) || describeFault(line, pathOf(name)).isHere);
    if (blocking.length > 0) return { kind: "faults", faults: describeFaults(name, faults) };
    const changes = listChanges(name, stored.text, text);
    // Without keys nothing tells which of them are locked.
    if (changes === undefined)
      return {
        kind: "unwritable",
        reason: "Its keys cannot be read: use plain YAML, without tags and without an alias inside its own anchor.",
      };
    const { keys, locked } = changes;
    if (locked.length > 0) return { kind: "locked", keys: locked };
    try {
      writeConfigFile(pathOf(name), text);
    } catch (error) {
      return { kind: "unwritable", reason: makeVisible(scrub(describeError(error))) };
    }
    live.reload();
    return { kind: "written", keys, view: { was: hashText(text), ...describeState(name) } };
  }

  function describeState(name: string) {
    if (live.refusedFiles().length > 0)
      return { state: "refused", faults: describeFaults(name, live.check()) } as const;
    const waiting = waitingKeys().filter((key) => key.startsWith(`${name}.yaml: `));
    return waiting.length > 0 ? ({ state: "waits", keys: waiting } as const) : ({ state: "in-force" } as const);
  }

  return {
    names: systemFileNames,
    list() {
      const lines = live.check();
      const files = systemFileNames.map((name) => ({
        ...show(name),
        faults: describeFaults(name, lines).filter(({ isHere }) => isHere),
      }));
      return { files, waiting: waitingKeys() };
    },
    check: (name, text) => ({
      faults: describeFaults(name, live.check({ name, text })),
      lockedLines: listLockedLines(name, text),
      changedLocked: listChanges(name, readStoredText(pathOf(name), "follow").text, text)?.locked ?? [],
    }),
    write,
  };
}

function listLockedLines(name: string, text: string): readonly number[] {
  const leaves = readYamlKeys(text)?.leaves ?? [];
  return [...new Set(leaves.filter(({ path }) => !isWritableInConsole(name, path)).map(({ line }) => line))];
}

const placePattern = /^(.+?):(\d+):(\d+) ([^]*)$/;

function describeFault(line: string, path: string): ConfigFaultView {
  const [, file, row, column, text] = placePattern.exec(line) ?? [];
  if (file === undefined || text === undefined) return { isHere: false, text: makeVisible(line) };
  return {
    place: { file: makeVisible(basename(file)), line: Number(row), column: Number(column) },
    isHere: file === path || path.endsWith(sep + file),
    text: makeVisible(text),
  };
}
