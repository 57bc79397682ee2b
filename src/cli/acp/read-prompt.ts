import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { HandedFile } from "../../channels/terminal/command-line-channel.ts";
import { extensionOf } from "../../core/media-type.ts";

/** A prompt as a line of the command line. */
export interface PromptLine {
  /** The person's own words. */
  readonly text: string;
  /** Content that the editor put in: it comes as files, so that it never counts as an order. */
  readonly files: readonly HandedFile[];
  /** Names of resources that the editor only points to; nothing is read from there. */
  readonly links: readonly string[];
}

export function readPrompt(blocks: readonly ContentBlock[]): PromptLine {
  const texts: string[] = [];
  const files: HandedFile[] = [];
  const links: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "image":
      case "audio": {
        const name = `${block.type}-${files.length + 1}${extensionOf(block.mimeType)}`;
        files.push({ kind: block.type, name, mimeType: block.mimeType, base64: block.data });
        break;
      }
      case "resource_link":
        links.push(toOneLine(`${block.name} ${block.uri}`));
        break;
      case "resource": {
        const { mimeType, uri } = block.resource;
        const base64 = "blob" in block.resource ? block.resource.blob : toBase64(block.resource.text);
        files.push({ kind: "file", name: nameOf(uri), base64, ...(typeof mimeType === "string" && { mimeType }) });
      }
    }
  }
  return { text: texts.join(""), files, links };
}

const maxLinkLength = 500;

function toOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxLinkLength);
}

/** The last part of the address, as a file is called. */
function nameOf(uri: string): string {
  const path = uri.replace(/[?#].*$/s, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last) || "resource";
  } catch {
    // A percent sign that is one.
    return last;
  }
}

const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
