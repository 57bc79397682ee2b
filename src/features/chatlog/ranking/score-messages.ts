import { foldText } from "../../../store/search/fold-text.ts";
import { listTokens } from "../../../store/search/tokenise.ts";
import type { Question, Term } from "./read-question.ts";
import type { TimeRange } from "./past-time.ts";

/** A message among its neighbours: the list is in order of chat and time. */
export interface ScoredMessage {
  readonly chat: number;
  readonly saidAt: number;
  readonly text: string;
  readonly sender: { readonly name: string };
}

export interface TermCounts {
  /** Messages that there are in all. */
  readonly total: number;
  /** The messages that hold each term of the question, in its order. */
  readonly having: readonly number[];
}

/** A message counts with what stands around it, less the further it is away: an answer rarely repeats the question's words. */
const around = [
  [-2, 0.3],
  [-1, 0.6],
  [0, 1],
  [1, 0.4],
  [2, 0.2],
] as const;
/** How fast repetitions of a word lose weight. Messages are short, so their length is no signal. */
const saturation = 0.6;
const maxOfOne = 2;
/** A longer silence ends a talk. */
const silenceMs = 4 * 3_600_000;
const bonus = {
  speaker: 0.8,
  tellsTime: 0.5,
  inTime: 1,
  afterTime: 0.5,
  talk: 0.8,
  latest: 0.3,
  asks: -0.4,
  short: -0.6,
};
const fewTokens = 4;
const shortQuestion = 25;
const bestOfTalk = 3;

/** How well each message answers a question, in the order given; 0 if they share nothing. Linear. */
export function scoreMessages(
  question: Question,
  messages: readonly ScoredMessage[],
  counts: TermCounts,
): readonly number[] {
  const names = findNames(question, messages);
  const terms = question.terms.map((term) =>
    term.name !== undefined && names.words.has(term.name) ? undefined : term,
  );
  const hasOther = terms.some((term) => term !== undefined);
  const used = hasOther ? terms : question.terms;
  const weights = used.map((term, index) => (term ? term.weight * weigh(counts, index) : 0));
  const read = createReader(used);
  const found = messages.map(({ text }) => read(text));
  const talks = splitTalks(messages);
  const scores = messages.map((message, at) => {
    let score = 0;
    for (const [index, weight] of weights.entries()) {
      if (weight === 0) continue;
      let often = 0;
      for (const [distance, share] of around)
        if (talks[at + distance] === talks[at])
          often += share * Math.min(maxOfOne, found[at + distance]?.often[index] ?? 0);
      if (often > 0) score += (weight * often * (saturation + 1)) / (often + saturation);
    }
    return score === 0 ? 0 : score * adjust(question, message, found[at]?.length ?? 0, names.people);
  });
  return preferTalks(question, messages, scores, talks);
}

function weigh({ having, total }: TermCounts, index: number): number {
  const count = Math.min(total, having[index] ?? 0);
  return Math.log(1 + (total - count + 0.5) / (count + 0.5));
}

interface ReadText {
  /** Per term. */
  readonly often: Uint8Array;
  /** Tokens. */
  readonly length: number;
}

function createReader(terms: readonly (Term | undefined)[]): (text: string) => ReadText {
  const whole = new Map<string, number>();
  const open = new Map<string, number>();
  terms.forEach((term, index) => {
    for (const form of term?.forms ?? []) (term?.isOpen ? open : whole).set(form, index);
  });
  return (text) => {
    const often = new Uint8Array(terms.length);
    const tokens = listTokens(text);
    const count = (index: number | undefined) => {
      if (index !== undefined && (often[index] ?? 0) < 255) often[index] = (often[index] ?? 0) + 1;
    };
    for (const token of tokens) {
      count(whole.get(token));
      if (open.size > 0) count(open.get(String.fromCodePoint(token.codePointAt(0) ?? 0)));
    }
    return { often, length: tokens.length };
  };
}

/** The speakers that are named in the question, and the words of it that name them. */
function findNames(question: Question, messages: readonly ScoredMessage[]) {
  const people = new Set<string>();
  const words = new Set<string>();
  const asked = question.terms.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const name of new Set(messages.map(({ sender }) => sender.name))) {
    const folded = foldText(name);
    const parts = folded.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 1);
    const said = asked.filter((word) =>
      parts.some((part) => part === word || (word.length > 2 && part.startsWith(word))),
    );
    const isNamed = said.length > 0 || (folded.length > 1 && !/^[ -~]/.test(folded) && question.text.includes(folded));
    if (!isNamed) continue;
    people.add(name);
    for (const word of said) words.add(word);
  }
  return { people, words };
}

const tellsTime =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|years|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|recently|morning|since|summer|winter|spring|fall|just)\b|[今明昨前后][天晚年]|[上下这本](?:个?月|周|个?星期)|周[一二三四五六日末]|星期|月|[日号点]|刚|昨日|先週|来週|週末|曜/i;
const asks = /[?？]\s*$|吗$|呢$|か$/;

function adjust(question: Question, message: ScoredMessage, length: number, people: ReadonlySet<string>): number {
  let factor = 1;
  if (people.has(message.sender.name)) factor += bonus.speaker;
  if (question.asksWhen && tellsTime.test(message.text)) factor += bonus.tellsTime;
  if (length < shortQuestion && asks.test(message.text)) factor += bonus.asks;
  if (length < fewTokens) factor += bonus.short;
  return Math.max(0.1, factor + rateTime(question.ranges, message.saidAt));
}

const day = 86_400_000;

/** People mention an event when it happens, and for a while after. */
function rateTime(ranges: readonly TimeRange[], at: number): number {
  let best = 0;
  for (const { from, to } of ranges) {
    if (at >= from && at < to) return bonus.inTime;
    if (at >= to && at < to + Math.max(14 * day, to - from)) best = bonus.afterTime;
  }
  return best;
}

/** The number of the talk that each message belongs to. */
function splitTalks(messages: readonly ScoredMessage[]): readonly number[] {
  let talk = 0;
  let before: ScoredMessage | undefined;
  return messages.map((message) => {
    if (before !== undefined && (before.chat !== message.chat || message.saidAt - before.saidAt > silenceMs)) talk += 1;
    before = message;
    return talk;
  });
}

/** A talk that is about the question lends some of its weight to each of its messages. */
function preferTalks(
  question: Question,
  messages: readonly ScoredMessage[],
  scores: readonly number[],
  talks: readonly number[],
): readonly number[] {
  const best = new Map<number, number[]>();
  scores.forEach((score, at) => {
    const talk = talks[at] ?? 0;
    const top = best.get(talk) ?? [];
    top.push(score);
    best.set(talk, top.length > bestOfTalk ? top.toSorted((a, b) => b - a).slice(0, bestOfTalk) : top);
  });
  const sums = new Map([...best].map(([talk, top]) => [talk, top.reduce((sum, one) => sum + one, 0)]));
  const most = Math.max(Number.MIN_VALUE, ...sums.values());
  const times = messages.map(({ saidAt }) => saidAt);
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), 0)];
  return scores.map((score, at) => {
    const late = question.asksLatest && last > first ? ((times[at] ?? first) - first) / (last - first) : 0;
    return score * (1 + (bonus.talk * (sums.get(talks[at] ?? 0) ?? 0)) / most) * (1 + bonus.latest * late);
  });
}
