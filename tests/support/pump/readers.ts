import { readFeatureRows } from "./read-feature-rows.ts";
import { assumeMorning } from "../../../src/language/time/assume-morning.ts";
import { makePlainTool } from "../plain-tool.ts";
import { isOwnTalk, readExtracted } from "../../../src/features/memory/facts/read-extracted.ts";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { listMustKeep } from "../../../src/features/summaries/must-keep.ts";
import { extractSummary } from "../../../src/features/summaries/write-summary.ts";
import { parseCard } from "../../../src/core/persona/cards/character-card.ts";
import { nameFolder } from "../../../src/core/persona/cards/make-persona.ts";
import { personaOfCard } from "../../../src/core/persona/cards/persona-of-card.ts";
import { createMatchLorebook } from "../../../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../../../src/core/persona/lorebook/read-lorebook.ts";
import { createPromptOverlap, indexPrompt } from "../../../src/core/persona/find-prompt-overlap.ts";
import { disclosesAi } from "../../../src/core/persona/find-disclosure.ts";
import { createLanguageCheck } from "../../../src/core/persona/find-wrong-language.ts";
import { readReplyTable } from "../../../src/core/persona/tone/reply-table.ts";
import { createToneFinder } from "../../../src/core/persona/tone/tone-finder.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { createSentenceStream } from "../../../src/core/persona/sentence-stream.ts";
import { createReplyJudge } from "../../../src/core/persona/validate-reply.ts";
import { listAddresses } from "../../../src/core/named-addresses.ts";
import { takeOutTags } from "../../../src/core/name-with-tag.ts";
import { createScrubber } from "../../../src/core/scrub-secrets.ts";
import { joinSources } from "../../../src/core/taint.ts";
import { wordsFor } from "../../../src/core/words/words.ts";
import { readPerson } from "../../../src/channels/api/read-person.ts";
import { readParts } from "../../../src/channels/api/read-parts.ts";
import { readLabel } from "../../../src/channels/json-view.ts";
import { readAttachment } from "../../../src/channels/onebot/read-attachment.ts";
import { readContent } from "../../../src/channels/onebot/read-content.ts";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";
import { readAttachments } from "../../../src/channels/qq/read-attachments.ts";
import { readDispatch } from "../../../src/channels/qq/read-dispatch.ts";
import { breakCommands, escapeForQq, writeMarkdown } from "../../../src/channels/qq/write-markdown.ts";
import { formatMarkdown } from "../../../src/channels/markdown/format-markdown.ts";
import { nameAnswer } from "../../../src/channels/telegram/split-message.ts";
import { readUpdate } from "../../../src/channels/telegram/read-update.ts";
import { jsonlFormat } from "../../../src/features/chatlog/import/formats/jsonl.ts";
import { qqExporterTextFormat } from "../../../src/features/chatlog/import/formats/qq-exporter-text.ts";
import { qqTextFormat } from "../../../src/features/chatlog/import/formats/qq-text.ts";
import { toQqName } from "../../../src/features/chatlog/import/formats/to-qq-name.ts";
import { readOneBotText } from "../../../src/features/chatlog/import/formats/read-onebot-text.ts";
import { telegramFormat } from "../../../src/features/chatlog/import/formats/telegram.ts";
import { wechatTextFormat } from "../../../src/features/chatlog/import/formats/wechat-text.ts";
import type { ExportSurvey, ImportFormat } from "../../../src/features/chatlog/import/import-format.ts";
import { nameMedia } from "../../../src/features/chatlog/import/name-media.ts";
import { findSlot } from "../../../src/features/memory/people/find-slot.ts";
import { findOrder } from "../../../src/features/mcp/pins/find-order.ts";
import { onlyAsks } from "../../../src/features/chatlog/chat-log.ts";
import { classifyFailure } from "../../../src/models/classify-failure.ts";
import { createThoughtFilter } from "../../../src/models/hide-thoughts.ts";
import { noQuirks } from "../../../src/models/quirks.ts";
import { findRemedy } from "../../../src/models/read-refusal.ts";
import { ServerRefusal } from "../../../src/models/wire/server-refusal.ts";
import { hasSecondOrder } from "../../../src/models/offline/find-second-order.ts";
import { findWishes } from "../../../src/models/offline/find-wishes.ts";
import { readConversation } from "../../../src/models/offline/read-conversation.ts";
import { decodeText } from "../../../src/web/decode-text.ts";
import { cutLongTexts } from "../../../src/kernel/tools/cut-long-texts.ts";
import { fitDisplay } from "../../../src/kernel/tools/fit-display.ts";
import { fillAddress } from "../../../src/kernel/tools/fill-template.ts";
import { pickInherited } from "../../../src/features/mcp/connection/pick-inherited.ts";
import { mendSchema } from "../../../src/features/mcp/schemas/mend-schema.ts";
import { restoreNames } from "../../../src/features/mcp/schemas/name-properties.ts";
import { toToolResult } from "../../../src/features/mcp/to-tool-result.ts";
import { describeCatalogue } from "../../../src/features/skills/describe-catalogue.ts";
import { createSkillFinder } from "../../../src/features/skills/matching/find-skills.ts";
import { createSkillSearch } from "../../../src/features/skills/matching/search-skills.ts";
import { testArgument } from "../../../src/kernel/gate/test-argument.ts";
import { createNewestOutput } from "../../../src/kernel/tools/newest-output.ts";

