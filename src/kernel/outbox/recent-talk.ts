import { toSessionId } from "../../channels/session-id.ts";
import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";

/** A message written in a chat, by a member or by the bot. */
export type Utterance =
  | {
      readonly kind: "heard";
      readonly row: string;
      readonly sender: string;
      readonly words: string;
      readonly at: number;
      /** A turn began with it. */
      taken: boolean;
    }
  | {
      readonly kind: "said";
      readonly id: string;
      /** The row it answers. */
      readonly cause: string | undefined;
      /** The person it answered; undefined for none, or for one no longer in the list. */
      readonly to: string | undefined;
      readonly words: string;
      readonly at: number;
    };

/** The last few messages of each chat. In memory only: after a start the bot is in no conversation. */
export interface RecentTalk {
  /** Adds a message and returns those before it. */
  hear(item: InboxItem, message: InboundMessage): readonly Utterance[];
  take(item: InboxItem): void;
  /** A message of the bot is being sent, or was sent, here or by another process. */
  say(message: OutboundMessage): void;
}

const maxChats = 500;
const maxPerChat = 80;

export function createRecentTalk(clock: Pick<Clock, "now">): RecentTalk {
  const chats = new Map<string, Utterance[]>();

  /** The chat that was quiet for longest makes room. */
  function open(session: string): Utterance[] {
    const talk = chats.get(session) ?? [];
    chats.delete(session);
    chats.set(session, talk);
    const [quiet] = chats.keys();
    if (chats.size > maxChats && quiet !== undefined) chats.delete(quiet);
    return talk;
  }

  function keep(talk: Utterance[], utterance: Utterance): void {
    talk.push(utterance);
    if (talk.length > maxPerChat) talk.shift();
  }

  return {
    hear(item, { sender, text }) {
      const talk = open(item.session);
      // A row may be handled twice: after a pause, or after a store error.
      const known = talk.findIndex((one) => one.kind === "heard" && one.row === item.id);
      if (known >= 0) return talk.slice(0, known);
      const before = [...talk];
      const words = toComparable(text);
      keep(talk, { kind: "heard", row: item.id, sender: sender.id, words, at: item.createdAt, taken: false });
      return before;
    },
    take({ id, session }) {
      const heard = chats.get(session)?.find((one) => one.kind === "heard" && one.row === id);
      if (heard?.kind === "heard") heard.taken = true;
    },
    say({ address, cause, id, text }) {
      const talk = open(toSessionId(address));
      const known = talk.findIndex((one) => one.kind === "said" && one.id === id);
      // Another message followed it already.
      if (known >= 0 && known < talk.length - 1) return;
      if (known >= 0) talk.pop();
      const heard = talk.find((one) => one.kind === "heard" && one.row === cause);
      const to = heard?.kind === "heard" ? heard.sender : undefined;
      keep(talk, { kind: "said", id, cause, to, words: toComparable(text), at: clock.now() });
    },
  };
}

/** Longer texts are compared by their beginnings. */
const maxComparedLength = 120;

/** Letters and digits only: Markdown and emoji do not change the words. */
export function toComparable(text: string): string {
  return text
    .slice(0, maxComparedLength * 4)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, maxComparedLength);
}
