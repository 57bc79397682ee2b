import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Store } from "../../store/open-store.ts";
import { endPassiveReply, holdText, listHeldTexts, recordUnaskedMessage } from "../../store/queries/passive-replies.ts";
import { renderText } from "../markdown/render-text.ts";
import { createOutagePause } from "../outage-pause.ts";
import { toSessionId } from "../session-id.ts";
import type { ButtonPress, ChatAddress, Delivery, FileMessage, OutboundMessage } from "../types.ts";
import { readRefusal, type ApiAnswer } from "./api-answer.ts";
import { buildContent, wantsStyle, type MessageText, type SendStyle } from "./build-send.ts";
import { pathOf, readChat, type QqChat } from "./chat.ts";
import type { LiveStream } from "./live-stream.ts";
import type { QqApi } from "./qq-api.ts";
import { nameTrigger, readCause, type ReplySlot, type ReplyWindows } from "./reply-windows.ts";
import type { References } from "./resolve-quote.ts";
import type { UploadFile } from "./upload-file.ts";

interface MessagePart {
  readonly text: string;
  readonly index: number;
  readonly last: boolean;
}

export interface MessageSender {
  readonly send: (message: OutboundMessage, part: MessagePart, previewId?: string) => Promise<Delivery>;
  readonly sendFile: (message: FileMessage, path: string) => Promise<Delivery>;
}

const unauthorizedMs = 60_000;
const mutedMs = 30_000;
const unstyledMs = 30 * 60_000;
/** Each refusal is answered by another way of saying it, or by another reply to answer. */
const maxTries = 12;
/** An early message must leave one reply for the result. */
const replyAndResult = 2;
/** Characters of held texts that one message takes along. */
const maxHeld = 2_000;

const sent = z.object({
  id: z.string().max(500).catch(""),
  timestamp: z
    .union([z.string().max(64), z.number()])
    .optional()
    .catch(undefined),
  ext_info: z
    .object({ ref_idx: z.string().max(300) })
    .optional()
    .catch(undefined),
});

/** The fields of a request beside the event it answers. */
type Body = (style: SendStyle, isLastReply: boolean) => object;

