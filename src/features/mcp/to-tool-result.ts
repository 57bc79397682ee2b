import type { MediaPart } from "../../core/content-part.ts";
import type { ToolResult } from "../../kernel/tools/types.ts";
import type { McpAnswer, McpBlock } from "./connection/types.ts";
import { isBase64 } from "../../core/is-base64.ts";
import { combineOutput } from "./combine-output.ts";

/** Pictures that models take; everything else is a file. */
const pictures = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const maxParts = 20;

/**
 * Converts a server's answer into the result of a tool. Media are returned separately from the output, and go into the
 * workspace from there.
 */
export function toToolResult(answer: McpAnswer): ToolResult {
  const { texts, parts, left } = sortBlocks(answer.blocks);
  const shown = combineOutput(texts, answer.structured, left);
  if (answer.isError) {
    const error = typeof shown === "string" && shown !== "" ? shown : "The server says that it went wrong.";
    return typeof shown === "string" ? { ok: false, error } : { ok: false, error, output: shown };
  }
  return { ok: true, output: shown, ...(parts.length > 0 && { parts }) };
}

/** Texts in their order, and media. `left` = blocks that were left out, with reasons. */
export function sortBlocks(blocks: readonly McpBlock[]): {
  readonly output: string;
  readonly texts: readonly string[];
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
      case "other":
        texts.push(
          `[${block.type === "" ? "a block without a type" : `a block of the type ${block.type}`}, as it came]\n${JSON.stringify(block.value)}`,
        );
        break;
      case "media": {
        const part = toPart(block);
        if (part === undefined) left.push(`${block.name} (${block.mimeType}) is not valid base64`);
        else if (parts.length < maxParts) parts.push(part);
        else left.push(`${block.name} (${block.mimeType}): more than ${maxParts} files in one answer`);
        break;
      }
    }
  }
  return { output: texts.join("\n\n"), texts, parts, left };
}

function toPart({ mimeType, data, name }: Extract<McpBlock, { kind: "media" }>): MediaPart | undefined {
  if (!isBase64(data)) return undefined;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType.toLowerCase() : "application/octet-stream";
  if (pictures.includes(type)) return { type: "image", mimeType: type, data };
  return { type: "file", mimeType: type, data, metadata: { filename: name } };
}
