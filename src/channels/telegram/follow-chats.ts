import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import { listChatMoves, saveChatMove, type ChatMove } from "../../store/queries/chat-moves.ts";
import type { Store } from "../../store/open-store.ts";
import type { ChatChange, InboundEvent } from "../types.ts";
import type { ApiAnswer, ApiFailure } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";

/**
 * A group that becomes a supergroup gets another id and counts its messages from the start. For the gateway it stays
 * the chat it was: ids are translated here, at the border, so that its conversation, workspace, questions and outbox
 * need no move. A message of the supergroup has its number plus `supergroupShift`, so that none is taken for a message
 * of the group with the same number.
 */
export interface FollowedChats {
  /** The Bot API, by the ids of the gateway. */
  readonly api: BotApi;
  /** An event of Telegram as it is for the gateway. Throws when the store does. */
  readonly follow: (event: InboundEvent) => Promise<InboundEvent>;
}

/** Telegram's numbers have 32 bits. */
const supergroupShift = 2 ** 40;

/** The server's words when a chat cannot be written to any more. */
const goneWords = /blocked by the user|was kicked|not a member|is deactivated|chat was deleted|initiate conversation/i;

type Numbers = Readonly<Record<string, unknown>>;

export function followChats(parts: {
  readonly api: BotApi;
  readonly account: string;
  readonly store: Pick<Store, "main">;
  /** Stores an event of our own finding; undefined when the channel has not begun. */
  readonly receive: () => ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  readonly clock: Clock;
}): FollowedChats {
  const { api, account, store, clock } = parts;
  let moves: Promise<readonly ChatMove[]> | undefined;
  /** Chats that refused us, and that nothing was heard of since. */
  const gone = new Set<string>();

  function load(): Promise<readonly ChatMove[]> {
    moves ??= listChatMoves(store.main, account).catch((error: unknown) => {
      moves = undefined;
      throw error;
    });
    return moves;
  }

  async function learn(chat: string, movedTo: string): Promise<void> {
    await saveChatMove(store.main, { platform: "telegram", account, chat, movedTo }, clock.now());
    moves = undefined;
    await load();
  }

  async function announce(chat: string, key: string, change: ChatChange["change"]): Promise<boolean> {
    const address = { platform: "telegram", account, chat, thread: null };
    const sender = { id: chat, name: chat, kind: "anonymous" } as const;
    const receive = parts.receive();
    await receive?.([{ kind: "chat", key, address, sender, sentAt: clock.now(), change }]);
    return receive !== undefined;
  }

  /** The server reports the move by a refusal; the call is made again there. */
  async function act<T>(
    payload: Numbers,
    call: (payload: Numbers) => Promise<ApiAnswer<T>>,
    isAgain = false,
  ): Promise<ApiAnswer<T>> {
    const chat = String(payload["chat_id"]);
    const to = (await load()).find((move) => move.chat === chat)?.movedTo;
    const translated = to === undefined ? payload : toSupergroup(payload, to);
    if (translated === undefined) return lost;
    const answer = await call(translated);
    if (answer.kind === "ok") return to === undefined ? answer : { ...answer, value: fromSupergroup(answer.value) };
    if (answer.kind === "migrated" && !isAgain) {
      if (!(await announce(chat, `moved:${chat}:${answer.chat}`, { kind: "moved", to: answer.chat }))) {
        return { kind: "unreachable", reason: answer.reason };
      }
      await learn(chat, answer.chat);
      return act(payload, call, true);
    }
    if (answer.kind === "refused" && answer.status === 403 && goneWords.test(answer.reason) && !gone.has(chat)) {
      const change = { kind: "gone", reason: answer.reason } as const;
      if (await announce(chat, `gone:${chat}:${clock.now()}`, change)) gone.add(chat);
    }
    return answer;
  }

  /** A store that fails leaves the message for a later try. */
  async function actSafely<T>(payload: object, call: (payload: never) => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
    if (!("chat_id" in payload)) return call(payload as never);
    try {
      return await act(payload as Numbers, (translated) => call(translated as never));
    } catch (error) {
      return { kind: "unreachable", reason: describeError(error) };
    }
  }

  return {
    api: {
      call: (method, payload, limits) => actSafely(payload, (sent) => api.call(method, sent, limits)),
      upload: (method, payload, file, limits) => actSafely(payload, (sent) => api.upload(method, sent, file, limits)),
    },
    async follow(event) {
      if (event.kind === "ignored") return event;
      if (event.kind === "chat" && event.change.kind === "moved") {
        await learn(event.address.chat, event.change.to);
        return event;
      }
      const move = (await load()).find(({ adopts, movedTo }) => adopts && movedTo === event.address.chat);
      const followed = move === undefined ? event : shiftEvent(event, move);
      if (event.kind !== "chat" || event.change.kind === "back") gone.delete(followed.address.chat);
      return followed;
    },
  };
}

const lost: ApiFailure = {
  kind: "refused",
  status: 400,
  reason: "the message stands in the group as it was before it became a supergroup",
};

/** Undefined when it is about a message that is not in the supergroup. */
function toSupergroup(payload: Numbers, to: string): Numbers | undefined {
  const { message_id: message, reply_parameters: reply, ...rest } = payload;
  if (typeof message === "number" && message < supergroupShift) return undefined;
  const quoted = (reply as { readonly message_id?: number } | undefined)?.message_id ?? 0;
  return {
    ...rest,
    chat_id: Number(to),
    ...(typeof message === "number" && { message_id: message - supergroupShift }),
    ...(quoted >= supergroupShift && {
      reply_parameters: { ...(reply as object), message_id: quoted - supergroupShift },
    }),
  };
}

function fromSupergroup<T>(value: T): T {
  if (Array.isArray(value)) return value.map((one: unknown) => fromSupergroup(one)) as T;
  if (typeof value !== "object" || value === null || !("message_id" in value)) return value;
  return { ...value, message_id: Number(value.message_id) + supergroupShift };
}

function shiftEvent<Event extends Exclude<InboundEvent, { kind: "ignored" }>>(event: Event, move: ChatMove): Event {
  const shifted = { ...event, address: { ...event.address, chat: move.chat }, movedTo: move.movedTo };
  if (!("messageId" in shifted)) return shifted;
  const quote = "quote" in shifted && shifted.quote;
  return {
    ...shifted,
    messageId: shiftId(shifted.messageId),
    ...(quote && { quote: { ...quote, messageId: shiftId(quote.messageId) } }),
  };
}

/** A quote from elsewhere has no number of this chat. */
function shiftId(id: string): string {
  return /^\d{1,10}$/.test(id) ? String(Number(id) + supergroupShift) : id;
}
