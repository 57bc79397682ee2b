import { createHash } from "node:crypto";
import { preferenceLimits } from "./show-preferences.ts";

/** A lasting wish that a person has put into words. `key` = what it is about: a later wish about the same replaces it. */
export interface Wish {
  readonly key: string;
  readonly text: string;
}

/** A message that is longer is something they pasted, not something they ask for. */
const longestMessage = 400;

/** Said for good: "from now on", or that a certain number is enough. */
const lasting: readonly RegExp[] = [
  /(?:以后|今后|往后|从现在(?:起|开始)|从今(?:天|以后)起?|下次(?:起|开始)?|每次|默认)(?:你|都|就|请|也|要|别|不要|不用|给|用|只|先|说|写|回|叫|帮我|搜|查|的|[,,]).*/u,
  /^(?:请|麻烦|拜托)?(?:你)?(?:别|不要)(?:再|总是?|老是?|每次).+/u,
  /(?:搜索|搜|查|结果|列).{0,10}?(?:\d{1,2}|[一二两三四五六七八九十])\s*(?:条|个|项)(?:就行|就够|就好|即可|够了|就可以)/u,
  /^(?:please,? )?(?:from now on|going forward|in (?:the )?future|next time|by default)\b.+/iu,
  /^(?:please )?(?:always|never) (?:use|answer|reply|respond|give|write|speak|show|search|send|keep|add|put|call|start|end|ask|include|list|translate|make|be)\b.+/iu,
  /^(?:please )?(?:don't|do not|stop) .+(?:again|any ?more|every time|all the time)\b/iu,
  /\b(?:\d{1,2}|one|two|three|four|five|ten) (?:search )?results? (?:is|are|will be) (?:enough|fine|plenty)\b/iu,
  /^(?:今後|これから|次から|次回から|以後|毎回|いつも)(?:は|も|、)?.+(?:て|で|して|しないで|ください|お願い|頼む|使って)[。!!]?$/u,
  /(?:検索|結果).{0,8}\d{1,2}\s*(?:件|個)で(?:いい|十分|充分|OK)/iu,
];

/** These only sound like a wish: questions, conditions, stories about others, reminders. */
const passing =
  /[??]$|吗[。!!]?$|呢[。!!]?$|^(?:如果|要是|假如|万一)|怎么|为什么|什么时候|提醒|闹钟|叫醒|他说|她说|他们说|^(?:if|when|should|would|could|can|will|why|how)\b|\bremind\b|ですか|でしょうか|もし|リマインド/iu;

/** Nobody changes what may be done by a wish: that is what rules and answers to questions are for. */
const permission =
  /确认|確認|同意|批准|承认|承認|授权|权限|許可|许可|不用问|别问|不要问|不必问|直接(?:执行|运行|跑|删|做)|自动(?:执行|运行|批准)|\b(?:approv|permission|permit|allow|confirm|consent|authori[sz]e|without asking|don't ask|do not ask|never ask|stop asking|sudo|yes to)/iu;

const topics: readonly (readonly [string, RegExp])[] = [
  ["language", /简体|繁体|中文|英文|英语|日文|日语|\b(?:english|chinese|japanese)\b|日本語|英語|中国語/iu],
  [
    "search-count",
    /(?:搜|查|结果|検索|結果|search|result).*(?:\d|[一二两三四五六七八九十]).*(?:条|个|项|件|個|result)|\bresults? (?:is|are|will be)\b/iu,
  ],
  [
    "length",
    /简短|短一点|详细|长一点|啰嗦|一句话|字以内|\b(?:short|brief|concise|detailed|longer|shorter|verbose)\b|短く|詳しく|簡潔/iu,
  ],
  ["format", /表格|列表|markdown|代码块|\b(?:table|bullets?|list form)\b|表で|箇条書き/iu],
  ["name", /叫我|称呼|\bcall me\b|と呼んで/iu],
];

/** The wishes in what a person wrote themselves. No model is asked: what is not clear is no wish. */
export function readWishes(message: string): readonly Wish[] {
  if (message.length > longestMessage) return [];
  return message
    .normalize("NFKC")
    .split(/(?<=[。!?！？;；\n])|(?<=\.)\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => !passing.test(sentence) && !permission.test(sentence))
    .flatMap((sentence) => {
      const text = sentence.replace(/[。.!,,;;]+$/u, "").trim();
      if (text === "" || text.length > preferenceLimits.characters) return [];
      return lasting.some((pattern) => pattern.test(text)) ? [{ key: `said:${nameTopic(text)}`, text }] : [];
    });
}

function nameTopic(text: string): string {
  const topic = topics.find(([, pattern]) => pattern.test(text))?.[0];
  return topic ?? createHash("sha256").update(text.toLowerCase()).digest("hex").slice(0, 16);
}
