import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import {
  beginPassiveReply,
  countPassiveReplies,
  endPassiveReply,
  findPassiveReply,
  listAnswerableEvents,
} from "../../store/queries/passive-replies.ts";
import { toSessionId } from "../session-id.ts";
import type { ChatAddress, OutboundMessage } from "../types.ts";
import { readChat, type QqChat } from "./chat.ts";

/** The event that a reply answers, and its number among the replies. */
export interface ReplySlot {
  readonly account: string;
  readonly trigger: string;
  readonly seq: number;
  /** It was begun before: the platform knows whether it is out. */
  readonly isRepeated: boolean;
  /** No reply to this chat is left after it. */
  readonly isLast: boolean;
}

/** A part of a message, or a text that grows. */
interface SlotFor {
  readonly address: ChatAddress;
  readonly outbox: string;
  readonly part: number;
  /** The event it answers, if its window is open. */
  readonly cause: string | undefined;
  /** At least this many replies must be left in the window, this one counted. */
  readonly atLeast: number;
}

type TakenSlot =
  | { readonly kind: "slot"; readonly slot: ReplySlot }
  /** This part went out before a crash. */
  | { readonly kind: "sent"; readonly messageId: string }
  /** This part is held for the next message. */
  | { readonly kind: "held" }
  | { readonly kind: "none" };

/**
 * Plans replies: QQ takes few to each event, and only for a while. Each is written down before it is sent, so that a restart
 * goes on counting, and sends the same one under the same number, which QQ takes once.
 */
export interface ReplyWindows {
  take(wanted: SlotFor): Promise<TakenSlot>;
  sent(slot: ReplySlot, message: { readonly id: string; readonly reference: string | null }): Promise<void>;
  /** It is known not to be out. `isOver` = no reply to that event is taken any more. */
  failed(slot: ReplySlot, isOver: boolean): Promise<void>;
}

/** Source: bot.q.qq.com/wiki, message/overview. A little less, for the way. */
const rules: Readonly<Record<QqChat["scene"], { readonly windowMs: number; readonly replies: number }>> = {
  user: { windowMs: 60 * 60_000 - 30_000, replies: 4 },
  group: { windowMs: 5 * 60_000 - 10_000, replies: 5 },
  channel: { windowMs: 5 * 60_000 - 10_000, replies: 5 },
  direct: { windowMs: 5 * 60_000 - 10_000, replies: 5 },
};
/** Replies to a press, or to a user who opened a chat or allowed messages again. */
const repliesToEvent = 1;
/** Events of a chat; older ones are out of their windows or have their answers. */
const eventsLooked = 40;
const overKept = 500;
const triesForNumber = 20;

const stored = z.object({
  kind: z.enum(["message", "press", "chat"]),
  key: z.string(),
  messageId: z.string().catch(""),
  change: z.object({ kind: z.string() }).optional(),
  sentAt: z.number(),
});

interface OpenWindow {
  /** The inbox key of the event. */
  readonly trigger: string;
  readonly left: number;
  readonly lastSeq: number;
}

export function createReplyWindows(parts: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): ReplyWindows {
  const { store, clock } = parts;
  /** Events that take no more replies according to the platform, even if our count says otherwise. */
  const over = new Set<string>();

  async function listOpen(address: ChatAddress): Promise<readonly OpenWindow[]> {
    const { windowMs, replies } = rules[readChat(address.chat).scene];
    const now = clock.now();
    const rows = await listAnswerableEvents(store.main, toSessionId(address), now - windowMs, eventsLooked);
    const events = rows.flatMap(({ payload, createdAt }) => {
      const read = stored.safeParse(JSON.parse(payload));
      if (!read.success || now - Math.min(read.data.sentAt, createdAt) >= windowMs) return [];
      const { change, kind, key, messageId } = read.data;
      if (kind === "chat" && change?.kind !== "back") return [];
      // A pressed example is stored as a message too, but no user wrote it.
      const isWritten = key === `message:${messageId}`;
      if (kind === "message" && !isWritten && !key.startsWith("friend:")) return [];
      return [{ trigger: key, allowed: isWritten ? replies : repliesToEvent }];
    });
    const counts = await countPassiveReplies(
      store.main,
      address.account,
      events.map(({ trigger }) => trigger),
    );
    return events.map(({ trigger, allowed }) => {
      const known = counts.find((one) => one.trigger === trigger);
      const left = over.has(`${address.account} ${trigger}`) ? 0 : Math.max(0, allowed - (known?.count ?? 0));
      return { trigger, left, lastSeq: known?.lastSeq ?? 0 };
    });
  }

  return {
    async take({ address, outbox, part, cause, atLeast }) {
      const before = await findPassiveReply(store.main, { outbox, part });
      if (before?.state === "sent") return { kind: "sent", messageId: before.message ?? "" };
      if (before?.state === "held") return { kind: "held" };
      const open = await listOpen(address);
      const left = open.reduce((sum, window) => sum + window.left, 0);
      if (before !== undefined) return { kind: "slot", slot: { ...before, isRepeated: true, isLast: left === 0 } };
      const fits = open.filter((window) => window.left >= atLeast);
      const chosen = fits.find(({ trigger }) => trigger === cause) ?? fits[0];
      if (chosen === undefined) return { kind: "none" };
      const { account } = address;
      const { trigger } = chosen;
      for (let seq = chosen.lastSeq + 1; seq <= chosen.lastSeq + triesForNumber; seq += 1) {
        const row = { account, session: toSessionId(address), trigger, seq, outbox, part, now: clock.now() };
        if (!(await beginPassiveReply(store.main, row))) continue;
        return { kind: "slot", slot: { account, trigger, seq, isRepeated: false, isLast: left <= 1 } };
      }
      return { kind: "none" };
    },

    sent: (slot, { id, reference }) => endPassiveReply(store.main, slot, { state: "sent", message: id, reference }),

    async failed(slot, isOver) {
      if (isOver) over.add(`${slot.account} ${slot.trigger}`);
      const [oldest] = over;
      if (over.size > overKept && oldest !== undefined) over.delete(oldest);
      await endPassiveReply(store.main, slot, { state: "failed" });
    },
  };
}

/** The key of the event that a message answers: its inbox row is `PLATFORM:ACCOUNT:KEY`. */
export function readCause({ address, cause, replyTo }: OutboundMessage): string | undefined {
  const start = `${address.platform}:${address.account}:`;
  if (cause?.startsWith(start) === true) return cause.slice(start.length);
  return replyTo === undefined ? undefined : `message:${replyTo}`;
}

/** The fields of a send that name what it answers. Guilds count without a number. */
export function nameTrigger({ trigger, seq }: ReplySlot, { scene }: QqChat): object {
  const [kind = "", ...id] = trigger.split(":");
  const named = kind === "message" ? { msg_id: id.join(":") } : { event_id: id.join(":") };
  return scene === "user" || scene === "group" ? { ...named, msg_seq: seq } : named;
}
