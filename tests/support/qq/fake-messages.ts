import { randomUUID } from "node:crypto";
import type { FakeFiles } from "./fake-files.ts";
import { refuse, type FakeAnswer, type FakeBotMessage, type FakeChatName, type FakeQqBotSettings } from "./qq-types.ts";

/** Something that replies may answer. */
interface Trigger {
  readonly chat: FakeChatName;
  readonly at: number;
  readonly most: number;
  readonly seqs: Set<number>;
  replies: number;
}

export interface FakeMessages {
  /** A message of a person, or a press. */
  addTrigger(id: string, chat: FakeChatName, at: number): void;
  /** A message of a person; answers how quotes name it. */
  addMessage(id: string, text: string): string;
  referenceOf(messageId: string): string | undefined;
  textOf(messageId: string): string;
  send(chat: FakeChatName, body: Readonly<Record<string, unknown>>): FakeAnswer;
  recall(chat: FakeChatName, messageId: string): FakeAnswer;
  stream(chat: FakeChatName, body: Readonly<Record<string, unknown>>): FakeAnswer;
  readonly sent: readonly FakeBotMessage[];
}

const recallMs = 2 * 60_000;
const windows = { user: 60 * 60_000, other: 5 * 60_000 };
const address = /(?:https?:\/\/|(?<![\w@.])(?:[a-z0-9-]+\.)+(?:com|net|org|cn|io|example)\b)/i;
const ringing = /<@|<#|<emoji:|<qqbot-/i;

