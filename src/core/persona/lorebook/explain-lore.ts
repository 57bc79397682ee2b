import type { Persona } from "../persona.ts";
import { fillLorebook } from "./fill-lorebook.ts";
import type { LoreEntry, Lorebook } from "./lorebook.ts";
import { createMatchLorebook, type LoreReason } from "./match-lorebook.ts";

export interface ExplainedEntry {
  readonly entry: LoreEntry;
  readonly comes: boolean;
  /** Undefined means that nothing but its place in the book is known. */
  readonly why: LoreReason | { readonly kind: "disabled" } | undefined;
}

export interface ExplainedLore {
  /** Matching entries in the order of the prompt, then entries that stay out although their keys were said. */
  readonly rows: readonly ExplainedEntry[];
  /** How many come, and how many the book has. */
  readonly come: number;
  readonly all: number;
}

/** Says which entries come when `text` is all that was said, and why. Chance always favours an entry here. */
export function explainLore(book: Lorebook, persona: Persona, text: string): ExplainedLore {
  const lorebook = fillLorebook(book, persona);
  const reasons = new Map<LoreEntry, ExplainedEntry["why"]>();
  const talk = { messages: [text], count: 1, replies: 0, chance: () => 0 };
  const come = new Set(createMatchLorebook(lorebook)(talk, (entry, why) => reasons.set(entry, why)));
  const switchedOn = { ...lorebook, entries: lorebook.disabled, tokenBudget: Infinity, recursive: false };
  createMatchLorebook(switchedOn)(talk, (entry) => reasons.set(entry, { kind: "disabled" }));
  const stay = [...reasons.keys()].filter((entry) => !come.has(entry)).toSorted((a, b) => a.number - b.number);
  const rows = [...come, ...stay].map((entry) => ({ entry, comes: come.has(entry), why: reasons.get(entry) }));
  return { rows, come: come.size, all: lorebook.entries.length + lorebook.disabled.length };
}
