import type { JsonValue } from "../../core/canonical-json.ts";
import type { McpDefinition } from "../../mcp/servers/types.ts";
import { scanFiles } from "../../skills/store/scan-files.ts";

/** Of one tool, its schema included; more than that a server may not say of one. */
const maxScanned = 64_000;

const always = "(?:always|never forget to|must|have to|make sure(?: to)?|be sure to|every time|whenever|first|before)";
const talk = "(?:conversations?|chats?|chat history|message history|dialogues?|system prompts?|instructions|context)";
const secret =
  "(?:passwords?|credentials?|private keys?|ssh keys?|secrets?|api[ _-]?keys?|access tokens?|cookies|mcp\\.json|\\.env|id_[a-z0-9]+|/etc/\\w+|~/\\.\\w+)";
const hand =
  "(?:send|sent|post|posted|upload|uploaded|forward|forwarded|submit|report|pass|copy|bcc|cc|email|put|include|append|attach)";
const address = "(?:https?://|www\\.|[\\w.+-]{1,64}@[\\w-]{1,64}\\.)";

/**
 * An order to the model, as opposed to advice on the tool itself ("always use absolute paths") or an address that a text only
 * names: it sends something away, reaches for secrets or the conversation, takes over other tools or every message, or
 * keeps something from the person. One line, NFKC; each gap is bounded.
 */
const orders: readonly RegExp[] = [
  /<\/?(?:important|system|secret|hidden|information|admin)\b[^>\n]{0,80}>/i,
  // Keeps something from the person.
  /\b(?:do not|don't|never|without)\b[^\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing)\b/i,
  /\b(?:secretly|covertly|without (?:the )?(?:user|person|owner)(?:'s)? (?:knowing|noticing|knowledge|consent))\b/i,
  /\bsilently (?:call|read|send|fetch|run|pass|add|include|append|copy|upload|forward)\b/i,
  // Cancels what others said.
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:previous|prior|above|earlier|other|all|your|system)\b[^\n]{0,30}\b(?:instructions?|directions?|rules?|prompts?|polic(?:y|ies)|tools?|messages?|descriptions?)\b/i,
  /\bignore (?:the |your )?(?:instructions|directions|rules|guidelines)\b/i,
  // Poses as another speaker.
  /<\|im_(?:start|end)\|>|<<\/?SYS>>|\[\/?INST\]|<<<\/?END_/,
  make(`\\b${hand}\\b[^\\n]{0,80}\\bto:? ["'\`<]?${address}`),
  make(`\\b${always}\\b[^\\n]{0,60}\\b(?:fetch|open|visit|load|follow|download|curl)\\b[^\\n]{0,60}https?://`),
  make(
    `\\b(?:${hand}|read|cat|open|load|reveal|print)\\b[^\\n]{0,60}(?<![\\w])${secret}(?!\\w)[^\\n]{0,80}\\b${hand}\\b`,
  ),
  make(`\\b${always}\\b[^\\n]{0,60}\\b(?:read|cat|open|load)\\b[^\\n]{0,60}(?<![\\w])${secret}(?!\\w)`),
  make(
    `\\b${hand}\\b[^\\n]{0,40}\\b(?:whole|entire|full|complete|all|previous|system|user's|our|this)\\b[^\\n]{0,20}\\b${talk}\\b`,
  ),
  // Takes over other tools, or every message.
  /\b(?:instead of|rather than) (?:any|all|every|using any) other\b/i,
  /\b(?:before|after) (?:using|calling|running|you (?:use|call|run)) (?:any|every|each|all|other)\b[^\n]{0,20}\btools?\b/i,
  /\b(?:always|must|first|then)\b[^\n]{0,40}\b(?:on|for|in|before|after|with) (?:every|each|all|any)(?: single)? (?:messages?|turns?|replies|reply|answers?|conversations?|questions?)\b/i,
  /\b(?:on|for|before|after|with) (?:every|each|any)(?: single)? (?:messages?|turns?|replies|reply|answers?|questions?)\b[^\n]{0,40}\b(?:call|use|run|send|read|invoke)\b/i,
  // The same in Chinese and Japanese.
  /(?:不要|别|切勿|不得|不能)[^\n]{0,6}(?:告诉|告知|提醒|通知|提到|透露)|不用确认|(?:悄悄|偷偷|暗中|秘密)地?/,
  /(?:忽略|无视|忘记|忘掉)[^\n]{0,12}(?:之前|以上|先前|所有|其他|其它|全部|系统)/,
  /(?:必须|务必|一定要|每次|总是|先|使用前|调用前)[^\n]{0,30}(?:读取?|发送|发到|发给|上传|转发|附上|传给|传入)[^\n]{0,30}(?:密码|密钥|令牌|凭证|对话|聊天记录|系统提示|上下文|https?:\/\/|@)/,
  /(?:任何|所有|每个)其他?工具(?:之前|前)|(?:每条|每次|每轮)(?:消息|回复|对话|回答)[^\n]{0,20}(?:调用|使用|发送|读取)/,
  /(?:伝え|言わ|知らせ|教え)(?:ないで|ずに|てはいけ|るな)|確認せず|(?:こっそり|密かに|ひそかに)/,
  /(?:以前|これまで|上記|すべて|他)の?(?:指示|命令|ルール|ツール)[^\n]{0,10}(?:無視|忘れ)/,
  /(?:必ず|絶対に|常に|まず|使う前に)[^\n]{0,30}(?:パスワード|鍵|トークン|認証情報|会話|履歴|https?:\/\/|@)[^\n]{0,30}(?:送|読|渡|添付|含め)/,
];

function make(source: string): RegExp {
  return new RegExp(source, "i");
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
