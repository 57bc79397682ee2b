import { findBookFault } from "../../core/persona/cards/install-card.ts";
import { listAlwaysOn, listEntries, listInstructions } from "../../core/persona/cards/card-contents.ts";
import type { ExplainedEntry, ExplainedLore } from "../../core/persona/lorebook/explain-lore.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ExaminedCard } from "../trials/card-desk.ts";
import type { CardView, LoreRowView, LoreTestView, LoreWhyView } from "../views/trial-views.ts";

const maxContent = 200;
const maxKeys = 8;
const maxKey = 60;
const maxRows = 200;
const maxSoul = 600;

export function showLore({ all, come, rows }: ExplainedLore): Omit<Extract<LoreTestView, { kind: "tested" }>, "kind"> {
  return { all, come, rows: rows.slice(0, maxRows).map(showEntry) };
}

function showEntry({ comes, entry, why }: ExplainedEntry): LoreRowView {
  const { content, keys, number, order, probability } = entry;
  return {
    entry: number,
    keys: showKeys(keys.map(({ text }) => text)),
    comes,
    why: showReason(why),
    percent: Math.round(probability * 100),
    content: cut(content, maxContent),
    order,
  };
}

function showReason(why: ExplainedEntry["why"]): LoreWhyView {
  if (why === undefined) return { kind: "unknown" };
  return "keys" in why ? { kind: why.kind, keys: showKeys(why.keys) } : { kind: why.kind };
}

const showKeys = (keys: readonly string[]): readonly string[] => keys.slice(0, maxKeys).map((key) => cut(key, maxKey));

export function showCard({ digest, id, isThere, made, read }: ExaminedCard): CardView {
  const { assets, card, picture } = read;
  const fault = findBookFault(card);
  return {
    digest,
    id,
    isThere,
    name: makeVisible(made.name),
    version: card.version,
    hasPicture: picture !== undefined,
    keeps: {
      description: made.soul.length,
      greetings: made.greetings.length,
      entries: listEntries(card).length,
      files: assets.size,
    },
    always: listAlwaysOn(card).map(({ content }) => makeVisible(content.toWellFormed())),
    ...(fault !== undefined && fault !== "" && { bookFault: makeVisible(fault) }),
    soul: cut(made.soul, maxSoul),
    instructions: listInstructions(card).map(({ name, text }) => ({ name, text: makeVisible(text.toWellFormed()) })),
  };
}

function cut(text: string, max: number): string {
  const shown = makeVisible(text.slice(0, max).toWellFormed());
  return text.length > max ? `${shown}…` : shown;
}
