import type { InlineKeyboardMarkup, User } from "@grammyjs/types";
import type { Logger } from "pino";
import type { ButtonPress, Delivery, FileMessage, OutboundMessage } from "../types.ts";
import { isEntityRefusal, findLostPart, type ApiAnswer } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";
import {
  buildKeyboard,
  buildSendDocument,
  buildSendPhoto,
  buildSendMessage,
  callbackDataLimit,
  cutText,
  type SendExtras,
} from "./build-payload.ts";
import { readChat } from "./chat.ts";
import type { CardEdits } from "./card-edits.ts";
import { editMessage, readTime, requestLimitMs, withPlainRetry } from "./edit-message.ts";
import { isMarked } from "../../core/persona/mark-lines.ts";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import { createDeliveryJudge, type SentMessage } from "./judge-delivery.ts";
import type { LivePreview } from "./live-preview.ts";
import { isWholeAnswer, nameAnswer } from "./split-message.ts";
import { tidyEntities, type FormattedText } from "../markdown/tidy-entities.ts";

/** A file of 50 MB on a slow line. */
const uploadLimitMs = 300_000;
const toastLimit = 200;
const limits = { timeoutMs: requestLimitMs };
/** Previews that are known to be gone. */
const goneKept = 500;

interface MessagePart {
  readonly text: string;
  readonly index: number;
  readonly last: boolean;
}

export interface MessageSender {
  readonly send: (message: OutboundMessage, part: MessagePart, previewId?: string) => Promise<Delivery>;
  readonly sendFile: (message: FileMessage, path: string) => Promise<Delivery>;
  readonly answerPress: (press: ButtonPress, text: string) => Promise<void>;
}

/** Finished messages on their way out. The outbox repeats what comes back as `later`; nothing is retried in here. */
export function createMessageSender(options: {
  api: BotApi;
  log: Logger;
  preview: LivePreview;
  cards: Pick<CardEdits, "remove">;
}): MessageSender {
  const { api, log, preview, cards } = options;
  const judge = createDeliveryJudge();
  /** A message that has to wait is sent again later; it must not try to edit a preview that is gone each time. */
  const gone = new Set<string>();

  /** A long answer as a file, below its beginning. */
  async function sendWhole(message: OutboundMessage): Promise<Delivery> {
    const payload = buildSendDocument(message.address, "", undefined);
    const upload = { name: nameAnswer(message), content: Buffer.from(message.text) };
    const sent = await withoutLostPart(payload, (kept) =>
      api.upload("sendDocument", kept, upload, { timeoutMs: uploadLimitMs }),
    );
    return judge(toSentMessage(sent));
  }

  /** A topic or a quoted message may be gone by now: the words still arrive in the chat. */
  async function withoutLostPart<Sent extends object, Answer>(
    payload: Sent,
    send: (payload: Sent) => Promise<ApiAnswer<Answer>>,
  ): Promise<ApiAnswer<Answer>> {
    const answer = await send(payload);
    const lost = findLostPart(answer);
    if (lost === undefined || !Object.hasOwn(payload, lost)) return answer;
    log.info({ part: lost }, "a message goes once more without a part that is gone");
    const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => name !== lost)) as unknown as Sent;
    return withoutLostPart(kept, send);
  }

  return {
    async send(message, part, previewId) {
      const { address } = message;
      if (isWholeAnswer(message, part)) return sendWhole(message);
      const keyboard = part.last && message.choices?.length ? buildKeyboard(message.choices) : undefined;
      if (part.last && message.choices?.length && keyboard === undefined) {
        return { kind: "refused", reason: `a button needs a label and 1 to ${callbackDataLimit} bytes of data` };
      }
      const isLast = !message.partial && (message.kind === "reply" || message.error !== undefined);
      const opens = part.index === 0;
      const shown =
        opens && message.turn !== undefined ? await preview.settle(address, message.turn, isLast) : undefined;
      const shownId = shown?.messageId;
      const target = opens ? (previewId ?? (isLast ? shownId : undefined)) : undefined;
      const extras = buildExtras(message, part, keyboard);
      const content = formatPart(message, part);

      const answer = await withPlainRetry(content, log, async (content) => {
        const known = `${address.chat} ${target}`;
        if (target !== undefined && !gone.has(known)) {
          if (target === shownId && keyboard === undefined && shown?.shown === JSON.stringify(content))
            return { kind: "ok", value: { messageId: target } };
          const place = { address, messageId: target, ...(keyboard && { keyboard }) };
          const edited = await editMessage(api, place, content, "message");
          // The preview may be deleted by now; the message itself must still arrive.
          if (edited.kind !== "refused" || isEntityRefusal(edited)) return edited;
          if (gone.size >= goneKept) gone.clear();
          gone.add(known);
        }
        const payload = buildSendMessage(address, content, extras);
        const sent = await withoutLostPart(payload, (kept) => api.call("sendMessage", kept, limits));
        return toSentMessage(sent);
      });
      if (answer.kind === "ok" && opens && message.turn !== undefined) {
        preview.startAfresh(message.turn);
        // A preview that no finished message replaced, such as the last running tool before a question.
        if (shownId !== undefined && shownId !== target) await cards.remove(address, shownId);
      }
      return judge(answer);
    },

    async sendFile({ address, text, file, replyTo }, path) {
      const about = [address, text, readChat(address.chat).kind === "group" ? replyTo : undefined] as const;
      const upload = { path, name: file.name };
      const put = (method: "sendVoice" | "sendPhoto" | "sendDocument", payload: ReturnType<typeof buildSendPhoto>) =>
        withoutLostPart(payload, (kept) => api.upload(method, kept, upload, { timeoutMs: uploadLimitMs }));
      if (file.voice) {
        const spoken = await put("sendVoice", buildSendPhoto(...about));
        if (spoken.kind === "unreachable") return { kind: "unknown", reason: spoken.reason };
        return judge(toSentMessage(spoken));
      }
      const asPicture = file.picture === true && (await put("sendPhoto", buildSendPhoto(...about)));
      // Too large or too long for a photo: as a file it still arrives.
      const sent =
        asPicture && asPicture.kind !== "refused" ? asPicture : await put("sendDocument", buildSendDocument(...about));
      return judge(toSentMessage(sent));
    },

    async answerPress(press, text) {
      const toast = cutText(text, toastLimit);
      const payload = { callback_query_id: press.pressId, ...(toast === "" ? {} : { text: toast }) };
      const answer = await api.call("answerCallbackQuery", payload, limits);
      if (answer.kind !== "ok" && answer.kind !== "stopped")
        log.debug({ reason: answer.reason }, "a press could not be answered");
    },
  };
}

