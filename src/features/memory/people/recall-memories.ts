import type { Kysely } from "kysely";
import { findByWords, findMemories, type Memory, type WordHit } from "../queries/memories.ts";
import { touchMemories } from "../queries/write-memories.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { MemoryScope } from "../scope.ts";
import { findBridgeWords, listBridges } from "../text/bridge-words.ts";
import { findWords, isLetter } from "../../../store/search/find-words.ts";
import { weigh } from "./memory-age.ts";
import { dropShadowed } from "./drop-shadowed.ts";

export interface RecalledMemory extends Memory {
  /** 0 to 1: how well it fits, how much it matters, how fresh it is. Compares the answers of one question. */
  readonly score: number;
  /** 0 to 1: the share of what the question asks for that it holds. Compares questions. */
  readonly match: number;
}

interface RecallOptions {
  readonly limit: number;
  readonly now: number;
  /** Past facts, too: 「我以前住哪」. Left out = when the words ask for it. */
  readonly past?: boolean;
  /** The reader asked for it: memories that are found become fresh. */
  readonly touch?: boolean;
  /** Ids of memories by meaning, the best first; undefined = no model says. */
  readonly rankByMeaning?: (text: string) => Promise<readonly number[] | undefined>;
}

const maxCandidates = 200;
/** A word of the bridge says less than a word of the question, a single letter less than a word. */
const bridgeWeight = 0.6;
const letterWeight = 0.4;
/** Okapi BM25, and the constant of reciprocal rank fusion (Cormack et al. 2009). */
const saturation = 1.2;
const lengthShare = 0.5;
const averageLength = 30;
const fusionConstant = 60;
/** Maximal marginal relevance: how much the fit counts against being new. */
const diversity = 0.7;

const asksOfPast =
  /以前|之前|原来|过去|曾经|从前|当时|\b(?:before|used to|formerly|previously|back then)\b|昔|(?<!名)前は|かつて/i;

/** Memories that fit the words, the best first, among those that this scope may read. */
export async function recallMemories(
  db: Kysely<Database>,
  scope: MemoryScope,
  text: string,
  { limit, now, past = asksOfPast.test(text), rankByMeaning, touch = false }: RecallOptions,
): Promise<readonly RecalledMemory[]> {
  const asked = weighQuestion(text);
  const hits = asked.size === 0 ? [] : await findByWords(db, scope, [...asked.keys()]);
  const byWords = rank(hits, asked);
  const ordered = [...byWords].toSorted(([, a], [, b]) => b.score - a.score).map(([id]) => id);
  const meant = await rankByMeaning?.(text);
  const ids = [...new Set([...ordered.slice(0, maxCandidates), ...(meant ?? []).slice(0, maxCandidates)])];
  const found = (await findMemories(db, scope, ids)).filter(({ state }) => past || state === "active");
  const current = past ? found : await dropShadowed(db, scope, found);
  const relevance =
    meant === undefined ? byLength(current, byWords) : fuse(current, [byLengthOrder(current, byWords), meant]);
  const best = Math.max(...relevance.values(), Number.MIN_VALUE);
  const scored = current.map((memory) => ({
    ...memory,
    match: Math.min(1, byWords.get(memory.id)?.share ?? 0),
    score: ((relevance.get(memory.id) ?? 0) / best) * weigh(memory, now),
  }));
  const chosen = diversify(scored, limit);
  if (touch)
    await touchMemories(
      db,
      chosen.map(({ id }) => id),
      now,
    );
  return chosen;
}

interface AskedWord {
  readonly weight: number;
  /** Words of one bridge count once together. */
  readonly bridge?: number;
}

function weighQuestion(text: string): ReadonlyMap<string, AskedWord> {
  const asked = new Map<string, AskedWord>();
  for (const [bridge, words] of listBridges(text).entries())
    for (const word of words.flatMap((one) => findBridgeWords(one)))
      asked.set(word, { weight: bridgeWeight * (isLetter(word) ? letterWeight : 1), bridge });
  for (const word of findWords(text)) asked.set(word, { weight: isLetter(word) ? letterWeight : 1 });
  return asked;
}

