import { writeFileSync } from "node:fs";
import { AppError, describeError } from "../../core/errors.ts";
import type { CardVersion } from "../../core/persona/cards/character-card.ts";
import { cardOfPersona } from "../../core/persona/cards/card-of-persona.ts";
import type { CardFormat } from "../../core/persona/cards/write-card.ts";
import { countOf } from "../../core/words/count-of.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { findPersona } from "./find-persona.ts";

/** Writes a persona as a card. An existing file is not written over. */
export async function exportPersona(
  context: Pick<CommandContext, "configuration" | "environment">,
  given: {
    readonly id: string;
    readonly file: string;
    readonly format: CardFormat;
    readonly version: CardVersion;
  },
): Promise<number> {
  const { personaFolders } = context.configuration();
  const { persona, folder } = findPersona(personaFolders, context.environment, given.id);
  const bytes = await cardOfPersona(folder, persona, given);
  try {
    writeFileSync(given.file, bytes, { flag: "wx" });
  } catch (error) {
    throw new AppError("PERSONA_REFUSED", `${given.file} cannot be written: ${describeError(error)}`);
  }
  process.stdout.write(
    `${given.file}: ${toTerminalLine(persona.name.en)}, V${given.version}, ${countOf(bytes.length, "byte")}\n`,
  );
  return 0;
}
