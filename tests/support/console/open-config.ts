import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfigEditor } from "../../../src/config/edit-configuration.ts";
import { listWaitingKeys } from "../../../src/config/keys-of-the-start.ts";
import type { Configuration } from "../../../src/config.ts";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { ConfigFolder } from "../config-folder.ts";
import { startConsoleServer, type ConsoleServer } from "./console-server.ts";
import { followConfig } from "./follow-config.ts";

export interface OpenedConfig {
  readonly server: ConsoleServer;
  /** Writes a file of config/system as another editor would. */
  readonly write: (name: string, text: string) => void;
  readonly pathOf: (name: string) => string;
  /** Its bytes. */
  readonly read: (name: string) => Buffer;
  readonly now: () => Configuration;
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
  const live = followConfig(folder, environment);
  const { written } = live.now();
  const configEditor = createConfigEditor({
    live,
    waitingKeys: () => listWaitingKeys(written, live.now().written),
    scrub: live.scrub,
  });
  return {
    server: await startConsoleServer({ configEditor, ...given }),
    write,
    pathOf,
    read: (name) => readFileSync(pathOf(name)),
    now: live.now,
  };
}
