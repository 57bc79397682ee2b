import { changeCard, type CharacterCard } from "./character-card.ts";
import { findBookFault } from "./install-card.ts";
import { makePersona } from "./make-persona.ts";

/** A card takes up what its owner changed in the persona's folder since the import, so that an export has it. */

/**
 * `soul` = the text of soul.md now. Rewritten, it is the description; lines of the card's own instructions are left out of
 * it, because another import would take them without an approval.
 */
export function withDescription(card: CharacterCard, soul: string): CharacterCard {
  const [agreed, plain] = [true, false].map((prompts) => makePersona(card, prompts));
  if ([agreed, plain].some((result) => result?.ok && result.made.soul.trim() === soul)) return card;
  const own = agreed?.ok ? findInstructions(agreed.made) : new Set();
  const description = soul
    .split("\n")
    .filter((line) => !own.has(line.trim()))
    .join("\n")
    .trim();
  return changeCard(card, { description, personality: "", scenario: "", mes_example: "" });
}

/** Lines of the instructions that are no lines of the description. */
function findInstructions(made: { readonly before: string; readonly after: string; readonly soul: string }) {
  const { after, before, soul } = made;
  const lines = (text: string): readonly string[] => text.split("\n").map((line) => line.trim());
  const others = new Set(["", ...lines(soul.slice(before.length, soul.length - after.length))]);
  return new Set([...lines(before), ...lines(after)].filter((line) => !others.has(line)));
}

/**
 * `book` = lorebook.json as it is now; undefined when there is none. A book that was never readable stays in the card.
 */
export function withBook(card: CharacterCard, book: unknown): CharacterCard {
  if (book === undefined) return findBookFault(card) === "" ? changeCard(card, { character_book: undefined }) : card;
  if (JSON.stringify(book) === JSON.stringify(card.book)) return card;
  const isStandalone = typeof book === "object" && book !== null && "spec" in book && "data" in book;
  return changeCard(card, { character_book: isStandalone ? book.data : book });
}