type ReadText = (text: string) => unknown;

const sentRequest = {
  takeOutTags: [() => true],
  hasSecondOrder: ["files"],
  tools: ["time", "mcp__s__echo"],
  messages: 9,
  tokens: 900,
  toolTokens: 100,
  hasCalls: true,
  isShortest: false,
  kept: ["reasoning_content"],
  limitsOutput: true,
};
const serverTool = makePlainTool({ name: "mcp__notion__create_page", source: "mcp" });

const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the persona cannot be loaded");
const { persona } = loaded;
const systemPrompt = "You are Kurisu. Never say that you are a program. 你是牧濑红莉栖，绝不说自己是程序。".repeat(20);
const me = { id: "1", username: "kurisu_bot" };
const address = { platform: "telegram", account: "1", chat: "1", thread: null };
const outbound = { id: "1", kind: "reply", address, plain: true } as const;

// Learnt before it is timed.
createToneFinder(persona, { acted: false }).ofReply("what is learnt once");
const judge = createReplyJudge(persona, indexPrompt(systemPrompt), { acted: false });

/** A reply that arrives in the small pieces of a model. */
function streamReply(text: string): void {
  const stream = createSentenceStream({ judge, onText: () => undefined });
  for (let at = 0; at < text.length; at += 24) stream.push(text.slice(at, at + 24));
  stream.end();
}

const update = (text: string) => ({
  update_id: 1,
  message: {
    message_id: 2,
    date: 1,
    chat: { id: 3, type: "private" },
    from: { id: 3, first_name: text.slice(0, 64) },
    text,
  },
});
const event = (text: string) => ({
  post_type: "message",
  message_type: "private",
  time: 1,
  self_id: 1,
  user_id: 2,
  message_id: 3,
  sender: { nickname: text },
  message: [{ type: "text", data: { text } }],
});

const qqMessage = (text: string) => ({
  id: "m",
  content: text,
  group_openid: "g",
  author: { member_openid: "a", username: text },
  mentions: [{ id: "b", username: text }],
  message_scene: { ext: [text.slice(0, 2_000)] },
  msg_elements: [{ content: text }],
});

/** An export that holds the text in every place, and the text alone, with which it may begin. */
function readExports(format: ImportFormat, write: (text: string) => string): ReadText {
  return (text) => {
    for (const whole of [write(text), text]) {
      const survey: ExportSurvey = { head: whole.slice(0, 32_768) };
      format.recognises(survey);
      const reader = format.open(() => undefined, { zone: "UTC" }, survey);
      reader.push(whole);
      reader.end();
    }
  };
}

