import type { Kysely } from "kysely";
import { readPlainFacts } from "../../../language/facts/read-plain-facts.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";
import { listSaid } from "../text/list-said.ts";
import { findSlot } from "./find-slot.ts";
import { remember, type Fact, type Remembered } from "./remember.ts";

/** The words that were kept, and the facts kept with them. */
export type KeptWords =
  | (Exclude<Remembered, { kind: "refused" }> & {
      /** The words as they are stored. */
      readonly content: string;
      readonly beside: readonly { readonly id: number; readonly content: string }[];
      readonly superseded: readonly number[];
    })
  | Extract<Remembered, { kind: "refused" }>;

type ReadFact = Pick<Fact, "category" | "content" | "key" | "value">;

const maxBeside = 5;

/**
 * Keeps what a person asked to have remembered, word for word. A text of several statements is a memory without a
 * subject, which no later fact replaces; the facts read out of it are kept with it, and a later one replaces those.
 */
export async function keepWords(
  db: Kysely<Database>,
  scope: MemoryScope,
  asked: Fact,
  scrub?: (text: string) => string,
): Promise<KeptWords> {
  const read = readAsked(asked, scope.name);
  return db.isTransaction ? keep(db) : db.transaction().execute(keep);

  async function keep(tx: Kysely<Database>): Promise<KeptWords> {
    if (read.kind === "one") {
      const kept = await remember(tx, scope, { ...asked, ...read.fact, content: asked.content }, scrub);
      if (kept.kind === "refused") return kept;
      const superseded = kept.kind === "remembered" ? kept.superseded : [];
      return { ...kept, content: kept.content, superseded, beside: [] };
    }
    const whole = { ...asked, key: undefined, value: undefined, endsNothing: true } as const;
    const kept = await remember(tx, scope, whole, scrub);
    if (kept.kind === "refused") return kept;
    const beside: { id: number; content: string }[] = [];
    const superseded: number[] = [];
    // No facts are extracted from words that may end nothing, such as those of another agent.
    for (const fact of asked.endsNothing === true ? [] : read.facts) {
      const one = await remember(tx, scope, { ...asked, ...fact }, scrub);
      if (one.kind === "refused") continue;
      beside.push({ id: one.id, content: one.content });
      if (one.kind === "remembered") superseded.push(...one.superseded);
    }
    return { ...kept, content: kept.content, superseded, beside };
  }
}

/** Returns the one fact that is the whole text, or several statements and the facts that can be read out of them. */
function readAsked(
  { category, content, key, value }: Fact,
  name: string,
):
  | { readonly kind: "one"; readonly fact: Pick<ReadFact, "key" | "value"> }
  | { readonly kind: "several"; readonly facts: readonly ReadFact[] } {
  const facts = readPlainFacts(content);
  const [first] = facts;
  if (facts.length === 1 && first !== undefined && listSaid(first.content) === listSaid(content))
    return { kind: "one", fact: key === undefined ? { key: first.key, value: first.value } : { key, value } };
  const clauses = splitStatements(content, value);
  if (clauses.length <= 1) return { kind: "one", fact: { key, value } };
  if (key === undefined || value === undefined || value.trim() === "") return { kind: "several", facts };
  const slot = findSlot({ content, key, value, name });
  const isRead = facts.some((fact) => findSlot({ ...fact, name }) === slot);
  // A value that is not in the words is still what they mean.
  const clause = clauses.find((one) => one.includes(value)) ?? `${key}: ${value}`;
  const named = isRead ? [] : [{ category, content: clause, key, value }];
  return { kind: "several", facts: [...facts, ...named].slice(0, maxBeside) };
}

/** The statements of a text; a list that is one value is not taken apart. */
function splitStatements(text: string, value = ""): readonly string[] {
  const mark = "\u0000";
  const isWhole = value !== "" && text.includes(value);
  const masked = isWhole ? text.replaceAll(value, mark) : text;
  return masked
    .split(/[,，;；。!！?？\n]|\.\s|\b(?:and|but)\s|而且|并且|还有|另外|但是/iu)
    .map((clause) => (isWhole ? clause.replaceAll(mark, value) : clause).trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}
