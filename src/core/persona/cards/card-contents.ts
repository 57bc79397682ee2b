import type { LoreEntry } from "../lorebook/lorebook.ts";
import { readLorebook } from "../lorebook/read-lorebook.ts";
import type { CharacterCard } from "./character-card.ts";

/** The card's own instructions by the names of their fields, without the empty ones. */
export function listInstructions({
  postHistory,
  systemPrompt,
}: CharacterCard): readonly { readonly name: string; readonly text: string }[] {
  return [
    { name: "system_prompt", text: systemPrompt.trim() },
    { name: "post_history_instructions", text: postHistory.trim() },
  ].filter(({ text }) => text !== "");
}

/** The entries of the card's lorebook; none where it has no sound one. */
export function listEntries({ book }: CharacterCard): readonly LoreEntry[] {
  const read = book && readLorebook(book);
  return read?.kind === "lorebook" ? read.lorebook.entries : [];
}

/** Entries that come in every turn are as good as instructions. */
export const listAlwaysOn = (card: CharacterCard): readonly LoreEntry[] =>
  listEntries(card).filter(({ constant }) => constant);
