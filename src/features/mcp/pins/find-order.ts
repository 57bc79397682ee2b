import type { JsonValue } from "../../../core/canonical-json.ts";
import type { McpDefinition } from "../servers/types.ts";
import { scanFiles } from "../../skills/store/scan-files.ts";

/** Per tool, its schema included: a server may not say more about one. */
const maxScanned = 64_000;

const always = "(?:always|never forget to|must|have to|make sure(?: to)?|be sure to|every time|whenever|first|before)";
const talk = "(?:conversations?|chats?|chat history|message history|dialogues?|system prompts?|instructions|context)";
const secret =
  "(?:passwords?|credentials?|private keys?|ssh keys?|secrets?|api[ _-]?keys?|access tokens?|cookies|mcp\\.json|\\.env|id_[a-z0-9]+|/etc/\\w+|~/\\.\\w+)";
/** A specific file or variable. A tool may ask for its own "API key". */
const place = "(?:mcp\\.json|\\.env|id_(?:rsa|dsa|ecdsa|ed25519)|/etc/\\w+|~/\\.\\w+)(?!\\w)";
const variable = "[A-Z][A-Z0-9_]{1,40}_(?:KEY|TOKEN|SECRET|PASSWORD)";
const hand =
  "(?:send|sent|post|posted|upload|uploaded|forward|forwarded|submit|report|pass|copy|bcc|cc|email|put|include|append|attach|hand (?:it |them )?over)";
const say = `(?:${hand}|quote|paste|repeat|provide|supply|transmit|share|dump|write|copy|fill)`;
const sayOfVariable =
  "(?:[Ss]end|[Pp]ost|[Pp]ass|[Cc]opy|[Pp]ut|[Ii]nclude|[Aa]ppend|[Aa]ttach|[Pp]aste|[Pp]rovide|[Ss]upply|[Ss]ubmit|[Ww]rite|[Aa]dd)";
const argument =
  "(?:into|in|as|to|via|through)\\b[^\\n]{0,20}(?:[\"'`]\\w|\\b(?:parameters?|arguments?|fields?|notes?|inputs?)\\b)";
const address = "(?:https?://|www\\.|[\\w.+-]{1,64}@[\\w-]{1,64}\\.)";

/**
 * An order to the model, as opposed to advice on the tool itself ("always use absolute paths") or an address that a text only
 * names: it sends something away, reaches for secrets or the conversation, takes over other tools or every message, or
 * keeps something from the person. One line, NFKC; each gap is bounded.
 */
