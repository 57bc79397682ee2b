import { toComparable, type Utterance } from "../../kernel/outbox/recent-talk.ts";

/** Earlier answers do not count. */
const windowMs = 5 * 60_000;
/** People need longer to read and to write. */
const atOnceMs = 1_000;
/** A share of their messages; a machine exceeds it nearly always. */
const share = 0.75;
const alike = 0.8;
/** People say 继续 and 好 again and again. */
const minWordLength = 5;
/** Their words are compared with this many of their earlier messages. */
const lookBack = 4;

/**
 * Whether the next speaker is in a loop with her: answered that often lately, with no other speaker there, and back at
 * once each time or always with the same words.
 */
export function isLoop(
  maxAnswers: number,
  before: readonly Utterance[],
  next: { readonly sender: string; readonly text: string; readonly at: number },
): boolean {
  const run = listRun(before, next.sender, next.at - windowMs);
  const answers = new Set(run.flatMap((one) => (one.kind === "said" && one.to !== undefined ? (one.cause ?? []) : [])));
  if (answers.size < maxAnswers) return false;
  const { at, sender } = next;
  const last = { kind: "heard", row: "", sender, words: toComparable(next.text), at, taken: false } as const;
  const talk: readonly Utterance[] = [...run, last];
  const replies = talk.flatMap((one, index) => {
    const previous = talk[index - 1];
    return one.kind === "heard" && previous?.kind === "said" ? [{ one, index, gap: one.at - previous.at }] : [];
  });
  const judged = replies.slice(-maxAnswers);
  const quick = judged.filter(({ gap }) => gap <= atOnceMs);
  const repeated = judged.filter(
    ({ one, index }) =>
      one.words.length >= minWordLength &&
      talk.slice(Math.max(0, index - lookBack), index).some(({ words }) => areAlike(one.words, words)),
  );
  return Math.max(quick.length, repeated.length) >= maxAnswers * share;
}

/** The last exchange between the two, without other speakers or addressees. */
function listRun(before: readonly Utterance[], sender: string, since: number): readonly Utterance[] {
  const isTheirs = (one: Utterance) =>
    one.at > since && (one.kind === "heard" ? one.sender === sender : one.to === undefined || one.to === sender);
  return before.slice(before.findLastIndex((one) => !isTheirs(one)) + 1);
}

/** By the pairs of letters that both have. */
export function areAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const [pairs, others] = [listPairs(one), listPairs(other)];
  const both = [...pairs].filter((pair) => others.has(pair)).length;
  return 2 * both >= alike * (pairs.size + others.size) && both > 0;
}

function listPairs(words: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, words.length - 1) }, (_, at) => words.slice(at, at + 2)));
}