interface Fit {
  readonly score: number;
  /** A share of the question's weight. */
  readonly share: number;
}

/** The rarer a shared word is among the hits, the more it counts. */
function rank(hits: readonly WordHit[], asked: ReadonlyMap<string, AskedWord>): ReadonlyMap<number, Fit> {
  const frequency = new Map<string, number>();
  for (const { word } of hits) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const total = Math.max(new Set(hits.map(({ memory }) => memory)).size, 8);
  const rarity = (word: string) => Math.log(1 + (total + 0.5) / ((frequency.get(word) ?? 0) + 0.5));
  const whole = [...asked].reduce(
    (sum, [word, { bridge, weight }]) => (bridge === undefined ? sum + weight * rarity(word) : sum),
    0,
  );
  const scores = new Map<number, { score: number; bridges: Map<number, number> }>();
  for (const { memory, word } of hits) {
    const { bridge, weight } = asked.get(word) ?? { weight: 0 };
    const worth = weight * rarity(word);
    const one = scores.get(memory) ?? { score: 0, bridges: new Map<number, number>() };
    if (bridge === undefined) one.score += worth;
    else one.bridges.set(bridge, Math.max(one.bridges.get(bridge) ?? 0, worth));
    scores.set(memory, one);
  }
  return new Map(
    [...scores].map(([memory, { bridges, score }]) => {
      const sum = [...bridges.values()].reduce((all, worth) => all + worth, score);
      return [memory, { score: sum, share: whole === 0 ? 0 : sum / whole }];
    }),
  );
}

/** When two share the same words, the shorter one fits better. */
function byLength(memories: readonly Memory[], fits: ReadonlyMap<number, Fit>): ReadonlyMap<number, number> {
  return new Map(
    memories.map(({ content, id }) => {
      const norm = saturation * (1 - lengthShare + (lengthShare * content.length) / averageLength);
      return [id, ((fits.get(id)?.score ?? 0) * (saturation + 1)) / (1 + norm)];
    }),
  );
}

function byLengthOrder(memories: readonly Memory[], fits: ReadonlyMap<number, Fit>): readonly number[] {
  return [...byLength(memories, fits)]
    .filter(([, score]) => score > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([id]) => id);
}

/** Reciprocal rank fusion. */
function fuse(memories: readonly Memory[], rankings: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const scores = new Map(memories.map(({ id }) => [id, 0]));
  for (const ranking of rankings)
    for (const [place, id] of ranking.entries()) {
      const before = scores.get(id);
      if (before !== undefined) scores.set(id, before + 1 / (fusionConstant + place + 1));
    }
  return scores;
}

/** The best first, then what fits and says something else (Carbonell and Goldstein 1998). */
function diversify(memories: readonly RecalledMemory[], limit: number): readonly RecalledMemory[] {
  const left = memories.toSorted((a, b) => b.score - a.score || b.validFrom - a.validFrom).slice(0, limit * 4);
  const words = new Map(left.map(({ content, id }) => [id, new Set(findWords(content))]));
  const nothing: ReadonlySet<string> = new Set();
  const chosen: RecalledMemory[] = [];
  while (chosen.length < limit && left.length > 0) {
    let [at, most] = [0, Number.NEGATIVE_INFINITY];
    for (const [index, { id, score }] of left.entries()) {
      const own = words.get(id) ?? nothing;
      const like = Math.max(0, ...chosen.map((one) => compareWords(own, words.get(one.id) ?? nothing)));
      const worth = diversity * score - (1 - diversity) * like;
      if (worth > most) [at, most] = [index, worth];
    }
    chosen.push(...left.splice(at, 1));
  }
  return chosen;
}

/** How alike two texts are by their words, 0 to 1 (Jaccard). */
function compareWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / (one.size + other.size - shared);
}
