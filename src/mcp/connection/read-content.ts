import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import type { McpBlock } from "./types.ts";

/** A content block in our own words. */
export function readContent(block: ContentBlock): McpBlock {
  switch (block.type) {
    case "text":
      return { kind: "text", text: block.text };
    case "image":
      return { kind: "media", mimeType: block.mimeType, data: block.data, name: "image" };
    case "audio":
      return { kind: "media", mimeType: block.mimeType, data: block.data, name: "audio" };
    case "resource":
      return readResourceContents(block.resource);
    case "resource_link": {
      const { uri, name, description = "" } = block;
      return { kind: "link", uri, name, description };
    }
  }
}

export function readResourceContents(contents: ReadResourceResult["contents"][number]): McpBlock {
  const { uri, mimeType = "application/octet-stream" } = contents;
  if ("text" in contents) return { kind: "embedded", uri, text: contents.text };
  const name = decodeName(uri.split(/[/?#]/).findLast((part) => part !== "") ?? "resource");
  return { kind: "media", mimeType, data: contents.blob, name };
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