/** What one bot may say where: the rules of the send calls, as its documentation of September 2026 has them. */
export function createFakeMessages(parts: {
  readonly settings: FakeQqBotSettings;
  readonly files: FakeFiles;
  readonly now: () => number;
  readonly onSent: (message: FakeBotMessage) => void;
}): FakeMessages {
  const { settings, files, now } = parts;
  const triggers = new Map<string, Trigger>();
  const references = new Map<string, string>();
  const texts = new Map<string, string>();
  const times = new Map<string, number>();
  const sent: FakeBotMessage[] = [];
  const streams = new Map<
    string,
    { message: FakeBotMessage; raw: string; index: number; seq: number; trigger: string }
  >();
  let count = 0;

  function nameNew(text: string): { readonly id: string; readonly reference: string } {
    count += 1;
    const id = `ROBOT1.0_${count}_${randomUUID()}`;
    const reference = `REFIDX_${count}_${randomUUID()}==`;
    references.set(id, reference);
    texts.set(id, text);
    times.set(id, now());
    return { id, reference };
  }

  /** undefined = it may be sent. */
  function judgeTrigger(chat: FakeChatName, body: Readonly<Record<string, unknown>>): FakeAnswer | undefined {
    const { msg_id: messageId, event_id: eventId, msg_seq: seq = 1 } = body;
    if (messageId !== undefined && eventId !== undefined) return refuse(40034024);
    const isEvent = messageId === undefined;
    const id = messageId ?? eventId;
    if (id === undefined) return settings.allowsActive ? undefined : refuse(40034105);
    const trigger = triggers.get(toText(id));
    if (trigger?.chat !== chat) return refuse(isEvent ? 40034025 : 40034024);
    const windowMs = chat.startsWith("private:") ? windows.user : windows.other;
    if (now() - trigger.at > windowMs) return refuse(isEvent ? 40034026 : 40034005);
    if (isCounted(chat) && trigger.seqs.has(Number(seq))) return refuse(40054005);
    return trigger.replies >= trigger.most ? refuse(40034128) : undefined;
  }

  function useTrigger(chat: FakeChatName, body: Readonly<Record<string, unknown>>): string | undefined {
    const id = body["msg_id"] ?? body["event_id"];
    const trigger = id === undefined ? undefined : triggers.get(toText(id));
    if (trigger === undefined) return undefined;
    trigger.replies += 1;
    if (isCounted(chat)) trigger.seqs.add(Number(body["msg_seq"] ?? 1));
    return toText(id);
  }

  /** What it shows, or why it may not be sent. */
  function readBody(chat: FakeChatName, body: Readonly<Record<string, unknown>>) {
    const { content, markdown, keyboard, media, msg_type: type } = body;
    const inGuild = !isCounted(chat);
    const written = (markdown as { content?: unknown } | undefined)?.content;
    if (written !== undefined && content !== undefined) return refuse(22006);
    if (!inGuild && type !== (written !== undefined ? 2 : media === undefined ? 0 : 7)) return refuse(22006);
    if (media !== undefined) {
      const file = files.find((media as { file_info?: unknown }).file_info, chat);
      return file === undefined ? refuse(304080) : { text: "", isMarkdown: false, buttons: [], file };
    }
    const text = written ?? content;
    if (typeof text !== "string" || text.trim() === "") return refuse(50006);
    if (text.length > settings.longestText) return refuse(40054007);
    if (written !== undefined && !settings.allowsMarkdown) return refuse(inGuild ? 50056 : 304036);
    if (keyboard !== undefined && written === undefined) return refuse(50037);
    if (!chat.startsWith("private:") && address.test(text)) return refuse(inGuild ? 304003 : 40054010);
    const buttons = readButtons(keyboard);
    if (buttons === undefined) return refuse(305007);
    const isMarkdown = written !== undefined;
    return { text: isMarkdown ? unescape(text) : text, isMarkdown, buttons, file: undefined };
  }

  return {
    sent,
    referenceOf: (id) => references.get(id),
    textOf: (id) => texts.get(id) ?? "",

    addTrigger(id, chat, at) {
      const most = /^(?:INTERACTION|FRIEND_ADD|C2C_MSG|GROUP_ADD|GROUP_MSG)/.test(id)
        ? 1
        : chat.startsWith("private:")
          ? 4
          : 5;
      triggers.set(id, { chat, at, most, seqs: new Set(), replies: 0 });
    },

    addMessage(id, text) {
      const reference = `REFIDX_${randomUUID()}==`;
      references.set(id, reference);
      texts.set(id, text);
      return reference;
    },

    send(chat, body) {
      const refused = judgeTrigger(chat, body);
      if (refused) return refused;
      const shown = readBody(chat, body);
      if ("status" in shown) return shown;
      const quotedBy = (body["message_reference"] as { message_id?: unknown } | undefined)?.message_id;
      const quoted = [...references].find(([id, reference]) => quotedBy === (isCounted(chat) ? reference : id))?.[0];
      if (quotedBy !== undefined && quoted === undefined) return refuse(304061);
      const { id, reference } = nameNew(shown.text);
      const raw = JSON.stringify(body);
      const message: FakeBotMessage = {
        messageId: id,
        chat,
        text: shown.text,
        answers: useTrigger(chat, body),
        seq: body["msg_seq"] as number | undefined,
        quoted,
        isMarkdown: shown.isMarkdown,
        buttons: shown.buttons,
        ...(shown.file && { file: shown.file }),
        rings: ringing.test(raw),
        pieces: 1,
        isWhole: true,
      };
      sent.push(message);
      parts.onSent(message);
      return {
        status: 200,
        body: { id, timestamp: new Date(now()).toISOString(), ext_info: { ref_idx: reference } },
      };
    },

    recall(chat, messageId) {
      const at = sent.findIndex((message) => message.chat === chat && message.messageId === messageId);
      if (at < 0) return refuse(306002);
      if (now() - (times.get(messageId) ?? 0) > recallMs) return refuse(306004);
      sent.splice(at, 1);
      return { status: 200, body: {} };
    },

    stream(chat, body) {
      if (!settings.allowsStreams) return refuse(0, 404);
      if (!chat.startsWith("private:")) return refuse(12002);
      const {
        index,
        input_state: state,
        content_raw: raw,
        stream_msg_id: streamId,
        msg_seq: seq,
        msg_id: trigger,
      } = body;
      if (typeof raw !== "string" || raw === "" || (state !== 1 && state !== 10)) return refuse(12002);
      if (streamId === undefined) {
        if (index !== 0) return refuse(12002);
        const refused = judgeTrigger(chat, body);
        if (refused) return refused;
        const { id, reference } = nameNew(raw);
        const message: FakeBotMessage = {
          messageId: id,
          chat,
          text: unescape(raw),
          answers: useTrigger(chat, body),
          seq: seq as number | undefined,
          quoted: undefined,
          isMarkdown: true,
          buttons: [],
          rings: ringing.test(raw),
          pieces: 1,
          isWhole: state === 10,
        };
        sent.push(message);
        streams.set(id, { message, raw, index: 0, seq: Number(seq), trigger: String(trigger) });
        if (message.isWhole) parts.onSent(message);
        return {
          status: 200,
          body: { id, timestamp: new Date(now()).toISOString(), ext_info: { ref_idx: reference } },
        };
      }
      const stream = streams.get(toText(streamId));
      if (stream === undefined || stream.message.isWhole || stream.message.chat !== chat) return refuse(12002);
      if (index !== stream.index + 1 || seq !== stream.seq || trigger !== stream.trigger) return refuse(12002);
      if (!raw.startsWith(stream.raw)) return refuse(40007);
      Object.assign(stream, { raw, index });
      stream.message.text = unescape(raw);
      texts.set(stream.message.messageId, stream.message.text);
      stream.message.pieces += 1;
      stream.message.isWhole = state === 10;
      if (stream.message.isWhole) parts.onSent(stream.message);
      return { status: 200, body: { id: streamId, timestamp: new Date(now()).toISOString() } };
    },
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Guilds count replies without a number. */
export function isCounted(chat: FakeChatName): boolean {
  return !chat.startsWith("channel:") && !chat.startsWith("direct:");
}

function unescape(markdown: string): string {
  return markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
}

function readButtons(keyboard: unknown): readonly { label: string; data: string }[] | undefined {
  if (keyboard === undefined) return [];
  const rows = (keyboard as { content?: { rows?: unknown } }).content?.rows;
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > 5) return undefined;
  const buttons = rows.flatMap(
    (row: { buttons?: unknown }) => row.buttons as Record<string, Record<string, unknown>>[],
  );
  const isFine = buttons.every(({ id, render_data: shown, action }) => {
    const label = toText(shown?.["label"]);
    const permission = (action?.["permission"] as { type?: unknown } | undefined)?.type;
    const isKnown = action?.["type"] === 1 && [0, 1, 2].includes(Number(permission));
    return id !== undefined && label !== "" && label.length <= 10 && isKnown && typeof action?.["data"] === "string";
  });
  const ids = new Set(buttons.map(({ id }) => toText(id)));
  if (!isFine || ids.size !== buttons.length || rows.some((row: { buttons: unknown[] }) => row.buttons.length > 5))
    return undefined;
  return buttons.map(({ render_data: shown, action }) => ({
    label: toText(shown?.["label"]),
    data: toText(action?.["data"]),
  }));
}
