import type { JsonValue } from "../core/canonical-json.ts";
import { toCanonicalJson } from "../core/canonical-json.ts";
import type { MediaPart } from "../core/content-part.ts";
import type { ToolResult } from "../tools/types.ts";
import type { McpAnswer, McpBlock } from "./connection/types.ts";
import { isBase64 } from "../core/is-base64.ts";

/** Pictures that models take; everything else is a file. */
const pictures = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const mostParts = 20;

/** A server's answer as the result of a tool. Media go beside the output, and into the workspace from there. */
export function toToolResult(answer: McpAnswer): ToolResult {
  const { output, parts, left } = sortBlocks(answer.blocks);
  const shown = combine(output, answer.structured, left);
  if (answer.isError) {
    const error = typeof shown === "string" && shown !== "" ? shown : "The server says that it went wrong.";
    return typeof shown === "string" ? { ok: false, error } : { ok: false, error, output: shown };
  }
  return { ok: true, output: shown, ...(parts.length > 0 && { parts }) };
}

/** Texts in their order, and media. `left` = blocks that were left out, with reasons. */
export function sortBlocks(blocks: readonly McpBlock[]): {
  readonly output: string;
  readonly parts: readonly MediaPart[];
  readonly left: readonly string[];
} {
  const texts: string[] = [];
  const parts: MediaPart[] = [];
  const left: string[] = [];
  for (const block of blocks) {
    switch (block.kind) {
      case "text":
        texts.push(block.text);
        break;
      case "embedded":
        texts.push(`[${block.uri}]\n${block.text}`);
        break;
      case "link":
        texts.push(`[resource ${block.name}: ${block.uri}]${block.description === "" ? "" : ` ${block.description}`}`);
        break;
      case "media": {
        const part = toPart(block);
        if (part === undefined) left.push(`${block.name} (${block.mimeType}) is not valid base64`);
        else if (parts.length < mostParts) parts.push(part);
        else left.push(`${block.name} (${block.mimeType}): more than ${mostParts} files in one answer`);
        break;
      }
    }
  }
  return { output: texts.join("\n\n"), parts, left };
}

function toPart({ mimeType, data, name }: Extract<McpBlock, { kind: "media" }>): MediaPart | undefined {
  if (!isBase64(data)) return undefined;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType.toLowerCase() : "application/octet-stream";
  if (pictures.includes(type)) return { type: "image", mimeType: type, data };
  return { type: "file", mimeType: type, data, metadata: { filename: name } };
}

/** By the specification the text repeats the structured content; then only the latter is kept. */
function combine(text: string, structured: JsonValue | undefined, left: readonly string[]): JsonValue {
  const missing = left.length > 0 ? { left_out: [...left] } : {};
  if (structured === undefined) return left.length === 0 ? text : { text, ...missing };
  if (left.length === 0 && isWrapped(text, structured)) return text;
  const same = text === "" || isSame(text, structured);
  return same && left.length === 0 ? structured : { ...(!same && { text }), structured, ...missing };
}

/** `{ "content": "the text" }`, as servers wrap a text that is all they have. */
function isWrapped(text: string, structured: JsonValue): boolean {
  const values = typeof structured === "object" && structured !== null ? Object.values(structured) : [];
  return values.length === 1 && values[0] === text;
}

function isSame(text: string, structured: JsonValue): boolean {
  try {
    return toCanonicalJson(JSON.parse(text) as JsonValue) === toCanonicalJson(structured);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
