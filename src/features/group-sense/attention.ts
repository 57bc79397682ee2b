import { groupSenseWords } from "./words.ts";
import type { Logger } from "pino";
import type { InboundMessage } from "../../channels/types.ts";
import { showName } from "../../core/persona/show-payload.ts";
import type { Clock } from "../../core/clock.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import type { Person } from "../../kernel/gate/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Limits } from "../../kernel/inbox/limit-options.ts";
import type { RecentTalk, Utterance } from "../../kernel/outbox/recent-talk.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";
import { isLoop } from "./is-loop.ts";
import { shouldAnswer } from "./should-answer.ts";

/** Decides which words of a group are meant for her, and which senders only answer her like machines. No model is asked. */
export interface Attention {
  isForHer(item: InboxItem, message: InboundMessage): boolean;
  /** true = messages of this sender are left unanswered there for a while. */
  leavesUnanswered(given: {
    readonly item: InboxItem;
    readonly message: InboundMessage;
    readonly person: Person;
  }): Promise<boolean>;
}

const goesOnMs = 2 * 60_000;
const firstBrakeMs = 10 * 60_000;
const maxBrakeMs = 60 * 60_000;
/** A sender who begins again within this time is stopped for longer. */
const rememberedMs = 60 * 60_000;
const dayMs = 24 * 3_600_000;
const maxBrakes = 1_000;

export function createAttention(parts: {
  readonly recentTalk: Pick<RecentTalk, "hear">;
  readonly namesOf: Kernel["namesOf"];
  readonly limits: () => Pick<Limits, "loop">;
  readonly tellOwners: TellOwners;
  readonly clock: Clock;
  readonly log: Logger;
}): Attention {
  const { recentTalk: talk, clock, log } = parts;
  /** By chat and sender. In memory: a start lifts them. */
  const brakes = new Map<string, { readonly until: number; readonly lengthMs: number }>();

  async function brake(item: InboxItem, message: InboundMessage): Promise<void> {
    const { address, sender } = message;
    const key = nameBrake(item, message);
    const now = clock.now();
    const before = brakes.get(key);
    const again = before !== undefined && now - before.until < rememberedMs;
    const lengthMs = again ? Math.min(before.lengthMs * 2, maxBrakeMs) : firstBrakeMs;
    brakes.delete(key);
    brakes.set(key, { until: now + lengthMs, lengthMs });
    const [oldest] = brakes.keys();
    if (brakes.size > maxBrakes && oldest !== undefined) brakes.delete(oldest);
    if (again) return;
    log.warn(
      { session: item.session, sender: sender.id },
      "somebody answers her like a machine and is not answered for now",
    );
    const shown = {
      chat: `${address.platform}:${address.chat}`,
      sender: `${showName(sender.name)} (${address.platform}:${sender.id})`,
      minutes: firstBrakeMs / 60_000,
    };
    await parts.tellOwners(`brake:${key}:${Math.floor(now / dayMs)}`, (_words, language) =>
      groupSenseWords[language].braked(shown),
    );
  }

  return {
    isForHer(item, message) {
      const goesOn = isGoingOn(talk.hear(item, message), message.sender.id, item.createdAt);
      // The language only sets their order.
      return shouldAnswer(message, { names: parts.namesOf(item.session, "zh"), goesOn });
    },
    async leavesUnanswered({ item, message, person }) {
      const { loop } = parts.limits();
      if (loop === 0 || person.role === "owner") return false;
      if ((brakes.get(nameBrake(item, message))?.until ?? 0) > clock.now()) return true;
      const before = talk.hear(item, message);
      if (!isLoop(loop, before, { sender: message.sender.id, text: message.text, at: item.createdAt })) return false;
      await brake(item, message);
      return true;
    },
  };
}

/** The last utterance that counts is her answer to the sender, or words of theirs that she is working on. */
function isGoingOn(before: readonly Utterance[], sender: string, now: number): boolean {
  const last = before.findLast((one) =>
    one.kind === "heard" ? one.sender !== sender || one.taken : one.to !== undefined,
  );
  if (last === undefined || now - last.at > goesOnMs) return false;
  return sender === (last.kind === "heard" ? last.sender : last.to);
}

function nameBrake({ session }: InboxItem, { sender }: InboundMessage): string {
  return `${session}:${sender.id}`;
}
