import type { InlineKeyboardMarkup } from "@grammyjs/types";
import type { Logger } from "pino";
import type { ButtonPress, ChatAddress, Choice, Delivery, FileMessage, OutboundMessage } from "../types.ts";
import { isEntityRefusal, isNotModified, type ApiAnswer, type ApiFailure } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";
import {
  buildEditText,
  buildKeyboard,
  buildSendDocument,
  buildSendPhoto,
  buildSendMessage,
  callbackDataLimit,
  type SendExtras,
} from "./build-payload.ts";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import type { LivePreview } from "./live-preview.ts";
import { tidyEntities, type FormattedText } from "../markdown/tidy-entities.ts";

const requestLimitMs = 30_000;
/** A file of 50 MB on a slow line. */
const uploadLimitMs = 300_000;
const toastLimit = 200;
/** Waiting times after requests without an answer, one after another. */
const retrySteps = [2_000, 5_000, 10_000, 30_000, 60_000];
/** The token was refused; the message waits for a new one. */
const unauthorizedRetryMs = 60_000;

interface MessagePart {
  readonly text: string;
  readonly index: number;
  readonly last: boolean;
}

/** The state of a sent message. */
type SentMessage = Pick<Extract<Delivery, { kind: "sent" }>, "messageId" | "sentAt">;

export interface MessageSender {
  readonly send: (message: OutboundMessage, part: MessagePart, previewId?: string) => Promise<Delivery>;
  readonly sendFile: (message: FileMessage, path: string) => Promise<Delivery>;
  readonly close: (address: ChatAddress, messageId: string, text: string) => Promise<Delivery>;
  readonly remove: (address: ChatAddress, messageId: string) => Promise<Delivery>;
  readonly relabel: (address: ChatAddress, messageId: string, choices: readonly Choice[]) => Promise<Delivery>;
  readonly answerPress: (press: ButtonPress, text: string) => Promise<void>;
}

