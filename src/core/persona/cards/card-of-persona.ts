import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { AppError } from "../../errors.ts";
import { parseJson } from "../../parse-json.ts";
import type { Persona } from "../persona.ts";
import { parseCard, type CardVersion, type CharacterCard } from "./character-card.ts";
import { withBook, withDescription } from "./edited-card.ts";
import { readCard } from "./read-card.ts";
import { writeCard, type CardFormat } from "./write-card.ts";

/** The bytes of a card with all that the persona's folder has. Throws AppError PERSONA_REFUSED when it makes none. */
export async function cardOfPersona(
  folder: string,
  persona: Persona,
  given: { readonly format: CardFormat; readonly version: CardVersion },
): Promise<Buffer> {
  const own = (await readOwnCard(folder, persona)) ?? makeCard(persona);
  const book = join(folder, "lorebook.json");
  const card = withBook(own, existsSync(book) ? parseJson(readFileSync(book, "utf8")) : undefined);
  const avatar = join(folder, "avatar.png");
  return writeCard(card, {
    ...given,
    picture: existsSync(avatar) ? readFileSync(avatar) : undefined,
    assets: readAssets(folder),
  });
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
function makeCard(persona: Persona): CharacterCard {
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
