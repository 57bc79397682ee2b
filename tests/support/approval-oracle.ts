import type { Effect } from "./effect-tools.ts";
import type { SentMessage } from "./fake-channel.ts";

/** Something a person did that may count as a yes. */
export interface YesEvent {
  readonly key: string;
  readonly tick: number;
  readonly person: string;
  readonly chat: string;
  /** What it can be about: the code or the message it names, or anything that is open there. */
  readonly about: { readonly code?: string; readonly message?: string };
  /** Only these calls of it, counted from 1. */
  readonly numbers?: readonly number[];
  /** It stands for half an hour for the same calls, by the clock at that moment. */
  readonly standsFrom?: number;
}

export interface AskedPrompt {
  readonly sent: SentMessage;
  readonly asker: string;
}

/** What was done, with the clock at that moment. */
export interface DatedEffect extends Effect {
  readonly at: number;
}

const standingMs = 30 * 60_000;
/** Those who may say yes where it needs several. */
export const voters = ["alice", "bob", "owner"];

/**
 * Holds what was done against what people did, knowing nothing of our tables. Every execution needs a call of a prompt
 * that nothing else was run for, and a yes to that call that belongs to no other prompt: by the asker or the owner, in its
 * chat, after its prompt and before its effect; where the prompt counts votes, of as many different people. Or a standing
 * yes to such a call, for the same person in the same chat, under the same rules, in time. Answers what is wrong.
 */
export function findUnapproved(
  prompts: readonly AskedPrompt[],
  effects: readonly DatedEffect[],
  yeses: readonly YesEvent[],
  /** When the rules changed. */
  rulesChanged: readonly number[] = [],
): readonly string[] {
  const isStanding = (effect: DatedEffect): boolean =>
    yeses.some(
      (yes) =>
        yes.standsFrom !== undefined &&
        effect.at >= yes.standsFrom &&
        effect.at < yes.standsFrom + standingMs &&
        !rulesChanged.some((tick) => tick > yes.tick && tick < effect.tick) &&
        prompts.some(
          (prompt) =>
            `fake:${prompt.asker}` === effect.person &&
            effect.session.endsWith(`:${prompt.sent.message.address.chat}`) &&
            votesOf(prompt) === 1 &&
            callsOf(prompt).includes(effect.what) &&
            mayJustify(yes, prompt, effect.tick),
        ),
    );
  const asked = effects.filter((effect) => !isStanding(effect));
  const taken = new Map<AskedPrompt, readonly YesEvent[]>();
  const slots = new Set<string>();

  /** Tries every way to give each effect a call of its own and its prompt a yes of its own. */
  const fits = (index: number): boolean => {
    const effect = asked[index];
    if (!effect) return true;
    for (const [number, prompt] of prompts.entries()) {
      for (const [place, what] of callsOf(prompt).entries()) {
        const slot = `${number} ${place}`;
        if (what !== effect.what || slots.has(slot)) continue;
        const known = taken.get(prompt);
        const ways = known ? [known] : listWays(prompt, effect, yeses, [...taken.values()].flat());
        for (const way of ways) {
          if (!way.every((yes) => mayJustify(yes, prompt, effect.tick) && covers(yes, place))) continue;
          slots.add(slot);
          if (!known) taken.set(prompt, way);
          if (fits(index + 1)) return true;
          slots.delete(slot);
          if (!known) taken.delete(prompt);
        }
      }
    }
    return false;
  };
  if (fits(0)) return [];
  return [`not all of ${asked.map(({ what }) => what).join(", ")} ran on a yes of its own`];
}

/** Sets of yeses of different people, as many as the prompt counts. */
function listWays(
  prompt: AskedPrompt,
  effect: Effect,
  yeses: readonly YesEvent[],
  used: readonly YesEvent[],
): readonly (readonly YesEvent[])[] {
  const free = yeses.filter((yes) => !used.includes(yes) && mayJustify(yes, prompt, effect.tick));
  if (votesOf(prompt) === 1) return free.map((yes) => [yes]);
  return free.flatMap((one, index) =>
    free.slice(index + 1).flatMap((other) => (other.person === one.person ? [] : [[one, other]])),
  );
}

const callsOf = ({ sent }: AskedPrompt) => (sent.message.question?.calls ?? []).map(({ summary }) => summary);

/** 「确认 0/2」 on the button. */
export function votesOf({ sent }: AskedPrompt): number {
  return Number(/\/(\d)$/.exec(sent.message.choices?.[0]?.label ?? "")?.[1] ?? 1);
}

function covers({ numbers }: YesEvent, place: number): boolean {
  return numbers === undefined || numbers.includes(place + 1);
}

function mayJustify(yes: YesEvent, prompt: AskedPrompt, before: number): boolean {
  const { sent, asker } = prompt;
  const { code, message } = yes.about;
  const shared = votesOf(prompt) > 1;
  const last = callsOf(prompt).length;
  return (
    yes.tick > sent.tick &&
    yes.tick < before &&
    yes.chat === sent.message.address.chat &&
    (shared ? voters.includes(yes.person) : yes.person === asker || yes.person === "owner") &&
    !(shared && (yes.standsFrom !== undefined || (yes.numbers !== undefined && yes.numbers.length < last))) &&
    !(yes.numbers ?? []).some((number) => number > last) &&
    (code === undefined || code === sent.message.question?.code) &&
    (message === undefined || message === sent.id)
  );
}
