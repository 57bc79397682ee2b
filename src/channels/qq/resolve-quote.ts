import type { InboundEvent } from "../types.ts";
import { readChat } from "./chat.ts";
import type { ReadDispatch } from "./read-dispatch.ts";

/** The names by which quotes know messages. */
export interface References {
  /** The event with its quote looked up: its author, and the id by which we know it. */
  resolve(read: ReadDispatch): Promise<InboundEvent>;
  /** How a message of a person is quoted; undefined when it is not known any more. */
  find(messageId: string): string | undefined;
}

const remembered = 2_000;

/** In chats and groups a quote holds a reference, which is no message id; in guilds it holds the id. */
export function createReferences(parts: {
  /** Our message that has this reference. */
  readonly findOwn: (account: string, reference: string) => Promise<string | undefined>;
  readonly isOwn: (account: string, chat: string, messageId: string) => Promise<boolean>;
}): References {
  const byReference = new Map<string, string>();
  const byMessage = new Map<string, string>();

  function remember(reference: string, messageId: string): void {
    byReference.set(reference, messageId);
    byMessage.set(messageId, reference);
    for (const map of [byReference, byMessage]) {
      const [oldest] = map.keys();
      if (map.size > remembered && oldest !== undefined) map.delete(oldest);
    }
  }

  return {
    find: (messageId) => byMessage.get(messageId),
    async resolve({ event, reference }) {
      if (event.kind !== "message") return event;
      if (reference !== undefined) remember(reference, event.messageId);
      if (event.quote === undefined) return event;
      const { account, chat } = event.address;
      const { messageId: quoted } = event.quote;
      const { scene } = readChat(chat);
      const isById = scene === "channel" || scene === "direct";
      const ours = isById
        ? (await parts.isOwn(account, chat, quoted))
          ? quoted
          : undefined
        : await parts.findOwn(account, quoted);
      const messageId = ours ?? byReference.get(quoted) ?? quoted;
      const fromUs = ours !== undefined;
      return { ...event, quote: { ...event.quote, messageId, fromUs }, addressed: event.addressed || fromUs };
    },
  };
}
