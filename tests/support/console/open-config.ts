import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfigEditor } from "../../../src/config/edit-configuration.ts";
import { listWaitingKeys } from "../../../src/config/keys-of-the-start.ts";
import { createLiveConfiguration } from "../../../src/config/live-configuration.ts";
import { loadConfiguration } from "../../../src/config.ts";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { createScrubber } from "../../../src/core/scrub-secrets.ts";
import { ConfigFolder } from "../config-folder.ts";
import { untilTestEnds } from "../keep-until.ts";
import { startConsoleServer, type ConsoleServer } from "./console-server.ts";

export interface OpenedConfig {
  readonly server: ConsoleServer;
  /** Writes a file of config/system as another editor would. */
  readonly write: (name: string, text: string) => void;
  readonly pathOf: (name: string) => string;
  /** Its bytes. */
  readonly read: (name: string) => Buffer;
  readonly now: () => ReturnType<typeof loadConfiguration>;
}

/** The console with a real configuration folder, and the live configuration that follows it. */
export async function openConfig(
  files: Readonly<Record<string, string>>,
  options: Partial<Pick<ConsoleParts, "page">> & { readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<OpenedConfig> {
  const { environment = {}, ...given } = options;
  const folder = new ConfigFolder();
  const pathOf = (name: string) => join(folder.path, "config/system", `${name}.yaml`);
  const write = (name: string, text: string) => void folder.write(`config/system/${name}.yaml`, text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const first = folder.load(environment);
  const live = createLiveConfiguration(first, {
    load: (previous, replaced) => loadConfiguration({ environment, workingDirectory: folder.path, previous, replaced }),
    also: [],
    files: [],
  });
  const ending = new AbortController();
  live.follow({
    onChange: () => undefined,
    onFault: () => undefined,
    onUnwatched: (problem) => void Promise.reject(new Error(problem)),
    signal: ending.signal,
  });
  untilTestEnds(async () => {
    ending.abort();
    folder.remove();
  });
  const configEditor = createConfigEditor({
    live,
    waitingKeys: () => listWaitingKeys(first.written, live.now().written),
    scrub: createScrubber(first.secrets),
  });
  return {
    server: await startConsoleServer({ configEditor, ...given }),
    write,
    pathOf,
    read: (name) => readFileSync(pathOf(name)),
    now: live.now,
  };
}
