import { countOf } from "../../core/words/count-of.ts";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { parseCard, type CardVersion, type CharacterCard } from "../../core/persona/cards/character-card.ts";
import { withBook, withDescription } from "../../core/persona/cards/edited-card.ts";
import { readCard } from "../../core/persona/cards/read-card.ts";
import { writeCard, type CardFormat } from "../../core/persona/cards/write-card.ts";
import type { Persona } from "../../core/persona/persona.ts";
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
  const own = (await readOwnCard(folder, persona)) ?? cardOfPersona(persona);
  const book = join(folder, "lorebook.json");
  const card = withBook(own, existsSync(book) ? parseJson(readFileSync(book, "utf8")) : undefined);
  const avatar = join(folder, "avatar.png");
  const bytes = writeCard(card, {
    ...given,
    picture: existsSync(avatar) ? readFileSync(avatar) : undefined,
    assets: readAssets(folder),
  });
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

/** The card it was imported from. */
async function readOwnCard(folder: string, persona: Persona): Promise<CharacterCard | undefined> {
  const file = join(folder, "card.json");
  if (!existsSync(file)) return undefined;
  const read = await readCard(readFileSync(file));
  if (read.kind === "refused") throw new AppError("PERSONA_REFUSED", `${file} ${read.problem}`);
  return withDescription(read.card, persona.soul);
}

/** A card of a persona that came from none. */
function cardOfPersona(persona: Persona): CharacterCard {
  const native = persona.languages[0] ?? "zh";
  const [first = "", ...more] = persona.phrases[native]?.greeting ?? [];
  const card = parseCard({
    spec: "chara_card_v3",
    spec_version: "3.0",
    data: {
      name: persona.name[native],
      nickname: "",
      description: persona.lore === "" ? persona.soul : `${persona.soul}\n\n${persona.lore}`,
      personality: "",
      scenario: "",
      first_mes: first,
      mes_example: "",
      creator_notes: "",
      system_prompt: "",
      post_history_instructions: "",
      alternate_greetings: more,
      group_only_greetings: [],
      tags: [],
      creator: "",
      character_version: "",
      extensions: {},
    },
  });
  if (card.kind === "refused") throw new AppError("PERSONA_REFUSED", `the persona ${persona.id} ${card.problem}`);
  return card.card;
}

function readAssets(folder: string): ReadonlyMap<string, Buffer> {
  const assets = join(folder, "assets");
  if (!existsSync(assets)) return new Map();
  const files = readdirSync(assets, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path).split(sep).join("/"), readFileSync(path)];
    }),
  );
}
