import { fillLorebook } from "../../../core/persona/lorebook/fill-lorebook.ts";
import type { Lorebook } from "../../../core/persona/lorebook/lorebook.ts";
import { createMatchLorebook, type MatchLorebook } from "../../../core/persona/lorebook/match-lorebook.ts";
import { roll } from "../../../core/persona/lorebook/roll.ts";
import type { Persona } from "../../../core/persona/persona.ts";
import type { HistoryMessage } from "../history-label.ts";
import type { TurnInput } from "../types.ts";

/** The lorebook entries that match the current message, one paragraph each. Returns "" when none match. */
export type RecallLore = (
  input: Pick<TurnInput, "session" | "text" | "turn">,
  history: readonly HistoryMessage[],
) => string;

/** Characters of a message that are searched; a pasted page has no single topic. */
const maxSearchedLength = 4_000;

/** Indexing a book with thousands of entries takes a moment, so the index lives as long as the book. */
export function createRecallLore(
  personaOf: (session: string) => Pick<Persona, "languages" | "lorebook" | "name">,
): RecallLore {
  const cache = new WeakMap<Lorebook, MatchLorebook>();
  return (input, history) => {
    const persona = personaOf(input.session);
    const book = persona.lorebook;
    if (book === undefined || book.entries.length === 0) return "";
    const match = cache.get(book) ?? createMatchLorebook(fillLorebook(book, persona));
    cache.set(book, match);
    const said = history.filter(({ role, text }) => (role === "user" || role === "assistant") && text !== "");
    const entries = match({
      messages: [...said, input].map(({ text }) => text.slice(0, maxSearchedLength)),
      count: said.length + 1,
      replies: said.filter(({ role }) => role === "assistant").length,
      chance: (entry, message) => roll(`${said[message]?.turn ?? input.turn} ${entry}`),
    });
    return entries.map(({ content }) => content).join("\n\n");
  };
}
