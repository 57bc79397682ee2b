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
}

export interface AskedPrompt {
  readonly sent: SentMessage;
  readonly asker: string;
}

/**
 * Holds what was done against what people did, knowing nothing of our tables: every executed question needs a yes of its
 * own, by the asker or the owner, in its chat, after its prompt and before its effect. Answers what is wrong.
 */
export function findUnapproved(
  prompts: readonly AskedPrompt[],
  effects: readonly Effect[],
  yeses: readonly YesEvent[],
): readonly string[] {
  const faults: string[] = [];
  const done = new Map<string, Effect>();
  for (const effect of effects) {
    if (done.has(effect.what)) faults.push(`${effect.what} was done twice`);
    done.set(effect.what, effect);
  }
  // 「重来」 asks the same calls in another prompt; a yes to either of them will do.
  const byCalls = Map.groupBy(prompts, ({ sent }) => JSON.stringify(sent.message.question?.calls));
  const executed = [...byCalls.values()].flatMap((same) => {
    const calls = same[0]?.sent.message.question?.calls ?? [];
    const ran = calls.flatMap((call) => done.get(call.summary) ?? []);
    const first = ran.toSorted((a, b) => a.tick - b.tick)[0];
    return first ? [{ prompts: same, what: calls.map((call) => call.summary), first }] : [];
  });
  for (const what of done.keys()) {
    if (!executed.some((item) => item.what.includes(what))) faults.push(`${what} was done without a question`);
  }
  const justifiedBy = new Map<YesEvent, number>();
  const justify = (index: number, tried: Set<YesEvent>): boolean => {
    const item = executed[index];
    if (!item) return false;
    for (const yes of yeses.filter((one) => item.prompts.some((prompt) => mayJustify(one, prompt, item.first)))) {
      if (tried.has(yes)) continue;
      tried.add(yes);
      const other = justifiedBy.get(yes);
      if (other !== undefined && !justify(other, tried)) continue;
      justifiedBy.set(yes, index);
      return true;
    }
    return false;
  };
  for (const [index, { what }] of executed.entries()) {
    if (!justify(index, new Set())) faults.push(`${what.join(", ")} ran without a yes of its own`);
  }
  return faults;
}

function mayJustify(yes: YesEvent, { sent, asker }: AskedPrompt, effect: Effect): boolean {
  const { code, message } = yes.about;
  return (
    yes.tick > sent.tick &&
    yes.tick < effect.tick &&
    yes.chat === sent.message.address.chat &&
    (yes.person === asker || yes.person === "owner") &&
    (code === undefined || code === sent.message.question?.code) &&
    (message === undefined || message === sent.id)
  );
}
