import type { Kysely } from "kysely";
import type { FactCategory } from "../../../language/facts/plain-fact.ts";
import type { Taint } from "../../../core/conversation.ts";
import { createScrubber, secretMark } from "../../../core/scrub-secrets.ts";
import { joinTaint } from "../../../core/taint.ts";
import { countMemories } from "../queries/count-memories.ts";
import { findByWords, findInSlots, findMemories, type Memory, type MemoryOrigin } from "../queries/memories.ts";
import { appendMemoryEvents } from "../queries/memory-events.ts";
import {
  confirmMemory,
  holdMemories,
  insertMemory,
  rewordMemory,
  supersedeMemory,
  touchMemories,
} from "../queries/write-memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";
import { listMemoryWords } from "../../../store/search/find-words.ts";
import { listSaid } from "../text/list-said.ts";
import { estimateImportance } from "./estimate-importance.ts";
import { findSlot } from "./find-slot.ts";
import { looksSecret } from "./looks-secret.ts";

/** Something to remember of the person that speaks. */
export interface Fact {
  readonly category: FactCategory;
  readonly content: string;
  /** The kind of fact it is, such as `home`: a newer one takes the place of the older. */
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  /** 0 to 1; 0.5 is the default level; left out = by its words. */
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly pinned?: boolean | undefined;
  /** The label of the turn it comes from, and whose words that turn had read. */
  readonly taint: Taint;
  readonly sources?: readonly string[] | undefined;
  readonly origin: MemoryOrigin;
  /** The number of the message in the chat log. */
  readonly sourceLog?: number | undefined;
  /** Ids of the memories that it corrects: they end, whatever their subject. */
  readonly ends?: readonly number[] | undefined;
  /** It is kept in addition to what is known, whatever its subject. */
  readonly endsNothing?: boolean | undefined;
  /** Since when it is true; left out = now. */
  readonly validFrom?: number | undefined;
  readonly now: number;
}

export type Remembered =
  /** `superseded` = those that it takes the place of, of what may be read here. */
  | {
      readonly kind: "remembered";
      readonly id: number;
      readonly content: string;
      readonly superseded: readonly number[];
    }
  /** It is known already; nothing was added. */
  | { readonly kind: "known"; readonly id: number; readonly content: string }
  | { readonly kind: "refused"; readonly why: "empty" | "too-long" | "too-many" | "secret" };

export const memoryLimits = {
  /** UTF-16 units of the words, the key and the value. */
  content: 500,
  key: 60,
  value: 200,
  /** Active memories of one account. */
  count: 10_000,
} as const;

const maxCompared = 50;

/**
 * Keeps a fact as the speaker's own. What it contradicts stays in the history; what is known already is confirmed. Only
 * what the same account said in the same place is touched, so that an ended link gives each account its own back;
 * readers see the newest.
 */
