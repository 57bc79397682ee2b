import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashJson, type JsonValue } from "../../canonical-json.ts";
import { parseJson } from "../../parse-json.ts";
import type { PersonaFolders } from "../find-personas.ts";
import { longestText } from "../load-persona.ts";
import type { CharacterCard } from "./character-card.ts";
import type { CardImport } from "./install-card.ts";
import { personaOfCard, type PersonaOfCard } from "./persona-of-card.ts";
import type { ReadCard } from "./read-card.ts";

type PlanResult =
  | { readonly kind: "planned"; readonly plan: CardImport }
  /** The same card was imported before, as it would be now. */
  | { readonly kind: "there"; readonly id: string }
  | { readonly kind: "refused"; readonly problem: string };

/** The persona that a card gives, the same each time. A `problem` is a sentence's end: "its description …". */
export function makePersona(
  card: CharacterCard,
  prompts: boolean,
): { readonly ok: true; readonly made: PersonaOfCard } | { readonly ok: false; readonly problem: string } {
  const written = countWritten(card, prompts);
  if (written > maxWritten)
    return {
      ok: false,
      problem: `its texts have ${written} characters; ${maxWritten} is the most. Shorten the card first`,
    };
  const made = personaOfCard(card, { prompts, random: createStableRandom(card) });
  const { length } = made.soul;
  return length > longestText
    ? {
        ok: false,
        problem: `its description has ${length} characters; ${longestText} is the most. Shorten the card first`,
      }
    : { ok: true, made };
}

/** Characters of the texts as the card has them. Comments are no part of soul.md, so there may be more than fit there. */
const maxWritten = 100_000;

function countWritten(card: CharacterCard, prompts: boolean): number {
  const texts = [card.description, card.personality, card.scenario, card.examples];
  const instructions = prompts ? [card.systemPrompt, card.postHistory] : [];
  return [...texts, ...instructions].reduce((sum, { length }) => sum + length, 0);
}

/** Names that mean something else behind /persona. */
const reservedIds: ReadonlySet<string> = new Set(["default", "why"]);

/** Whether a card may not take the id: it is a word of /persona, or a persona of ours would disappear behind it. */
export const isTaken = ({ shipped }: PersonaFolders, id: string): boolean =>
  reservedIds.has(id) || existsSync(join(shipped, id));

/**
 * Chooses the persona's id for a card sent in a chat. It never replaces another persona or rewritten text: only an unedited
 * import of the same card may get the card's instructions later.
 */
export function planImport(
  folders: PersonaFolders,
  read: Extract<ReadCard, { kind: "card" }>,
  prompts: boolean,
): PlanResult {
  const { card } = read;
  const result = makePersona(card, prompts);
  if (!result.ok) return { kind: "refused", problem: result.problem };
  const { made } = result;
  const digest = hashJson(card.raw as JsonValue);
  const name = nameFolder(card.name) || `card-${digest.slice(0, 8)}`;
  for (let number = 1; number <= maxNamesakes; number += 1) {
    const id = number === 1 ? name : `${name.slice(0, 60)}-${number}`;
    if (isTaken(folders, id)) continue;
    const folder = join(folders.own, id);
    if (!existsSync(folder)) return { kind: "planned", plan: { id, read, made } };
    if (!isCard(join(folder, "card.json"), digest)) continue;
    const soul = readText(join(folder, "soul.md"));
    if (soul === made.soul || !prompts) return { kind: "there", id };
    const plain = makePersona(card, false);
    if (plain.ok && soul === plain.made.soul) return { kind: "planned", plan: { id, read, made } };
  }
  return { kind: "refused", problem: `has the name of ${maxNamesakes} personas that are there already` };
}

const maxNamesakes = 99;

/** "Seraphina the Kind" -> seraphina-the-kind; "" for a name without Latin letters. */
export function nameFolder(name: string): string {
  return name
    .slice(0, 1_000)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64)
    .replace(/-$/, "");
}

/** The same card gives the same choices, so that an import can be repeated. */
function createStableRandom({ raw }: CharacterCard): () => number {
  const seed = createHash("sha256").update(JSON.stringify(raw)).digest();
  let at = 0;
  return () => {
    at += 1;
    return createHash("sha256").update(seed).update(String(at)).digest().readUInt32BE(0) / 2 ** 32;
  };
}

function isCard(file: string, digest: string): boolean {
  const value = parseJson(readText(file));
  return value !== undefined && hashJson(value as JsonValue) === digest;
}

/** "" where there is none. */
function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}