/** Finished messages on their way out. The outbox repeats what comes back as `later`; nothing is retried in here. */
export function createMessageSender(options: { api: BotApi; log: Logger; preview: LivePreview }): MessageSender {
  const { api, log, preview } = options;
  const limits = { timeoutMs: requestLimitMs };
  let unanswered = 0;

  async function edit(
    address: ChatAddress,
    messageId: string,
    content: FormattedText,
    keyboard?: InlineKeyboardMarkup,
  ) {
    const answer = await api.call("editMessageText", buildEditText(address, messageId, content, keyboard), limits);
    return isNotModified(answer) ? ({ kind: "ok", value: true } as const) : answer;
  }

  async function remove(address: ChatAddress, messageId: string): Promise<Delivery> {
    const payload = { chat_id: Number(address.chat), message_id: Number(messageId) };
    const answer = await api.call("deleteMessage", payload, limits);
    const isGone = answer.kind === "refused" && answer.reason.includes("message to delete not found");
    return answer.kind === "ok" || isGone ? { kind: "sent", messageId } : toFailedDelivery(answer, address);
  }

  /** A preview nothing finished became of, such as the last running tool before a question. */
  async function takeAway(address: ChatAddress, messageId: string): Promise<void> {
    const removed = await remove(address, messageId);
    if (removed.kind !== "sent") log.debug({ removed }, "a preview could not be deleted");
  }

  /** Style is never worth a lost message: where the server refuses the entities, the words go without. */
  async function withPlainRetry(
    content: FormattedText,
    attempt: (content: FormattedText) => Promise<ApiAnswer<SentMessage>>,
  ): Promise<ApiAnswer<SentMessage>> {
    const answer = await attempt(content);
    if (!isEntityRefusal(answer) || content.entities.length === 0) return answer;
    log.warn({ reason: "reason" in answer ? answer.reason : "" }, "entities were refused; sending plain text");
    return attempt({ text: content.text, entities: [] });
  }

  function toDelivery(answer: ApiAnswer<SentMessage>, address: ChatAddress): Delivery {
    if (answer.kind === "ok") {
      unanswered = 0;
      return { kind: "sent", ...answer.value };
    }
    return toFailedDelivery(answer, address);
  }

  function toFailedDelivery(failure: ApiFailure, address: ChatAddress): Delivery {
    switch (failure.kind) {
      case "refused":
        return { kind: "refused", reason: failure.reason };
      case "migrated":
        // Not sent on by itself: the new chat is another session, where nobody asked and no card of ours stands.
        return { kind: "refused", reason: `the group has become supergroup ${failure.chat}; write there again` };
      case "flood":
        preview.pause(address, failure.retryAfterMs);
        return { kind: "later", afterMs: failure.retryAfterMs, reason: failure.reason };
      case "unauthorized":
      case "conflict":
        return { kind: "later", afterMs: unauthorizedRetryMs, reason: failure.reason };
      case "stopped":
        return { kind: "later", afterMs: 0, reason: "the channel is stopping" };
      case "unreachable":
        break;
    }
    const afterMs = retrySteps[Math.min(unanswered, retrySteps.length - 1)] ?? unauthorizedRetryMs;
    unanswered += 1;
    return { kind: "later", afterMs, reason: failure.reason };
  }

  return {
    async send(message, part, previewId) {
      const { address } = message;
      const keyboard = part.last && message.choices?.length ? buildKeyboard(message.choices) : undefined;
      if (part.last && message.choices?.length && keyboard === undefined) {
        return { kind: "refused", reason: `a button needs a label and 1 to ${callbackDataLimit} bytes of data` };
      }
      const isLast = !message.partial && (message.kind === "reply" || message.error !== undefined);
      const opens = part.index === 0;
      const shownId =
        opens && message.turn !== undefined ? await preview.settle(address, message.turn, isLast) : undefined;
      const target = opens ? (previewId ?? (isLast ? shownId : undefined)) : undefined;
      const extras = buildExtras(message, part, keyboard);
      const content = formatPart(message, part.text);

      const answer = await withPlainRetry(content, async (content) => {
        if (target !== undefined) {
          const edited = await edit(address, target, content, keyboard);
          if (edited.kind === "ok") return { kind: "ok", value: { messageId: target, ...readTime(edited.value) } };
          // The preview may be deleted by now; the message itself must still arrive.
          if (edited.kind !== "refused" || isEntityRefusal(edited)) return edited;
        }
        const sent = await api.call("sendMessage", buildSendMessage(address, content, extras), limits);
        if (sent.kind !== "ok") return sent;
        return { kind: "ok", value: { messageId: String(sent.value.message_id), ...readTime(sent.value) } };
      });
      if (answer.kind === "ok" && opens && message.turn !== undefined) {
        preview.startAfresh(message.turn);
        if (shownId !== undefined && shownId !== target) await takeAway(address, shownId);
      }
      return toDelivery(answer, address);
    },

    async sendFile({ address, text, file, replyTo }, path) {
      const about = [address, text, Number(address.chat) < 0 ? replyTo : undefined] as const;
      const upload = { path, name: file.name };
      const uploadLimits = { timeoutMs: uploadLimitMs };
      const asPicture =
        file.picture === true && (await api.upload("sendPhoto", buildSendPhoto(...about), upload, uploadLimits));
      // Too large or too long for a photo: as a file it arrives all the same.
      const sent =
        asPicture && asPicture.kind !== "refused"
          ? asPicture
          : await api.upload("sendDocument", buildSendDocument(...about), upload, uploadLimits);
      if (sent.kind !== "ok") return toFailedDelivery(sent, address);
      return toDelivery(
        { kind: "ok", value: { messageId: String(sent.value.message_id), ...readTime(sent.value) } },
        address,
      );
    },

    remove,

    async close(address, messageId, text) {
      const answer = await withPlainRetry(tidyEntities(text.toWellFormed(), []), async (content) => {
        const edited = await edit(address, messageId, content);
        return edited.kind === "ok" ? { kind: "ok", value: { messageId } } : edited;
      });
      if (answer.kind === "refused") {
        // Where the text cannot be replaced, the buttons at least must go.
        const payload = {
          chat_id: Number(address.chat),
          message_id: Number(messageId),
          reply_markup: { inline_keyboard: [] },
        };
        const bare = await api.call("editMessageReplyMarkup", payload, limits);
        if (bare.kind === "ok" || isNotModified(bare)) return { kind: "sent", messageId };
      }
      return toDelivery(answer, address);
    },

    async relabel(address, messageId, choices) {
      const keyboard = buildKeyboard(choices);
      if (keyboard === undefined) return { kind: "refused", reason: "the buttons cannot be shown" };
      const place = { chat_id: Number(address.chat), message_id: Number(messageId) };
      const answer = await api.call("editMessageReplyMarkup", { ...place, reply_markup: keyboard }, limits);
      if (answer.kind === "ok" || isNotModified(answer)) return { kind: "sent", messageId };
      return toFailedDelivery(answer, address);
    },

    async answerPress(press, text) {
      const toast = text
        .slice(0, toastLimit)
        .toWellFormed()
        .replace(/\uFFFD$/, "");
      const payload = { callback_query_id: press.pressId, ...(toast === "" ? {} : { text: toast }) };
      const answer = await api.call("answerCallbackQuery", payload, limits);
      if (answer.kind !== "ok" && answer.kind !== "stopped")
        log.debug({ reason: answer.reason }, "a press could not be answered");
    },
  };
}

function formatPart({ plain, preformatted }: OutboundMessage, text: string): FormattedText {
  if (!plain) return formatMarkdown(text);
  const body = text.toWellFormed();
  return tidyEntities(body, preformatted ? [{ type: "pre", offset: 0, length: body.length }] : []);
}

/** When the text as it stands went out, by Telegram's clock. */
function readTime(message: true | { readonly date: number; readonly edit_date?: number }): { sentAt?: number } {
  return message === true ? {} : { sentAt: (message.edit_date ?? message.date) * 1_000 };
}

/** A question without buttons in a group asks for a reply: with privacy mode on nothing else would reach us. */
function buildExtras(
  message: OutboundMessage,
  part: MessagePart,
  keyboard: InlineKeyboardMarkup | undefined,
): SendExtras {
  const inGroup = Number(message.address.chat) < 0;
  const asksForReply = inGroup && message.kind === "question" && part.last && keyboard === undefined;
  const quotes = inGroup && message.replyTo !== undefined && (part.index === 0 || asksForReply);
  return {
    ...(quotes && message.replyTo !== undefined ? { replyTo: message.replyTo } : {}),
    ...(keyboard === undefined ? {} : { replyMarkup: keyboard }),
    ...(asksForReply ? { replyMarkup: { force_reply: true, selective: true } } : {}),
  };
}
