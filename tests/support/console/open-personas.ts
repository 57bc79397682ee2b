import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../../../src/config.ts";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { projectFolder } from "../../../src/core/project-folder.ts";
import { ConfigFolder } from "../config-folder.ts";
import { TestGateway } from "../gateway.ts";
import { untilTestEnds } from "../keep-until.ts";
import { startConsoleBeside } from "./console-beside.ts";
import type { ConsoleServer } from "./console-server.ts";
import { followConfig } from "./follow-config.ts";

const shipped = join(projectFolder, "config/personas");
export const readShipped = (id: string, name: string): string => readFileSync(join(shipped, id, name), "utf8");

/** The file of a small persona. */
const describeMira = (): string => readShipped("default", "persona.yaml").replace(/^id: .*$/m, "id: mira # mine");

export interface OpenedPersonas {
  readonly server: ConsoleServer;
  readonly kurisu: TestGateway;
  /** Writes a file of a persona as another editor would. */
  readonly write: (id: string, name: string, text: string) => void;
  readonly pathOf: (id: string, name: string) => string;
  readonly read: (id: string, name: string) => string;
  readonly has: (id: string) => boolean;
  readonly channels: () => string;
  readonly now: () => Configuration;
}

/** The console beside a gateway whose personas are those of a real configuration folder: Mira in it, the shipped ones behind. */
export async function openPersonas(
  options: Partial<Pick<ConsoleParts, "page">> & { readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<OpenedPersonas> {
  const { environment, ...given } = options;
  const folder = new ConfigFolder();
  const pathOf = (id: string, name: string) => join(folder.path, "config/personas", id, name);
  const write = (id: string, name: string, text: string) => void folder.write(`config/personas/${id}/${name}`, text);
  write("mira", "persona.yaml", describeMira());
  write("mira", "soul.md", "# Mira\r\nMira keeps gulls.\r\n");
  folder.write("config/system/channels.yaml", "# mine\npersona: mira # hers\n");
  const live = followConfig(folder, environment);
  const kurisu = new TestGateway({
    personas: () => ({ persona: live.now().persona, personas: live.now().personas }),
  });
  kurisu.model.script = () => ({ text: "知道了。" });
  await kurisu.start();
  untilTestEnds(() => kurisu.dispose());
  return {
    server: await startConsoleBeside(kurisu, { personaSource: live, ...given }),
    kurisu,
    write,
    pathOf,
    read: (id, name) => readFileSync(pathOf(id, name), "utf8"),
    has: (id) => lstatSync(join(folder.path, "config/personas", id), { throwIfNoEntry: false }) !== undefined,
    channels: () => readFileSync(join(folder.path, "config/system/channels.yaml"), "utf8"),
    now: live.now,
  };
}
