import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { findPersona } from "./find-persona.ts";

/** Writes `persona: ID` into channels.yaml, whose comments stay. A running Kurisu takes it up with the next message. */
export function usePersona(context: Pick<CommandContext, "configuration" | "environment">, id: string): number {
  const { personaFolders } = context.configuration();
  const { persona } = findPersona(personaFolders, context.environment, id);
  const file = join(dirname(personaFolders.own), "system", "channels.yaml");
  const document = parseDocument(existsSync(file) ? readFileSync(file, "utf8") : "");
  document.set("persona", id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, document.toString());
  renameSync(`${file}.new`, file);
  process.stdout.write(`${id} (${toTerminalLine(persona.name.en)}) is the persona now, from the next message on.\n`);
  return 0;
}
