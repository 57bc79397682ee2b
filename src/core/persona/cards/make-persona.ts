import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PersonaFolders } from "../find-personas.ts";
import { longestText } from "../load-persona.ts";
import type { CharacterCard } from "./character-card.ts";
import { personaOfCard, type PersonaOfCard } from "./persona-of-card.ts";

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
const reservedIds: ReadonlySet<string> = new Set(["auto", "default", "why"]);

/** Whether a card may not take the id: it is a word of /persona, or a persona of ours would disappear behind it. */
export const isTaken = ({ shipped }: PersonaFolders, id: string): boolean =>
  reservedIds.has(id) || existsSync(join(shipped, id));

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