/** Modules whose text is not the first argument of an export, or whose expressions another module runs. */
export const adapters: Readonly<Record<string, ReadText>> = {
  ...(await readFeatureRows<ReadText>("adapters")),
  "features/summaries/write-summary.ts": (text) => {
    const message = { role: "user", text, senderId: "a", senderName: "a" } as const;
    const place = { id: 1, position: 1, turn: null, taint: "user", at: 0, tokens: 1 } as const;
    return extractSummary([{ ...place, message }], listMustKeep([{ message }]), 500);
  },
  "features/memory/facts/read-extracted.ts": (text) => {
    const batch = [{ log: 1, name: "a", text, taint: "user", saidAt: 1 }] as const;
    isOwnTalk(text);
    readExtracted(text, batch);
    return readExtracted(
      JSON.stringify({ facts: [{ message: 1, category: "fact", content: text.slice(0, 200) }] }),
      batch,
    );
  },
  "core/persona/cards/make-persona.ts": (text) => nameFolder(text),
  "core/persona/cards/persona-of-card.ts": (text) => {
    const instructions = { system_prompt: text, post_history_instructions: text };
    const data = { name: "Mira", description: text, first_mes: text, mes_example: text, ...instructions };
    const card = parseCard({ spec: "chara_card_v3", data });
    return card.kind === "card" && personaOfCard(card.card, { prompts: true, random: () => 0 });
  },
  "core/persona/disclosure-en.ts": (text) => disclosesAi(text),
  "core/persona/disclosure-ja.ts": (text) => disclosesAi(text),
  "core/persona/disclosure-zh.ts": (text) => disclosesAi(text),
  "core/persona/lorebook/key-finder.ts": (text) => {
    const keys = ["a", "aa", "aaa", "ab", text.slice(0, 200)];
    const read = readLorebook({ entries: [{ keys, content: text, extensions: { match_whole_words: true } }] });
    const talk = { messages: [text], count: 1, replies: 0, chance: () => 0 };
    return read.kind === "lorebook" && createMatchLorebook(read.lorebook)(talk);
  },
  "core/persona/lorebook/read-key.ts": (text) =>
    readLorebook({
      entries: [{ keys: [text.slice(0, 300), `/${text.slice(0, 290)}/`], content: `@@depth 4\n${text}` }],
    }),
  "core/persona/find-prompt-overlap.ts": (text) => createPromptOverlap(indexPrompt(systemPrompt)).copies("", text),
  "core/persona/find-wrong-language.ts": (text) =>
    createLanguageCheck({ language: "zh", last: text, wishes: text })(text),
  "core/persona/tone/reply-table.ts": (text) => readReplyTable(text),
  "core/persona/tone/tone-finder.ts": (text) => createToneFinder(persona, { acted: false, last: text }).ofReply(text),
  "core/persona/validate-reply.ts": streamReply,
  "features/skills/describe-catalogue.ts": (text) =>
    describeCatalogue([{ id: "x", name: "x", description: text, origin: "shared" }], { tokens: 1200 }),
  "features/skills/matching/search-skills.ts": (text) => {
    const trigger = { keywords: [text], topics: [] };
    return createSkillSearch([{ id: "x", name: text, description: text, context: text, sentences: [text], trigger }])(
      text,
    );
  },
  "features/skills/matching/find-skills.ts": (text) => {
    const trigger = { keywords: ["date", "日期", text.slice(0, 40)], topics: ["a"] };
    const skill = { id: "dates", name: "dates", description: text, context: text, sentences: [], trigger };
    const finder = createSkillFinder([{ ...skill, origin: "config" }], { taught: new Set() });
    finder.explain("dates", text);
    return finder.weigh(text);
  },
  "kernel/tools/fit-display.ts": (text) => {
    const shown = { kind: "table", header: [text], rows: [[text]] } as const;
    fitDisplay({ ok: true, output: null, display: shown }, { asked: false });
    return fitDisplay({ ok: true, output: null, display: { kind: "diff", text } }, { asked: false });
  },
  "language/time/assume-morning.ts": (text) => assumeMorning({ clocks: [{ clock: { hour: 7, minute: 0 } }] }, text),
  "core/named-addresses.ts": (text) => listAddresses(`https://a.example/${text}`),
  "core/name-with-tag.ts": (text) => takeOutTags(text, () => true, { growing: true }),
  "core/scrub-secrets.ts": createScrubber(["secret-value"]),
  "core/taint.ts": (text) => joinSources([text]),
  "channels/api/read-parts.ts": (text) =>
    readParts([
      { type: "text", text },
      { type: "image_url", image_url: { url: text } },
    ]),
  "channels/api/read-person.ts": (text) => readPerson({ get: () => text }, text),
  "channels/json-view.ts": (text) => readLabel(text),
  "channels/onebot/read-attachment.ts": (text) =>
    readAttachment({ type: "file", data: { file: text, file_size: text } }),
  "channels/onebot/read-content.ts": (text) => readContent([{ type: "text", data: { text } }], "1"),
  "channels/onebot/read-event.ts": (text) => readEvent(event(text), "1"),
  "channels/qq/read-attachments.ts": (text) => readAttachments([{ content_type: text, filename: text, url: text }], 0),
  "channels/qq/read-dispatch.ts": (text) =>
    readDispatch({ t: "GROUP_MESSAGE_CREATE", d: qqMessage(text) }, { appId: "1" }, 1),
  "channels/qq/write-markdown.ts": (text) => {
    writeMarkdown(formatMarkdown(text));
    return escapeForQq(breakCommands(text));
  },
  "channels/telegram/read-message.ts": (text) => readUpdate(update(text), me, 1),
  "channels/telegram/read-update.ts": (text) => readUpdate(update(text), me, 1),
  "features/chatlog/chat-log.ts": onlyAsks,
  "features/chatlog/import/formats/jsonl.ts": readExports(jsonlFormat, (text) =>
    JSON.stringify({ time: text, sender: text, name: text, text, chat: text, id: text }),
  ),
  "features/chatlog/import/formats/to-qq-name.ts": toQqName,
  "features/chatlog/import/formats/qq-exporter-text.ts": readExports(
    qqExporterTextFormat,
    (text) => `[QQChatExporter V5\n聊天名称: ${text}\n\n${text}:\n时间: 2026-01-01 10:00:00\n内容: ${text}\n`,
  ),
  "features/chatlog/import/formats/qq-text.ts": readExports(
    qqTextFormat,
    (text) => `消息对象:${text}\n\n2026-01-01 10:00:00 ${text}(12345)\n${text}\n\n2026-01-01 10:00:00 【a】${text}\n`,
  ),
  "features/chatlog/import/formats/read-onebot-text.ts": readOneBotText,
  "features/chatlog/import/formats/telegram.ts": readExports(telegramFormat, (text) => {
    const message = { id: 1, type: "message", date: "2026-01-01T10:00:00", from: text, from_id: text, text };
    return JSON.stringify({ name: text, type: "personal_chat", id: 1, messages: [message] });
  }),
  "features/chatlog/import/formats/wechat-text.ts": readExports(
    wechatTextFormat,
    (text) => `2026-01-01 10:00:00 ${text}\n${text}\n`,
  ),
  "features/chatlog/import/name-media.ts": (text) => nameMedia("image", text),
  "features/memory/people/find-slot.ts": (text) => {
    findSlot({ content: text, name: text.slice(0, 64) });
    return findSlot({ content: "", key: text, value: text });
  },
  "models/classify-failure.ts": (text) =>
    classifyFailure(new Error(text), { model: { provider: "openai", name: "m" }, now: 0, scrub: String }),
  "models/hide-thoughts.ts": (text) => {
    const thoughts = createThoughtFilter();
    for (let at = 0; at < text.length; at += 24) thoughts.add(text.slice(at, at + 24));
    return thoughts.end();
  },
  "models/read-refusal.ts": (text) => {
    const refusal = new ServerRefusal({ words: text, code: "", param: "", status: undefined }, 400);
    return findRemedy(refusal, sentRequest, noQuirks);
  },
  "models/offline/read-conversation.ts": (text) => readConversation([new HumanMessage(`<context>${text}`)]),
  "models/offline/find-second-order.ts": (text) => hasSecondOrder(text, "files"),
  "models/offline/rules/calculation.ts": findWishes,
  "models/offline/rules/chat-log.ts": findWishes,
  "models/offline/rules/clock.ts": findWishes,
  "models/offline/rules/files.ts": findWishes,
  "models/offline/rules/memory.ts": findWishes,
  "models/offline/rules/recall.ts": findWishes,
  "models/offline/rules/reminders.ts": findWishes,
  "models/offline/rules/shell.ts": findWishes,
  "kernel/tools/newest-output.ts": (text) => {
    const newest = createNewestOutput();
    newest.add(text);
    return newest.take(false).output;
  },
  "models/offline/rules/todo.ts": findWishes,
  "models/offline/rules/web.ts": findWishes,
  "models/offline/rules/writing.ts": findWishes,
  "channels/telegram/split-message.ts": (text) => nameAnswer({ ...outbound, text }),
  "kernel/tools/cut-long-texts.ts": (text) => cutLongTexts({ text }, 500, async () => undefined),
  "kernel/tools/fill-template.ts": (text) => fillAddress("https://a.example/{a}", { b: "{a}" }, { a: text }),
  "features/mcp/schemas/mend-pattern.ts": (text) =>
    mendSchema({ type: "object", properties: { a: { type: "string", pattern: text.slice(0, 200), format: text } } }),
  "features/mcp/connection/pick-inherited.ts": (text) => pickInherited({ UV_INDEX_URL: text, PATH: text }),
  "features/mcp/schemas/name-properties.ts": (text) =>
    restoreNames({ [text]: 1 }, { properties: { [text]: {}, a: {} } }),
  "features/mcp/pins/find-order.ts": (text) =>
    findOrder({ name: "a", description: text, inputSchema: { type: "object" }, annotations: {} }),
  "features/mcp/to-tool-result.ts": (text) =>
    toToolResult({ blocks: [{ kind: "text", text }], structured: { a: text, b: 1 }, isError: false }),
  "kernel/gate/test-argument.ts": (text) =>
    testArgument({ under: ["a/b"], host: ["*.a.b"], matches: ["*a*b*a*"] }, text),
  "web/decode-text.ts": (text) => decodeText(Buffer.from(text), `text/html; ${text}`),
};