/** Finished messages on their way out. The outbox repeats what comes back as `later`, under the same number. */
export function createMessageSender(parts: {
  readonly api: QqApi;
  readonly windows: ReplyWindows;
  readonly references: References;
  readonly stream: LiveStream;
  readonly upload: UploadFile;
  readonly store: Pick<Store, "main">;
  /** She may say something that answers nobody. */
  readonly proactive: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}): MessageSender {
  const { api, windows, references, stream, store, clock, log } = parts;
  /** Chats that refused Markdown: guilds, and bots that may not use it. One bad text must not take buttons away for good. */
  const unstyled = new Map<QqChat["scene"], number>();
  const outage = createOutagePause();

  /** One request as often as it takes. `wanted.atLeast` replies must be left. */
  async function deliver(
    wanted: {
      readonly message: OutboundMessage;
      readonly part: number;
      readonly atLeast: number;
      readonly isStyled: boolean;
      readonly isQuoted: boolean;
    },
    body: Body,
  ): Promise<Delivery | { readonly kind: "held" }> {
    const { message, part, atLeast } = wanted;
    const { address } = message;
    const chat = readChat(address.chat);
    const path = `${pathOf(chat)}/messages`;
    let style: SendStyle = {
      isStyled: wanted.isStyled && clock.now() >= (unstyled.get(chat.scene) ?? 0),
      isQuoted: wanted.isQuoted,
      addresses: 0,
    };
    for (let tries = 0; tries < maxTries; tries += 1) {
      const taken = await windows.take({ address, outbox: message.id, part, cause: readCause(message), atLeast });
      if (taken.kind === "sent") return { kind: "sent", messageId: taken.messageId };
      if (taken.kind === "held") return taken;
      if (taken.kind === "none" && !parts.proactive()) return { kind: "absent" };
      const slot = taken.kind === "slot" ? taken.slot : undefined;
      const answers = slot === undefined ? {} : nameTrigger(slot, chat);
      const answer = await api.call("POST", path, { ...body(style, slot?.isLast === true), ...answers });
      if (answer.kind === "ok") return await finish(answer.value, slot, { message, part });
      if (answer.kind !== "refused") return await postpone(answer, slot, chat);

      const refusal = readRefusal(answer.code);
      log.debug({ reason: answer.reason, refusal, slot }, "QQ refused a message; it is tried in another way");
      if (refusal === "repeated" && slot?.isRepeated) return await finish({}, slot, { message, part });
      if (slot) await windows.failed(slot, refusal === "window");
      // It was begun before, and nobody can say any more whether it is out.
      if (refusal === "window" && slot?.isRepeated) return { kind: "unknown", reason: answer.reason };
      if (refusal === "unasked" || (refusal === "window" && slot === undefined)) return { kind: "absent" };
      if (refusal === "muted") return { kind: "later", afterMs: mutedMs, reason: answer.reason };
      const next = refusal === "window" || refusal === "repeated" ? style : changeStyle(style, refusal, message);
      if (next === undefined) return { kind: "refused", reason: answer.reason };
      if (style.isStyled && !next.isStyled) unstyled.set(chat.scene, clock.now() + unstyledMs);
      style = next;
    }
    return { kind: "later", afterMs: mutedMs, reason: "QQ refused it in every way" };
  }

  async function finish(
    value: unknown,
    slot: ReplySlot | undefined,
    of: { readonly message: OutboundMessage; readonly part: number },
  ): Promise<Delivery> {
    outage.over();
    const read = sent.safeParse(value).data ?? { id: "" };
    const reference = read.ext_info?.ref_idx ?? null;
    if (slot) await windows.sent(slot, { id: read.id, reference });
    else if (read.id !== "") await recordUnasked(of, read.id, reference);
    const sentAt = readTime(read.timestamp);
    return { kind: "sent", messageId: read.id, ...(sentAt !== undefined && { sentAt }) };
  }

  function recordUnasked(
    { message: { address, id }, part }: { readonly message: OutboundMessage; readonly part: number },
    message: string,
    reference: string | null,
  ): Promise<void> {
    const of = { account: address.account, session: toSessionId(address), outbox: id, part };
    return recordUnaskedMessage(store.main, { ...of, message, reference, now: clock.now() });
  }

  /** Nothing was refused: the same reply is sent again, and QQ takes its number only once. Guilds count no numbers. */
  async function postpone(
    answer: Exclude<ApiAnswer, { kind: "ok" | "refused" }>,
    slot: ReplySlot | undefined,
    { scene }: QqChat,
  ): Promise<Delivery> {
    const { reason } = answer;
    if (answer.kind === "flood") return { kind: "later", afterMs: answer.afterMs, reason };
    if (answer.kind === "unauthorized") return { kind: "later", afterMs: unauthorizedMs, reason, outage: true };
    const isCounted = slot !== undefined && (scene === "user" || scene === "group");
    if (!isCounted && answer.isUnsent !== true) {
      if (slot) await windows.sent(slot, { id: "", reference: null });
      return { kind: "unknown", reason };
    }
    return { kind: "later", afterMs: outage.next(), reason, ...(answer.isUnsent && { outage: true }) };
  }

  /** As many as one message takes along, the oldest first. */
  async function takeAlong(address: ChatAddress) {
    const held = await listHeldTexts(store.main, toSessionId(address));
    let length = 0;
    return held.filter(({ text }, index) => index === 0 || (length += text.length) <= maxHeld);
  }

  async function sendPart(message: OutboundMessage, part: MessagePart): Promise<Delivery> {
    const { address } = message;
    const isOnTheWay = message.partial === true && message.question === undefined;
    const held = part.index === 0 && !isOnTheWay ? await takeAlong(address) : [];
    const words = wordsFor(detectLanguage(message.text, undefined, "zh"));
    const text: MessageText = {
      message,
      text: part.text,
      before: held.map((one) => one.text),
      choices: part.last ? (message.choices ?? []) : [],
    };
    const quoted = part.index === 0 ? nameQuoted(message, references) : undefined;
    const delivery = await deliver(
      {
        message,
        part: part.index,
        atLeast: isOnTheWay ? replyAndResult : 1,
        isStyled: wantsStyle(text),
        isQuoted: quoted !== undefined,
      },
      (style, isLastReply) => ({
        ...buildContent({ ...text, ...(isLastReply && !part.last && { after: words.message.moreWaits }) }, style),
        ...(style.isQuoted && { message_reference: { message_id: quoted } }),
      }),
    );
    if (delivery.kind === "held") return { kind: "sent", messageId: "" };
    if (delivery.kind === "sent")
      for (const one of held) await endPassiveReply(store.main, one, { state: "sent", message: "", reference: null });
    if (delivery.kind !== "absent" || !isOnTheWay) return delivery;
    // The reply that is left is for the result, which takes these words along.
    const now = clock.now();
    const of = { account: address.account, session: toSessionId(address), outbox: message.id, part: part.index };
    await holdText(store.main, { ...of, text: message.plain ? part.text : renderText(part.text), now });
    return { kind: "sent", messageId: "" };
  }

  return {
    async send(message, part, previewId) {
      if (part.index === 0) {
        const ended = await stream.finish(message, part.text, previewId);
        if (ended !== undefined) return ended;
      }
      return sendPart(message, part);
    },

    async sendFile(message, path) {
      const { address, file, text } = message;
      const chat = readChat(address.chat);
      const uploaded = await parts.upload(chat, path, file);
      switch (uploaded.kind) {
        case "refused":
          return uploaded;
        case "failed":
          return await postpone(uploaded.answer, undefined, { scene: "user", id: "" });
        case "uploaded":
          break;
      }
      // Its caption is a message before it.
      if (text.trim() !== "") {
        const caption = await sendPart({ ...message, plain: true, partial: false }, { text, index: 0, last: true });
        if (caption.kind !== "sent") return caption;
      }
      const wanted = { message, part: 1, atLeast: 1, isStyled: false, isQuoted: false };
      const delivery = await deliver(wanted, () => ({ msg_type: 7, media: { file_info: uploaded.info } }));
      return delivery.kind === "held" ? { kind: "sent", messageId: "" } : delivery;
    },
  };
}

