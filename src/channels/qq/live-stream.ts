import type { Logger } from "pino";
import { z } from "zod";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import { textLimit } from "../markdown/render-text.ts";
import type { Delivery, LiveView, OutboundMessage } from "../types.ts";
import { pathOf, readChat, type QqChat } from "./chat.ts";
import type { QqApi } from "./qq-api.ts";
import { nameTrigger, type ReplySlot, type ReplyWindows } from "./reply-windows.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** Answers that grow while she writes them, in private chats: one message, which is one reply however many pieces it has. */
export interface LiveStream {
  show(view: LiveView, previewId?: string): Promise<string | undefined>;
  /**
   * Ends the growing text with the finished one. Undefined when there is none, or its text differs: the finished one is
   * sent as a message then.
   */
  finish(message: OutboundMessage, text: string, previewId: string | undefined): Promise<Delivery | undefined>;
}

interface Growing {
  readonly slot: ReplySlot;
  readonly chat: QqChat;
  readonly id: string;
  index: number;
  shown: string;
  shownAt: number;
  isBroken: boolean;
  isInDoubt: boolean;
  /** A piece on its way. */
  running: Promise<unknown>;
}

const pieceState = { writing: 1, ended: 10 };
/** QQ cannot change shown text, so nothing is shown that the splitter may still put into a second message. */
const maxShown = textLimit / 2;
/** Growing takes one reply, the result may be another one. */
const repliesLeft = 2;
const turnsKept = 500;
const retryMs = 2_000;

const given = z.object({
  id: z.string().min(1).max(500),
  timestamp: z.string().max(64).optional().catch(undefined),
  ext_info: z
    .object({ ref_idx: z.string().max(300) })
    .optional()
    .catch(undefined),
});

export function createLiveStream(parts: {
  readonly api: QqApi;
  readonly windows: ReplyWindows;
  readonly everyMs: number;
  readonly log: Logger;
}): LiveStream {
  const { api, windows, everyMs, log } = parts;
  const growing = new Map<string, Growing>();
  /** Turns that show nothing until they end. */
  const quiet = new Set<string>();
  /** How many texts of a turn grew, so that each has a row of its own. */
  const begun = new Map<string, number>();

  function piece(
    { slot, chat, index, id }: Pick<Growing, "slot" | "chat" | "index"> & { readonly id?: string },
    text: string,
    state: number,
  ) {
    return api.call("POST", `${pathOf(chat)}/stream_messages`, {
      input_mode: "replace",
      input_state: state,
      index,
      content_type: "markdown",
      content_raw: text,
      ...nameTrigger(slot, chat),
      ...(id !== undefined && { stream_msg_id: id }),
    });
  }

  function beQuiet(turn: string): undefined {
    quiet.add(turn);
    const [oldest] = quiet;
    if (quiet.size > turnsKept && oldest !== undefined) quiet.delete(oldest);
    return undefined;
  }

  async function begin(view: LiveView, chat: QqChat, text: string): Promise<string | undefined> {
    const { address, turn, cause } = view;
    const number = begun.get(turn) ?? 0;
    begun.delete(turn);
    begun.set(turn, number + 1);
    if (begun.size > turnsKept) begun.delete(begun.keys().next().value ?? "");
    const start = `${address.platform}:${address.account}:`;
    const key = cause.startsWith(start) ? cause.slice(start.length) : undefined;
    const taken = await windows.take({
      address,
      outbox: `stream:${turn}`,
      part: number,
      cause: key,
      atLeast: repliesLeft,
    });
    if (taken.kind !== "slot") return beQuiet(turn);
    const { slot } = taken;
    const answer = await piece({ slot, chat, index: 0 }, text, pieceState.writing);
    const read = answer.kind === "ok" ? given.safeParse(answer.value) : undefined;
    if (!read?.success) {
      // Without an answer it may have arrived; its number is then used up.
      if (answer.kind === "refused") await windows.failed(slot, false);
      log.debug({ answer: answer.kind }, "QQ takes no text that grows; it comes whole");
      return beQuiet(turn);
    }
    const { id, ext_info: extra } = read.data;
    await windows.sent(slot, { id, reference: extra?.ref_idx ?? null });
    const shown = {
      shown: text,
      shownAt: performance.now(),
      isBroken: false,
      isInDoubt: false,
      running: Promise.resolve(),
    };
    growing.set(turn, { slot, chat, id, index: 1, ...shown });
    const [oldest] = growing.keys();
    if (growing.size > turnsKept && oldest !== undefined) growing.delete(oldest);
    return id;
  }

  async function grow(stream: Growing, text: string): Promise<void> {
    const answer = await piece(stream, text, pieceState.writing);
    stream.index += 1;
    stream.shownAt = performance.now();
    if (answer.kind === "ok") stream.shown = text;
    else stream.isBroken = true;
  }

  return {
    async show(view, previewId) {
      const chat = readChat(view.address.chat);
      const text = writeMarkdown(formatMarkdown(view.text));
      if (chat.scene !== "user" || text === "" || quiet.has(view.turn)) return previewId;
      const stream = growing.get(view.turn);
      if (stream === undefined) return (await begin(view, chat, text)) ?? previewId;
      await stream.running;
      const isDue = performance.now() - stream.shownAt >= everyMs && !stream.isBroken;
      if (isDue && text.length <= maxShown && text.length > stream.shown.length && text.startsWith(stream.shown)) {
        stream.running = grow(stream, text);
        await stream.running;
      }
      return stream.id;
    },

    async finish({ turn }, text, previewId) {
      const stream = turn === undefined ? undefined : growing.get(turn);
      if (turn === undefined || stream === undefined) return undefined;
      await stream.running;
      const whole = writeMarkdown(formatMarkdown(text));
      const isSame = whole.startsWith(stream.shown) && (previewId === undefined || previewId === stream.id);
      const answer = await piece(stream, isSame ? whole : stream.shown, pieceState.ended);
      if (answer.kind === "flood" || answer.kind === "unreachable") {
        stream.isInDoubt ||= answer.kind === "unreachable";
        return { kind: "later", afterMs: answer.kind === "flood" ? answer.afterMs : retryMs, reason: answer.reason };
      }
      growing.delete(turn);
      // The end of it was taken before, but the answer was lost.
      if (isSame && stream.isInDoubt && answer.kind === "refused") return { kind: "sent", messageId: stream.id };
      // The whole message follows the unfinished one.
      if (!isSame || answer.kind !== "ok") return undefined;
      const read = given.safeParse(answer.value).data;
      const sentAt = Date.parse(read?.timestamp ?? "");
      return { kind: "sent", messageId: stream.id, ...(Number.isFinite(sentAt) && { sentAt }) };
    },
  };
}
