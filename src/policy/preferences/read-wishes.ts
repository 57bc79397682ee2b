import { createHash } from "node:crypto";
import type { Preference } from "../../store/queries/preferences.ts";
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
  /(?:以后|今后|往后|从现在(?:起|开始)|从今(?:天|以后)起?)[^,,。]{1,12}?(?:都|只|一律|统一|全部|默认)(?:要|用|写|存|放|保存|输出|导出|给|列|翻译|起名|命名|按|以).*/u,
  /^(?:请|麻烦|拜托)?(?:你)?(?:别|不要)(?:再|总是?|老是?|每次).+/u,
  /(?:搜索|搜|查|结果|列).{0,10}?(?:\d{1,2}|[一二两三四五六七八九十])\s*(?:条|个|项)(?:就行|就够|就好|即可|够了|就可以)/u,
  /^(?:please,? )?(?:from now on|going forward|in (?:the )?future|next time|by default)\b.+/iu,
  /^(?:please )?(?:always|never) (?:use|answer|reply|respond|give|write|speak|show|search|send|keep|add|put|save|store|name|call|start|end|ask|include|list|translate|make|be)\b.+/iu,
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

/** Nothing that opens a door is noted, whoever says it. */
const secret =
  /密码|口令|验证码|私钥|令牌|\b(?:pass(?:word|phrase|code)?|pin code|secret|token|api[ _-]?key|private key|otp)\b|パスワード|暗証|秘密鍵/iu;

/** Why a text is no note on how somebody likes things; undefined = it may be one. */
export function findUnfit(text: string): "permission" | "secret" | undefined {
  const plain = text.normalize("NFKC");
  if (permission.test(plain)) return "permission";
  return secret.test(plain) ? "secret" : undefined;
}

const folder =
  /(?:写|存|放|保存|输出|导出|整理)(?:到|进|在|入)|文件夹|目录|\b(?:folder|directory)\b|\b(?:write|save|put|store|keep)\b.*\b(?:in|into|to|under)\b|フォルダ|に(?:保存|書い|入れ)/iu;
/** One may want reports in one folder and scripts in another. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ["reports", /报告|报表|\breports?\b|レポート|報告/iu],
  ["scripts", /脚本|代码|\b(?:scripts?|code)\b|スクリプト|コード/iu],
  ["pictures", /图片|截图|照片|\b(?:pictures?|images?|screenshots?)\b|画像|写真/iu],
  ["notes", /笔记|\bnotes?\b|メモ/iu],
  ["logs", /日志|\blogs?\b|ログ/iu],
];

const topics: readonly (readonly [string, RegExp])[] = [
  ["name", /叫我|称呼|\bcall me\b|と呼んで/iu],
  ["file-names", /文件名|命名|起名|\bfile ?names?\b|\bname (?:the |all |my )?files?\b|ファイル名/iu],
  ["folder", folder],
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
];

/** The wishes in what a person wrote themselves. No model is asked: what is not clear is no wish. */
export function readWishes(message: string): readonly Wish[] {
  if (message.length > longestMessage) return [];
  return message
    .normalize("NFKC")
    .split(/(?<=[。!?！？;；\n])|(?<=\.)\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => !passing.test(sentence) && findUnfit(sentence) === undefined)
    .flatMap((sentence) => {
      const text = sentence.replace(/[。.!,,;;]+$/u, "").trim();
      if (text === "" || text.length > preferenceLimits.characters) return [];
      return lasting.some((pattern) => pattern.test(text)) ? [{ key: keyOfWish(text), text }] : [];
    });
}

/** Two wishes about the same thing have the same key, so the later one replaces the earlier; others stand beside each other. */
export function keyOfWish(text: string): string {
  const topic = topics.find(([, pattern]) => pattern.test(text))?.[0];
  if (topic === undefined) return `said:${createHash("sha256").update(text.toLowerCase()).digest("hex").slice(0, 16)}`;
  const kind = topic === "folder" ? kinds.find(([, pattern]) => pattern.test(text))?.[0] : undefined;
  return `said:${topic}${kind === undefined ? "" : `.${kind}`}`;
}

/** Options of tools that people also have words for. */
const wordedOptions: Readonly<Record<string, string>> = { "web_search.max_results": "search-count" };

/** The notes that a new one takes the place of, because they say otherwise about the same. */
export function listContradicted(key: string, all: readonly Preference[]): readonly string[] {
  const topic = topicOf(key);
  if (topic === undefined) return [];
  // What was settled for one tool says nothing about another.
  const isSaid = key.startsWith("said:");
  return all
    .filter((one) => one.key !== key && topicOf(one.key) === topic && (isSaid || one.key.startsWith("said:")))
    .map((one) => one.key);
}

function topicOf(key: string): string | undefined {
  const [, kind, rest = ""] = /^(said|choice|option):(.+)$/s.exec(key) ?? [];
  if (kind === "option") return wordedOptions[rest];
  if (kind === "said") return rest;
  const topic = kind === "choice" ? rest.slice(rest.lastIndexOf(".") + 1) : undefined;
  return topic === "ending" ? "format" : topic;
}
