import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { CharacterCard } from "../../core/persona/cards/character-card.ts";
import { listInstructions } from "../../core/persona/cards/card-contents.ts";
import { findImportPlace, type ImportPlace } from "../../core/persona/cards/find-import-place.ts";
import { findBookFault, installCard } from "../../core/persona/cards/install-card.ts";
import { makePersona, nameFolder } from "../../core/persona/cards/make-persona.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";

/** A larger file is refused without being read. */
const maxFileBytes = 64 * 1024 * 1024;

/** Makes config/personas/ID of a card. */
export async function importCard(
  context: Pick<CommandContext, "configuration" | "environment">,
  given: {
    readonly file: string;
    readonly id: string | undefined;
    readonly replace: boolean;
    /** The owner accepts the card's own instructions. */
    readonly prompts: boolean;
    readonly json: boolean;
  },
): Promise<number> {
  const { personaFolders } = context.configuration();
  const read = await readCard(readBytes(given.file));
  if (read.kind === "refused") throw refuse(`${given.file} ${read.problem}`);
  const { card } = read;
  const id = given.id ?? nameFolder(card.name);
  const place = findImportPlace(personaFolders, id);
  if (place !== "free" && !(place === "imported" && given.replace)) throw refuse(describePlace[place](id, card));
  const folder = join(personaFolders.own, id);
  const result = makePersona(card, given.prompts);
  if (!result.ok) throw refuse(result.problem);
  const { made } = result;
  const faults = installCard(personaFolders, { id, read, made });
  if (faults !== "") throw refuse(faults);
  const left = listLeftOut(card, given.prompts);
  if (given.json)
    process.stdout.write(`${JSON.stringify({ id, name: made.name, version: card.version, folder, leftOut: left })}\n`);
  else
    process.stdout.write(
      [
        `${toTerminalLine(made.name)} (V${card.version} card) is now the persona ${id}, in ${folder}`,
        ...left.map((line) => `  ${line}`),
        `Choose it with: ${kurisuCommand} persona use ${id}`,
        "",
      ].join("\n"),
    );
  return 0;
}

const describePlace: Readonly<
  Record<Exclude<ImportPlace, "free">, (id: string, card: Pick<CharacterCard, "name">) => string>
> = {
  invalid: (_id, { name }) =>
    `${JSON.stringify(name)} gives no folder name; choose one with --as ID (small letters, digits, hyphens)`,
  reserved: (id) =>
    `${id} is a name of Kurisu's own (a persona that is shipped, or a word of /persona); choose one with --as ID`,
  imported: (id) => `${id} is there already; --replace puts the card in its place, --as ID gives it another name`,
  written: (id) => `${id} is there and came from no card; give the card another name with --as ID`,
};

const refuse = (problem: string): AppError => new AppError("PERSONA_REFUSED", toTerminalLine(problem));

function readBytes(file: string): Buffer {
  try {
    if (statSync(file).size > maxFileBytes) throw refuse(`${file} has more than ${maxFileBytes / 1024 / 1024} MB`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse(`${file} cannot be read: ${describeError(error)}`);
  }
}

/** The parts of the card that the persona does not have. */
function listLeftOut(card: CharacterCard, prompts: boolean): readonly string[] {
  const hasPrompts = listInstructions(card).length > 0;
  const fault = findBookFault(card);
  return [
    ...(hasPrompts && !prompts
      ? ["left out: its own system prompt; read it in card.json, --system-prompt says yes"]
      : []),
    ...(fault ? [`left out: its lorebook, which ${fault}; it comes out again with an export`] : []),
  ];
}
