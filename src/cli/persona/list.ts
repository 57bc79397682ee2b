import { findPersonas } from "../../core/persona/find-personas.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { listFaults } from "./find-persona.ts";

/** The personas there are, the one in use marked; a faulty one with its faults. */
export function listPersonas(context: Pick<CommandContext, "configuration" | "environment">, json: boolean): number {
  const { persona, personaFolders } = context.configuration();
  const rows = findPersonas(personaFolders, context.environment.all).map(({ id, folder, result }) => ({
    id,
    used: id === persona.id,
    folder,
    ...(result.kind === "loaded"
      ? { name: result.persona.name, languages: result.persona.languages }
      : { faults: listFaults(result).split("\n") }),
  }));
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    return 0;
  }
  for (const row of rows) {
    const about =
      "faults" in row
        ? `faulty: ${row.faults.join("; ")}`
        : `${[...new Set(Object.values(row.name))].join(" / ")} (${row.languages.join(", ")})`;
    process.stdout.write(`${row.used ? "*" : " "} ${row.id.padEnd(20)} ${toTerminalLine(about)}\n`);
  }
  return 0;
}