/** Given behind its text to a reader that takes more. */
export const furtherArguments: Readonly<Record<string, readonly unknown[]>> = {
  toLine: [80],
  listChanges: ["0.1.0", "0.2.0"],
  fromField: ["a\r\nb\n"],
  takeOutTags: [() => true],
  hasSecondOrder: ["files"],
  searchLog: ["logFound"],
  changeCall: [{ name: "shell", arguments: { command: "ls" } }],
  fillAround: [{ char: "Mira", user: "you", random: () => 0 }],
  fillPlaceholders: [{ char: "Mira", user: "you", random: () => 0 }],
  addCode: ["K2"],
  claimsDeed: [{ looked: true, asked: true }],
  claimsOtherDeed: [true, []],
  isBeyondTools: [[]],
  isConsoleHost: [["bot.example"]],
  repeatsOpening: [["哼", "hmph"]],
  takeOutDecoration: [["emoji", "repeated-opening"]],
  findNamedTools: [[serverTool], { measure: () => 10, tokens: 1_000 }],
  rankByWords: [["create a page", "列出日程"], String],
  readCorrection: [[{ content: "我对花生过敏", value: "花生" }]],
  breakAddresses: [1],
  applyOnePatch: [{ hunks: [] }],
  chooseMediaType: ["notes.txt"],
  containsWord: ["date"],
  cutSegment: [0, undefined, true],
  cutText: [1_024],
  describeConnectionFault: [new Error("x")],
  detectLanguage: [undefined, "zh"],
  diffTexts: ["a\nb\n"],
  disclosesAi: [[]],
  fence: [false, String],
  fillAddress: [{}, {}],
  fillVariables: [{}],
  findBalancedEnd: [0, Infinity],
  findFileName: ["zh"],
  findLeftDoubt: [[], { isRepeated: true, hasDay: false }],
  findLost: [{ items: ["12", "a.b"], sentences: ["decided to go"] }],
  findNearMatch: ["a\nb"],
  findPlaces: ["Tokyo"],
  findReason: ["zh"],
  findText: ["aa"],

  isHost: ["*.a.b"],
  isNamed: [["红莉栖", "Kurisu"]],
  isSameToken: ["x"],
  judgeReply: [judge],
  lineOf: [5_000],
  markLines: [60],
  matchLineEnds: ["a\r\nb"],
  mentionsAnother: [["红莉栖", "Kurisu"]],
  nameTool: ["tool"],
  nameYou: [{ user: "owner", you: "你" }],
  narrowLines: [60],
  numberFileName: [2],
  quoteReminder: [String],
  readExtracted: [[]],
  readChoice: [{ name: "path", before: "a.txt", after: "out/a.txt" }],
  readEnglishTime: [0, "UTC"],
  opensBlockTag: [0, true],
  opensJson: [0, true],
  parseEntry: [""],
  parseMoment: ["UTC", 0],
  readPastTime: [{ now: 0, zone: "UTC" }],
  readQuestion: [["小明 anna"], { now: 0, zone: "UTC" }],
  readContent: [{ mentions: [], isMention: true, isEscaped: true }],
  readFields: [[{ name: "a", type: "string", required: true }], wordsFor("zh")],
  readMentions: [[{ type: "mention", offset: 0, length: 4 }], me],
  readOnePatch: ["notes.txt"],
  showExcerpt: ["zh"],
  showPayload: ["zh"],
  // So short that a quarter of the text is split, too.
  splitMarkdown: [100],
  splitText: [4_096],
  tameLinks: [[]],
  tellReason: ["zh"],
  toSafeFileName: ["file"],
};
