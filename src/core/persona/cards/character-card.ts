import { z } from "zod";

/**
 * A character card as the ecosystem exchanges it: V1 (bare fields), V2 and V3 (`spec`, `spec_version`, `data`).
 * Sources: github.com/malfoyslastname/character-card-spec-v2, github.com/kwaroran/character-card-spec-v3.
 */
export interface CharacterCard {
  readonly version: CardVersion;
  /** As it came: what we do not know must survive. */
  readonly raw: CardJson;
  readonly name: string;
  /** "" where the card has none; so for every text below. */
  readonly nickname: string;
  readonly description: string;
  readonly personality: string;
  readonly scenario: string;
  readonly firstMessage: string;
  readonly examples: string;
  readonly systemPrompt: string;
  readonly postHistory: string;
  readonly alternateGreetings: readonly string[];
  /** Its lorebook as it came; undefined when it has none. */
  readonly book: CardJson | undefined;
}

export const cardVersions = [1, 2, 3] as const;
export type CardVersion = (typeof cardVersions)[number];
export type CardJson = Readonly<Record<string, unknown>>;

export type CardResult =
  | { readonly kind: "card"; readonly card: CharacterCard }
  /** The fault, as the end of a sentence: "the card …". */
  | { readonly kind: "refused"; readonly problem: string };

export const refuseCard = (problem: string): Extract<CardResult, { kind: "refused" }> => ({ kind: "refused", problem });

/** The name is part of our own rules in the prompt: it is one short line, which cannot begin another rule. */
const maxName = 100;
const notInNames = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Cards in the wild have null or numbers where texts belong. */
const text = z.string().catch("");
const texts = z.array(z.unknown()).catch([]);
const object = z.record(z.string(), z.unknown());

const fields = z.object({
  name: text,
  nickname: text,
  description: text,
  personality: text,
  scenario: text,
  first_mes: text,
  mes_example: text,
  system_prompt: text,
  post_history_instructions: text,
  alternate_greetings: texts,
  character_book: object.optional().catch(undefined),
});

/** Reads a card of any version out of parsed JSON. A `spec_version` newer than ours is read as the newest we know. */
export function parseCard(value: unknown): CardResult {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuseCard("is no JSON object");
  const raw = value as CardJson;
  const version = findVersion(raw);
  if (version === undefined) return refuseCard("names no known spec and has no name with a description or greeting");
  const data = version === 1 ? raw : raw["data"];
  const read = fields.safeParse(data);
  if (!read.success) return refuseCard("has no object `data`");
  const card = read.data;
  if (card.name.trim() === "") return refuseCard("has no name");
  for (const name of [card.name.trim(), card.nickname.trim()]) {
    if (name.length > maxName) return refuseCard(`has a name of ${name.length} characters; ${maxName} is the most`);
    if (notInNames.test(name)) return refuseCard("has a name with line breaks or control characters");
  }
  return {
    kind: "card",
    card: {
      version,
      raw,
      name: card.name.trim(),
      nickname: card.nickname.trim(),
      description: card.description,
      personality: card.personality,
      scenario: card.scenario,
      firstMessage: card.first_mes,
      examples: card.mes_example,
      systemPrompt: card.system_prompt,
      postHistory: card.post_history_instructions,
      alternateGreetings: card.alternate_greetings.filter((greeting) => typeof greeting === "string"),
      book: card.character_book,
    },
  };
}

function findVersion(raw: CardJson): CardVersion | undefined {
  const number = typeof raw["spec"] === "string" ? /^chara_card_v(\d{1,3})$/.exec(raw["spec"])?.[1] : undefined;
  if (number !== undefined) return Number(number) >= 3 ? 3 : number === "2" ? 2 : undefined;
  const has = (key: string): boolean => typeof raw[key] === "string";
  return has("name") && (has("description") || has("personality") || has("first_mes")) ? 1 : undefined;
}

/** The card as JSON of a version; its own version comes out as it came in. V1 holds the six first fields only. */
export function toCardJson(card: CharacterCard, version: CardVersion): CardJson {
  const { raw } = card;
  if (version === card.version) return raw;
  const first = {
    name: card.name,
    description: card.description,
    personality: card.personality,
    scenario: card.scenario,
    first_mes: card.firstMessage,
    mes_example: card.examples,
  };
  if (version === 1) return first;
  const inner = card.version === 1 ? first : (raw["data"] as CardJson);
  const others = card.version === 1 ? {} : raw;
  const data = {
    creator_notes: "",
    system_prompt: "",
    post_history_instructions: "",
    alternate_greetings: [],
    tags: [],
    creator: "",
    character_version: "",
    // Fields that V1 does not know have no other place in later versions.
    extensions: card.version === 1 ? without(raw, [...Object.keys(first), "character_book"]) : {},
    ...(card.version === 1 && card.book && { character_book: card.book }),
    ...(version === 3 && { group_only_greetings: [] }),
    ...inner,
  };
  return { ...others, spec: `chara_card_v${version}`, spec_version: `${version}.0`, data };
}

/** The card with other values of some fields; undefined removes the field. */
export function changeCard(card: CharacterCard, changes: CardJson): CharacterCard {
  const { raw } = card;
  const changed =
    card.version === 1 ? { ...raw, ...changes } : { ...raw, data: { ...(raw["data"] as object), ...changes } };
  const result = parseCard(JSON.parse(JSON.stringify(changed)));
  return result.kind === "card" ? result.card : card;
}

function without(raw: CardJson, keys: readonly string[]): CardJson {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !keys.includes(key)));
}