function toSentMessage(
  answer: ApiAnswer<{ readonly message_id: number; readonly date: number }>,
): ApiAnswer<SentMessage> {
  if (answer.kind !== "ok") return answer;
  return { kind: "ok", value: { messageId: String(answer.value.message_id), ...readTime(answer.value) } };
}

function formatPart(
  { plain, preformatted, folds, mention }: OutboundMessage,
  { index, text }: Pick<MessagePart, "index" | "text">,
): FormattedText {
  if (!plain) return folds ? foldQuotes(formatMarkdown(text)) : formatMarkdown(text);
  const body = text.toWellFormed();
  const calls =
    mention !== undefined && index === 0 && body.startsWith(mention.name) && /^\d{1,16}$/.test(mention.user);
  if (calls) {
    // The server asks for the id alone, and fills in the rest.
    const user = { id: Number(mention.user) } as User;
    return tidyEntities(body, [{ type: "text_mention", offset: 0, length: mention.name.length, user }]);
  }
  return tidyEntities(body, preformatted ? [{ type: "pre", offset: 0, length: body.length }] : []);
}

/** Lines of a quoted block that are shown unfolded. */
const maxOpen = 10;

/** Puts a quote that folds around each long block; within, it stays code, so that no address or name in it becomes a link. */
function foldQuotes({ text, entities }: FormattedText): FormattedText {
  const folded = entities.flatMap((entity): FormattedText["entities"] => {
    const { type, offset, length } = entity;
    const block = text.slice(offset, offset + length);
    const isLong = type === "pre" && isMarked(block) && block.split("\n").length > maxOpen;
    return isLong ? [{ type: "expandable_blockquote", offset, length }, entity] : [entity];
  });
  return { text, entities: folded };
}

/** A question without buttons in a group asks for a reply: with privacy mode on nothing else would reach us. */
function buildExtras(
  message: OutboundMessage,
  part: MessagePart,
  keyboard: InlineKeyboardMarkup | undefined,
): SendExtras {
  const inGroup = readChat(message.address.chat).kind === "group";
  const asksForReply = inGroup && message.kind === "question" && part.last && keyboard === undefined;
  const replyTo = inGroup && (part.index === 0 || asksForReply) ? message.replyTo : undefined;
  return {
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(keyboard === undefined ? {} : { replyMarkup: keyboard }),
    ...(asksForReply ? { replyMarkup: { force_reply: true, selective: true } } : {}),
  };
}
