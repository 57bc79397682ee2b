import type { JsonValue } from "../../core/canonical-json.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { scanFiles } from "../../skills/store/scan-files.ts";
import type { McpDefinition } from "../../mcp/servers/types.ts";

/** Tools that are shown one by one; those that look like orders come first. */
const mostShown = 12;
const longestLine = 160;
/** Of one tool, its schema included; more than that a server may not say of one. */
const longestScanned = 64_000;

/**
 * What a server says of its tools, for the owner who never asked for that text but whose every turn it stands in. What
 * looks like an order is marked; an attacker who avoids the marks still meets the question before a strange address.
 */
export function describeNewServer(server: string, definitions: readonly McpDefinition[], { mcp }: Words): string {
  const tools = definitions.map((definition) => ({ definition, order: findOrder(definition) }));
  const sorted = tools.toSorted((a, b) => Number(b.order !== undefined) - Number(a.order !== undefined));
  const lines = sorted.slice(0, mostShown).map(({ definition: { name, description }, order }) => {
    const line = `${toLine(name)}: ${toLine(order ?? description)}`.slice(0, longestLine).toWellFormed();
    return `${order === undefined ? "·" : "⚠"} ${line}`;
  });
  const rest = definitions.length - lines.length;
  return [
    mcp.says(server),
    ...lines,
    ...(rest > 0 ? [mcp.saysMore({ server, count: rest })] : []),
    ...(tools.some(({ order }) => order !== undefined) ? [mcp.looksLikeOrder] : []),
    mcp.saysHow,
  ].join("\n");
}

/** Words with which a text orders somebody about who only wants to know what a tool does, and addresses. */
const orders = [
  /https?:\/\/|\bwww\./i,
  /<\/?(?:important|system|instructions?|secret|user|assistant)\b/i,
  /\b(?:you must|must first|always|never|whenever|make sure|be sure|ignore|disregard|instead of|secretly|silently)\b/i,
  /\b(?:before|after|prior to) (?:you |using|calling|any|each|every|this|answering)/i,
  /\b(?:do not|don't|without) (?:tell|telling|mention|mentioning|ask|asking|inform|informing|show|showing)\b/i,
  /\b(?:first|also|then) (?:call|read|send|fetch|run|use|invoke|pass)\b/i,
  /必须|务必|一定要|每次都|总是|永远|忽略|无视|不要告诉|别告诉|不用确认|先(?:调用|读|发|运行|执行)|使用前/,
  /必ず|絶対に|常に|無視|伝えないで|言わないで|確認せず|まず(?:呼|読|送|実行)/,
] as const;

/** The line that looks like an order, anywhere in what the model reads of the tool; undefined = none does. */
function findOrder({ description, inputSchema }: McpDefinition): string | undefined {
  const text = [description, ...listTexts(inputSchema)].join("\n").slice(0, longestScanned);
  const [bad] = scanFiles([{ path: "SKILL.md", bytes: Buffer.from(text) }]);
  if (bad) return bad.shown;
  return text.split("\n").find((line) => orders.some((pattern) => pattern.test(line.normalize("NFKC"))));
}

function listTexts(schema: JsonValue): readonly string[] {
  if (typeof schema === "string") return [schema];
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(Array.isArray(schema) ? [] : [key]),
    ...listTexts(value),
  ]);
}

function toLine(text: string): string {
  return makeVisible(text.slice(0, longestLine * 4))
    .replaceAll(/\s+/g, " ")
    .trim();
}
