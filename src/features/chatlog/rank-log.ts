import type { Kysely } from "kysely";
import type { LogMessage } from "./queries/chat-log.ts";
import {
  countLogFrom,
  findAsking,
  findLogPlaces,
  findLogPlacesOfTime,
  readLogAround,
} from "./queries/chat-log-ranking.ts";
import type { Database } from "../../store/schema/database.ts";
import { listBridges } from "../memory/text/bridge-words.ts";
import { readQuestion, type Question, type Term } from "./ranking/read-question.ts";
import { scoreMessages } from "./ranking/score-messages.ts";

/** A message and how well it answers, from 0 up to 1. */
export interface RankedMessage {
  readonly message: LogMessage;
  readonly score: number;
}

/**
 * For a word that nearly every message holds, only the newest are looked at, and those that also hold a second word of
 * the question.
 */
const maxOfTerm = 400;
const maxOfPair = 100;
const maxPairs = 8;
/** A word that is only a substitute for another one makes no pair. */
const minOfPair = 0.4;
const fewPlaces = 20;
const maxLetters = 3;
/** The weight of a word that was not looked up. */
const defaultShare = 0.02;
/** The number of messages read together with their neighbours: the maximum cost of a question. */
const maxRead = 300;
/** The score when a time is all that was asked for. */
const scoreOfTime = 0.5;
const around = { before: 2, after: 2 };

/**
 * The messages of these chats that answer a question best, the best first, without a model.
 */
export async function rankLog(
  db: Kysely<Database>,
  chats: readonly number[],
  asked: string,
  options: {
    readonly limit: number;
    readonly now: number;
    /** An IANA name: 「昨天」 is a day there. */
    readonly zone: string;
    /** Words that answers hold though the question does not; left out = those of its subjects. */
    readonly told?: readonly string[];
  },
): Promise<readonly RankedMessage[]> {
  const { limit, now, told = listBridges(asked).flat(), zone } = options;
  const question = readQuestion(asked, told, { now, zone });
  const total = await countLogFrom(db, chats);
  const { having, places } = await findCandidates(db, chats, question, total);
  if (places.length === 0) return [];
  const messages = await readLogAround(db, chats, places, around);
  if (question.terms.length === 0)
    return messages
      .filter(({ place }) => places.includes(place))
      .toReversed()
      .slice(0, limit)
      .map((message) => ({ message, score: scoreOfTime }));
  const scores = scoreMessages(question, messages, { total, having });
  // They were read for what stands around a hit.
  const asking = await findAsking(
    db,
    messages.map(({ id }) => id),
  );
  const whole = question.terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return messages
    .map((message, at) => ({ message, score: scores[at] ?? 0 }))
    .filter(({ message, score }) => score > 0 && !asking.has(message.id))
    .toSorted((one, other) => other.score - one.score || other.message.place - one.message.place)
    .slice(0, limit)
    .map(({ message, score }) => ({ message, score: score / (score + 4 * whole) }));
}

/** Places that share words with the question, the likeliest first, and how many messages have each word. */
async function findCandidates(
  db: Kysely<Database>,
  chats: readonly number[],
  { ranges, terms }: Question,
  total: number,
) {
  const shares = new Map<number, number>();
  const having = terms.map(() => total * defaultShare);
  const common: Term[] = [];
  const add = (places: readonly number[], share: number) => {
    for (const place of places) shares.set(place, (shares.get(place) ?? 0) + share);
  };
  for (const [index, term] of terms.entries()) {
    // Each word that begins with a letter has a list of its own, and merging all is slow: do it only if words find next
    // to nothing.
    if (term.isOpen) continue;
    const found = await findLogPlaces(db, { chats, any: term.forms, limit: maxOfTerm });
    const isCommon = found.length === maxOfTerm;
    if (isCommon) common.push(term);
    const count = isCommon ? await estimateCount(db, chats, found, total) : found.length;
    having[index] = count;
    const share = term.weight / Math.log(2 + count);
    add(found, share);
    // Rare words were found already, wherever they are.
    if (isCommon)
      for (const range of ranges)
        add(await findLogPlaces(db, { chats, any: term.forms, ...range, limit: maxOfPair }), share);
  }
  const others = terms.filter((term) => !term.isOpen && term.weight >= minOfPair);
  const pairs = common.flatMap((term) =>
    others.filter((other) => other !== term).map((other) => [term, other] as const),
  );
  for (const [term, other] of pairs.slice(0, maxPairs)) {
    const found = await findLogPlaces(db, { chats, all: other.forms.slice(0, 1), any: term.forms, limit: maxOfPair });
    add(found, (2 * term.weight) / Math.log(2 + maxOfTerm));
  }
  if (shares.size < fewPlaces)
    for (const { forms, weight } of terms.filter(({ isOpen }) => isOpen).slice(0, maxLetters))
      add(
        await findLogPlaces(db, { chats, any: forms, limit: maxOfPair }),
        weight / Math.log(2 + total * defaultShare),
      );
  if (terms.length === 0)
    for (const range of ranges) add(await findLogPlacesOfTime(db, chats, { ...range, limit: maxOfPair }), 1);
  const places = [...shares]
    .toSorted(([newer, one], [older, other]) => other - one || older - newer)
    .slice(0, maxRead)
    .map(([place]) => place);
  return { having, places };
}

/** Estimates how often a word occurs from the newest messages, without counting the rest. */
async function estimateCount(
  db: Kysely<Database>,
  chats: readonly number[],
  newest: readonly number[],
  total: number,
): Promise<number> {
  const among = Math.max(newest.length, await countLogFrom(db, chats, newest.at(-1)));
  return Math.round((newest.length / among) * total);
}
