import { createHash } from "node:crypto";
import { createScrubber } from "../../../core/scrub-secrets.ts";
import type { Preference } from "../queries/preferences.ts";
import { preferenceLimits } from "./show-preferences.ts";

/** A lasting wish that a person has put into words. `key` = what it is about: a later wish about the same replaces it. */
export interface Wish {
  readonly key: string;
  readonly text: string;
}

/** A message that is longer is something they pasted, not something they ask for. */
const maxMessageLength = 400;

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

/**
 * A wish does not change permissions: rules and answers to questions do that. It does not hand the word to another
 * person either. In doubt a wish is not noted.
 */
const permission: readonly RegExp[] = [
  /确认|確認|同意|批准|承认|承認|授权|权限|許可|许可|审批|審批|放行|默许|应允|直接(?:执行|运行|跑|删|做)|自动(?:执行|运行|批准|通过|答|回答|确)/u,
  /(?:不用|不要|不必|不需|不许|不准|不再|别|无需|无须|用不着|没必要|免|甭|省得|停止)[^,,。;;]{0,8}?(?:问|请示|征求|打扰|过问|报备|请求|核实|核对|检查)/u,
  /(?:跳过|绕过|略过|无视|忽略|省掉|省去|取消)[^,,。;;]{0,8}?(?:问|审|检查|步骤|提示|核|规则|限制|安全|警告)/u,
  /点(?:过|了|个)?头|答应|认可|(?:当作|当成|就当|当是|视为|视作|算作|算是|等于|默认)[^,,。;;]{0,4}?(?:我|可以|通过|允)|(?:替|代|帮)我(?:决定|做主|作主|拍板|回答|点|答|说)|(?:随便|任意|想)[^,,。;;]{0,4}?(?:跑|删|执行|运行|改)|你(?:说了算|自己(?:决定|做主|看着办))/u,
  /指示|指令|吩咐|照做|照办|听从|服从|遵从|遵照|(?:按|照|听|依|信)[^,,。;;]{0,8}?(?:网页|页面|网站|邮件|附件|链接|别人|他们|群里|结果)[^。;;]{0,8}?(?:说|写的|要求|做|执行|办)/u,
  /\b(?:approv|permission|permit|allow|confirm|consent|authori[sz]e|agree|accept(?:ed)?\b|granted?\b|obey|sudo|yolo|yes to|root\b|on my behalf|go ahead|as if i\b|instruct(?:ion|ed))/iu,
  /(?:^|\s)(?:-y|--?(?:yes|force|assume-?yes|no-?(?:confirm|prompt|ask|interactive)|non-?interactive|auto-?\w+|dangerously\S*|yolo))(?![\w-])/iu,
  /\b(?:without|don't|do not|never|stop|no need to|quit|avoid|skip|no more|not)\b.{0,16}?\b(?:ask(?:ing|ed)?|questions?|prompt(?:s|ing)?|bother(?:ing)?|check(?:s|ing)? with|wait(?:ing)? for me)\b/iu,
  /\b(?:skip|bypass|ignore|override|disable)\b.{0,16}?\b(?:rules?|checks?|limits?|warnings?|reviews?|safety|dialogs?|steps?)\b/iu,
  /\b(?:automatically|just|always|directly|freely) (?:run|execute|delete|remove|install|send it|say yes|answer yes|do)\b|\b(?:assume|treat|consider|count|take)\b.{0,40}?\b(?:yes|ok(?:ay)?|done|given|said|fine with)\b|\b(?:do|follow|trust|believe) (?:as|what(?:ever)?|anything|everything|all)\b|\bfollow\b.{0,16}?\b(?:page|site|web|e?mail|message|link)/iu,
  /聞かな|聞かず|聞くな|尋ね|訊か|伺わ|許し|承諾|了承|了解(?:済|した)|勝手に|自動(?:で|的に)?(?:実行|承認|許可)|そのまま実行|(?:質問|チェック|ルール|警告).{0,6}?(?:省|スキップ|飛ば|無視|なし)|みなし|見なし|指示|命令に|従[いうっえわ]|言うとおり|言う通り/u,
];

/** Secrets and credentials are not noted, whoever says them. */
const secret: readonly RegExp[] = [
  /密码|口令|验证码|私钥|令牌|密钥|\b(?:pass(?:word|phrase|code)?|pin code|secret|token|api[ _-]?key|private key|otp)\b|パスワード|暗証|秘密鍵/iu,
  // By their shape: of known makers, tokens in three parts, keys in lines, ids that are drawn.
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\b(?:gh[pousr]|github_pat|hf)_\w{10}|\b(?:glpat|xox[a-z])-[\w-]{10}|\bAIza[\w-]{20}|\beyJ[\w-]{10,400}\.[\w-]{6}|-----BEGIN /u,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/iu,
];
const scrub = createScrubber([]);

/** Letters and digits alternate as in generated strings, not as in file names. */
function isDrawn(word: string): boolean {
  return (word.match(/\d(?=[a-z])|[a-z](?=\d)/giu)?.length ?? 0) >= 4;
}

/** Returns why a text is no note on how a person likes things; undefined if it may be one. */
export function findUnfit(text: string): "permission" | "secret" | undefined {
  const plain = text.normalize("NFKC");
  if (permission.some((pattern) => pattern.test(plain))) return "permission";
  const isSecret = secret.some((pattern) => pattern.test(plain)) || scrub(plain) !== plain;
  return isSecret || (plain.match(/[a-z0-9]{16,400}/giu) ?? []).some(isDrawn) ? "secret" : undefined;
}

const folder =
  /(?:写|存|放|保存|输出|导出|整理)(?:到|进|在|入)|文件夹|目录|\b(?:folder|directory)\b|\b(?:write|save|put|store|keep)\b.*\b(?:in|into|to|under)\b|フォルダ|に(?:保存|書い|入れ)/iu;
/** A person may want reports in one folder and scripts in another. */
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

/** The wishes in what a person wrote themselves. No model is asked: an unclear statement is no wish. */
export function readWishes(message: string): readonly Wish[] {
  if (message.length > maxMessageLength) return [];
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

/** Two wishes about the same thing have the same key, so the later one replaces the earlier; all others are kept. */
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
  // A choice for one tool does not affect another.
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