export async function remember(
  db: Kysely<Database>,
  scope: MemoryScope,
  fact: Fact,
  /** Takes known secrets out of a text. */
  scrub: (text: string) => string = (text) => text,
): Promise<Remembered> {
  const content = toLine(fact.content);
  const value = fact.value === undefined ? undefined : toLine(fact.value);
  const refusal = await findRefusal(db, scope, { ...fact, content, value }, scrub);
  if (refusal !== undefined) return { kind: "refused", why: refusal };
  const slot = fact.endsNothing === true ? null : findSlot({ content, key: fact.key, value, name: scope.name });
  const said = listSaid(content);
  const words = listMemoryWords({ content, value });
  /** Memories of this account's words, wherever they were said. */
  const own = { accounts: [scope.account], place: "", persona: scope.persona };
  return db.isTransaction ? write(db) : db.transaction().execute((tx) => write(tx));

  async function write(tx: Kysely<Database>): Promise<Remembered> {
    const { now } = fact;
    await holdMemories(tx, scope.account);
    const at = fact.validFrom ?? now;
    const same = slot === null ? [] : (await findInSlots(tx, own, [slot])).filter(isHere);
    const twice = same.find(isOfSameMessage);
    const known = twice ?? (await findKnown(tx, same));
    const holder = known ?? same.find(saysItAlready);
    if (holder !== undefined && !isCleaner(holder)) return confirm(tx, holder);
    // The person has now said it in a cleaner turn: their words count, not those of the page it came from first.
    const others = same.filter((one) => one.id !== known?.id && !isKeptBeside(one));
    const corrected = (await findMemories(tx, own, fact.ends ?? [])).filter(
      (one) => one.state === "active" && isHere(one),
    );
    const rivals = [
      ...(known === undefined ? [] : [known]),
      ...others.filter(({ validFrom }) => validFrom <= at),
      ...corrected.filter(({ id }) => id !== known?.id && !others.some((one) => one.id === id)),
    ];
    // A fact about an earlier time is history at once, and ends nothing.
    const later = others.findLast(({ validFrom }) => validFrom > at);
    const id = await insertMemory(tx, {
      person: scope.account,
      name: scope.name,
      place: scope.place,
      persona: scope.persona,
      category: fact.category,
      slot,
      value: value ?? null,
      content,
      importance: fact.importance ?? estimateImportance(content),
      confidence: fact.confidence ?? 1,
      pinned: fact.pinned === true || known?.pinned === true,
      taint: fact.taint,
      sources: fact.sources ?? [],
      origin: fact.origin,
      sourceLog: fact.sourceLog ?? null,
      validFrom: at,
      words,
      now,
    });
    for (const rival of rivals) await supersedeMemory(tx, rival.id, { id, at: Math.max(at, rival.validFrom) });
    if (later !== undefined) await supersedeMemory(tx, id, { id: later.id, at: later.validFrom });
    await appendMemoryEvents(tx, [
      { memory: id, kind: "remembered", person: scope.account, other: null, at: now },
      ...rivals.map(
        (rival) => ({ memory: rival.id, kind: "superseded", person: scope.account, other: id, at: now }) as const,
      ),
    ]);
    return { kind: "remembered", id, content, superseded: rivals.map((rival) => rival.id) };
  }

  /** Memories from elsewhere stay as they are: a group would see that something was said in private. */
  function isHere({ place }: Memory): boolean {
    return place === scope.place;
  }

  async function findKnown(tx: Kysely<Database>, rivals: readonly Memory[]): Promise<Memory | undefined> {
    const counts = new Map<number, number>();
    for (const { memory } of await findByWords(tx, own, words)) counts.set(memory, (counts.get(memory) ?? 0) + 1);
    const ids = [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, maxCompared)
      .map(([id]) => id);
    const near = (await findMemories(tx, own, ids)).filter(
      (memory) => memory.state === "active" && isHere(memory) && memory.slot === slot,
    );
    const isSame = (memory: Memory) =>
      (memory.value ?? "") === (value ?? memory.value ?? "") && listSaid(memory.content) === said;
    return [...near, ...rivals].find(isSame);
  }

  /** The message was read when it came in, and a tool keeps it now: it is one memory, and no older one of itself. */
  function isOfSameMessage(memory: Memory): boolean {
    if (fact.sourceLog === undefined || memory.sourceLog !== fact.sourceLog || memory.origin === fact.origin)
      return false;
    if (memory.content === content) return true;
    return (
      hasSameValue(memory) &&
      (holdsAll(memory.content, content) || (isAsked(fact) && holdsAll(content, memory.content)))
    );
  }

  /** Said in passing, it is a part of what the person asked to have remembered. */
  function saysItAlready(memory: Memory): boolean {
    return !isAsked(fact) && isAsked(memory) && hasSameValue(memory) && holdsAll(memory.content, content);
  }

  /** The same value in other words: one says something that the other does not, and the person asked for it. */
  function isKeptBeside(memory: Memory): boolean {
    return isAsked(memory) && hasSameValue(memory);
  }

  function hasSameValue(memory: Memory): boolean {
    return value !== undefined && memory.value === value;
  }

  function isCleaner({ taint }: Memory): boolean {
    return joinTaint(fact.taint, taint) === taint && fact.taint !== taint;
  }

  async function confirm(tx: Kysely<Database>, known: Memory) {
    const { confidence, id, importance, pinned } = known;
    await confirmMemory(tx, id, {
      importance: Math.max(importance, fact.importance ?? 0),
      confidence: Math.max(confidence, fact.confidence ?? 1),
      pinned: pinned || fact.pinned === true,
    });
    if (isOfSameMessage(known)) {
      // A fact read out of the message says less than the text to keep.
      const isLess = isAsked(fact) && !holdsAll(known.content, content);
      if (isLess) await rewordMemory(tx, known, { content, origin: fact.origin, words });
      return { kind: "remembered", id, content: isLess ? content : known.content, superseded: [] } as const;
    }
    await touchMemories(tx, [id], fact.now);
    await appendMemoryEvents(tx, [{ memory: id, kind: "confirmed", person: scope.account, other: null, at: fact.now }]);
    return { kind: "known", id, content: known.content } as const;
  }
}

/** The person, or a model for them, has asked to have it remembered. */
function isAsked({ origin }: Pick<Memory, "origin">): boolean {
  return origin === "tool" || origin === "command";
}

/** Words for the speaker, which a model writes in the place of "I". */
const speakers = new Set("user i my me he she his her they their the person 我 用 户 对 方 他 她 私 僕 俺".split(" "));

/** Whether a text says everything that another one says. */
function holdsAll(text: string, other: string): boolean {
  const held = new Set(listSaid(text).split(" "));
  return listSaid(other)
    .split(" ")
    .every((word) => held.has(word) || speakers.has(word));
}

const scrubKeys = createScrubber([]);

async function findRefusal(
  db: Kysely<Database>,
  { account }: MemoryScope,
  { content, key = "", value = "" }: Pick<Fact, "content" | "key" | "value">,
  scrub: (text: string) => string,
): Promise<Extract<Remembered, { kind: "refused" }>["why"] | undefined> {
  if (content === "") return "empty";
  if (content.length > memoryLimits.content || key.length > memoryLimits.key || value.length > memoryLimits.value)
    return "too-long";
  const all = [content, key, value].join("\n");
  if (all.includes(secretMark) || scrubKeys(scrub(all)) !== all || looksSecret(all)) return "secret";
  return (await countMemories(db, account)) >= memoryLimits.count ? "too-many" : undefined;
}

/** One line without control characters, as a name is written: nothing in it can pass for a part of a prompt. */
function toLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
}