/** The next attempt; undefined = nothing helps. */
function changeStyle(style: SendStyle, refusal: string, { question }: OutboundMessage): SendStyle | undefined {
  if (refusal === "style") return style.isStyled ? { ...style, isStyled: false } : undefined;
  // A question hides nothing of what it is about.
  const most = question === undefined ? 2 : 1;
  if (refusal === "address")
    return style.addresses < most ? { ...style, addresses: style.addresses === 0 ? 1 : 2 } : undefined;
  return refusal === "other" && style.isQuoted ? { ...style, isQuoted: false } : undefined;
}

/** In groups what is answered is quoted, if its name for quotes is still known. */
function nameQuoted({ address, replyTo }: OutboundMessage, references: References): string | undefined {
  const { scene } = readChat(address.chat);
  if (replyTo === undefined || replyTo === "") return undefined;
  if (scene === "group") return references.find(replyTo);
  return scene === "channel" ? replyTo : undefined;
}

function readTime(timestamp: string | number | undefined): number | undefined {
  const time = typeof timestamp === "number" ? timestamp * 1_000 : Date.parse(timestamp ?? "");
  return Number.isFinite(time) ? time : undefined;
}

const removeAgainMs = 2_000;
/** Nothing of ours has this id (any more). Source: bot.q.qq.com/wiki, the errors of recalling. */
const unknownMessage = 306002;

/** Takes a message back; QQ lets a bot do so for two minutes. */
export function createRemoveMessage({ api }: { readonly api: QqApi }) {
  return async ({ chat }: ChatAddress, messageId: string): Promise<Delivery> => {
    const answer = await api.call("DELETE", `${pathOf(readChat(chat))}/messages/${encodeURIComponent(messageId)}`);
    if (answer.kind === "ok" || (answer.kind === "refused" && answer.code === unknownMessage))
      return { kind: "sent", messageId };
    if (answer.kind === "refused") return { kind: "refused", reason: answer.reason };
    const afterMs = answer.kind === "flood" ? answer.afterMs : removeAgainMs;
    return { kind: "later", afterMs, reason: answer.reason };
  };
}

/** How a press ended, as QQ can show it. Source: bot.q.qq.com/wiki, interaction callback. */
const pressCodes = { done: 0, failed: 1, over: 3, forbidden: 4 } as const;

/** QQ shows no text of ours to the presser, only one of its own for a code. */
export function createAnswerPress(parts: { readonly api: QqApi; readonly log: Logger }) {
  return async (press: ButtonPress, _text: string, result: keyof typeof pressCodes = "done"): Promise<void> => {
    const path = `/interactions/${encodeURIComponent(press.pressId)}`;
    const answer = await parts.api.call("PUT", path, { code: pressCodes[result] });
    if (answer.kind !== "ok") parts.log.debug({ reason: answer.reason }, "a press could not be answered");
  };
}