const orders: readonly RegExp[] = [
  /<\/?(?:important|system|secret|hidden|information|admin)\b[^>\n]{0,80}>/i,
  // Keeps something from the person.
  /\b(?:do not|don't|never|without)\b[^\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing)\b(?! (?:the |your )?(?:(?:user|person)s? )?(?:the |any )?(?:raw |internal |numeric )?(?:ids?|identifiers?|uuids?)(?: of\b| *[.,;:)]| *$))/i,
  /\b(?:secretly|covertly)\b/i,
  /(?<!\b(?:never|not|don't)\b[^\n.,:;!?]{0,40})\bwithout (?:the )?(?:user|person|owner)(?:'s)? (?:knowing|noticing|knowledge|consent)\b/i,
  /\bsilently (?:call|read|send|fetch|run|pass|add|include|append|copy|upload|forward)\b/i,
  // Cancels what others said.
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:previous|prior|above|earlier|other|all|your|system)\b[^\n]{0,30}\b(?:instructions?|directions?|rules?|prompts?|polic(?:y|ies)|tools?|messages?|descriptions?)\b/i,
  /\bignore (?:the |your )?(?:instructions|directions|rules|guidelines)\b/i,
  // Poses as another speaker.
  /<\|im_(?:start|end)\|>|<<\/?SYS>>|\[\/?INST\]|<<<\/?END_/,
  make(`\\b${hand}\\b[^\\n]{0,80}(?<!e\\.g\\.,? |for example,? |such as )\\bto:? ["'\`<]?${address}`),
  make(`\\b${always}\\b[^\\n]{0,60}\\b(?:fetch|open|visit|load|follow|download|curl)\\b[^\\n]{0,60}https?://`),
  make(
    `\\b(?:${hand}|read|cat|open|load|reveal|print)\\b[^\\n]{0,60}(?<![\\w])${secret}(?!\\w)[^\\n]{0,80}\\b${hand}\\b`,
  ),
  make(`\\b${always}\\b[^\\n]{0,60}\\b(?:read|cat|open|load)\\b[^\\n]{0,60}(?<![\\w])${secret}(?!\\w)`),
  make(
    `\\b${hand}\\b[^\\n]{0,40}\\b(?:whole|entire|full|complete|all|previous|system|user's|our|this)\\b[^\\n]{0,20}\\b${talk}\\b`,
  ),
  make(`\\b${say}\\b[^\\n]{0,40}(?<!\\w)${place}[^\\n]{0,40}\\b${argument}`),
  make(`\\b${say}\\b[^\\n]{0,20}\\b(?:contents?|text|value) of\\b[^\\n]{0,40}(?<!\\w)${place}`),
  // Only in capitals it is the name of a variable.
  make(`\\b${sayOfVariable}\\b[^\\n]{0,40}\\b${variable}\\b[^\\n]{0,20}\\b${argument}`, ""),
  make(
    `\\b${say}\\b[^\\n]{0,20}\\byour (?:whole |entire |full )?(?:system|initial|hidden) (?:prompts?|instructions|messages?)\\b`,
  ),
  make(
    `\\b${say}\\b[^\\n]{0,20}\\b(?:last|previous|recent|latest|past|earlier) (?:\\w{1,8} )?(?:messages|turns|replies)\\b(?! ids?\\b)[^\\n]{0,20}\\b${argument}`,
  ),
  make(
    `\\b(?:with|${say})\\b[^\\n]{0,20}\\b(?:chat|conversation|dialogue|messages) (?:so far|until now|up to (?:now|here)|to date)\\b`,
  ),
  // Takes over other tools, or every message.
  /\b(?:instead of|rather than) (?:any|all|every|using any) other\b/i,
  /\b(?:before|after|prior to) (?:using|calling|running|you (?:use|call|run)) (?:any|every|each|all|other)\b[^\n]{0,20}\btools?\b/i,
  /\b(?:always|must|first|then)\b[^\n]{0,40}\b(?:on|for|in|before|after|with) (?:every|each|all|any)(?: single)? (?:messages?|turns?|replies|reply|answers?|conversations?|questions?(?! (?:about|on|regarding) (?!any|every|all)))\b/i,
  /\b(?:on|for|before|after|with|prior to|ahead of) (?:every|each|any)(?: single)? (?:messages?|turns?|replies|reply|answers?|questions?(?! (?:about|on|regarding) (?!any|every|all)))\b[^\n]{0,40}\b(?:call|use|run|send|read|invoke)\b/i,
  // The same in Chinese and Japanese.
  /(?:不要|别|切勿|不得|不能)[^\n]{0,6}(?:告诉|告知|提醒|通知|提到|透露)|不用确认|(?:悄悄|偷偷|暗中|秘密)地?/,
  /(?:忽略|无视|忘记|忘掉)[^\n]{0,12}(?:之前|以上|先前|所有|其他|其它|全部|系统)/,
  /(?:必须|务必|一定要|每次|总是|先|使用前|调用前)[^\n]{0,30}(?:读取?|发送|发到|发给|上传|转发|附上|传给|传入)[^\n]{0,30}(?:密码|密钥|令牌|凭证|对话|聊天记录|系统提示|上下文|https?:\/\/|@)/,
  /(?:附上|附带|带上|传入|传给|发送|填入|放入|写入|提供|提交)[^\n。；]{0,10}(?:完整|全部|所有|整个)的?(?:聊天|对话|会话|消息|系统提示)|(?:完整|全部|所有|整个)的?(?:聊天|对话|会话|系统提示)[^\n。；]{0,10}(?:传入|传给|发给|发到|附上|填入|放入|写入|写进|放进)/,
  /(?:任何|所有|每个)(?:其他?)?工具(?:之前|前)|(?:每条|每次|每轮)(?:消息|回复|对话|回答)[^\n]{0,20}(?:调用|使用|发送|读取)/,
  /(?:伝え|言わ|知らせ|教え)(?:ないで|ずに|てはいけ|るな)|確認せず|(?:こっそり|密かに|ひそかに)/,
  /(?:以前|これまで|上記|すべて|他)の?(?:指示|命令|ルール|ツール)[^\n]{0,10}(?:無視|忘れ)/,
  /(?:必ず|絶対に|常に|まず|使う前に)[^\n]{0,30}(?:パスワード|鍵|トークン|認証情報|会話|履歴|https?:\/\/|@)[^\n]{0,30}(?:送|読|渡|添付|含め)/,
  /(?:会話|チャット|やり取り|メッセージ|システムプロンプト)の?(?:全文|全体|全部|すべて|全て|全履歴)[^\n]{0,20}(?:渡|送|含め|添付|貼|書|入れ)/,
  /(?:すべて|全て|毎回|あらゆる|各)の?(?:返答|回答|返信|応答|発言|メッセージ)の?(?:前|後|たび|ごと)[^\n]{0,20}(?:呼|使|実行|渡|送|読)/,
];

function make(source: string, flags = "i"): RegExp {
  return new RegExp(source, flags);
}

/** The line that looks like an order, anywhere in what the model reads of the tool; undefined = none does. */
export function findOrder({ description, inputSchema }: McpDefinition): string | undefined {
  const text = [description, ...listTexts(inputSchema)].join("\n").slice(0, maxScanned);
  const bad = scanFiles([{ path: "SKILL.md", bytes: Buffer.from(text) }]).find(({ blocks }) => blocks);
  if (bad) return bad.shown;
  return text.split("\n").find((line) => isOrder(line.normalize("NFKC")));
}

function isOrder(line: string): boolean {
  return orders.some((pattern) => pattern.test(line));
}

function listTexts(schema: JsonValue): readonly string[] {
  if (typeof schema === "string") return [schema];
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(Array.isArray(schema) ? [] : [key]),
    ...listTexts(value),
  ]);
}
