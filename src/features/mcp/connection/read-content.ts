import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import type { McpBlock } from "./types.ts";
import { isGiven } from "../json/drop-nulls.ts";

/**
 * The content of a result in our own words: blocks, one block, or a bare text, as servers send them. A field that is not what
 * it should be takes nothing else with it.
 */
export function readContents(content: JsonValue | undefined): readonly McpBlock[] {
  if (!isGiven(content)) return [];
  if (Array.isArray(content)) return content.flatMap((block: JsonValue) => readBlock(block));
  return readBlock(content);
}

/** The contents of a resource, of which each names its own address. */
export function readResourceContents(contents: JsonValue | undefined): readonly McpBlock[] {
  const list: readonly JsonValue[] = Array.isArray(contents) ? contents : isGiven(contents) ? [contents] : [];
  return list.flatMap((one) => (isJsonObject(one) ? [readResource(one) ?? toOther(one)] : readBlock(one)));
}

function readBlock(block: JsonValue): readonly McpBlock[] {
  if (block === null) return [];
  if (!isJsonObject(block)) return [{ kind: "text", text: toText(block) }];
  return [readKnown(block) ?? toOther(block)];
}

const known = ["text", "image", "audio", "resource", "resource_link"];

/** Whether an object is a block of content, and not the data itself. Some servers forget to mark a text as one. */
export function isBlock(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { type, annotations: _annotations, _meta, ...rest } = value;
  if (isGiven(type)) return typeof type === "string" && known.includes(type);
  return Object.keys(rest).join(",") === "text";
}

/** Returns undefined for an unknown type, or if required fields are missing. */
function readKnown(block: JsonObject): McpBlock | undefined {
  if (!isBlock(block)) return undefined;
  const { text, data, uri, name, description, resource } = block;
  const type = block["type"] ?? "text";
  switch (typeof type === "string" ? type : "") {
    case "text":
      return text === undefined ? undefined : { kind: "text", text: toText(text) };
    case "image":
    case "audio":
      return typeof data === "string" ? readMedia(block, data, type === "audio" ? "audio" : "image") : undefined;
    case "resource":
      return isJsonObject(resource) ? readResource(resource) : undefined;
    case "resource_link":
      return typeof uri === "string"
        ? { kind: "link", uri, name: toText(name ?? uri), description: toText(description ?? "") }
        : undefined;
    default:
      return undefined;
  }
}

function readResource(contents: JsonObject): McpBlock | undefined {
  const { text, blob } = contents;
  const uri = toText(contents["uri"] ?? "");
  if (typeof blob === "string") {
    const name = decodeName(uri.split(/[/?#]/).findLast((part) => part !== "") ?? "resource");
    return readMedia(contents, blob, name);
  }
  return isGiven(text) ? { kind: "embedded", uri, text: toText(text) } : undefined;
}

/** The first characters of pictures, as base64, for servers that leave out the type. */
const beginnings = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
] as const;

/** Some servers send the bytes as a `data:` address, which says the type itself. */
function readMedia({ mimeType }: JsonObject, given: string, name: string): McpBlock {
  const comma = given.startsWith("data:") ? given.indexOf(",") : -1;
  const data = given.slice(comma + 1);
  const [told = ""] = comma === -1 ? [] : given.slice("data:".length, comma).split(";");
  const guessed = beginnings.find(([beginning]) => data.startsWith(beginning))?.[1] ?? "application/octet-stream";
  const own = typeof mimeType === "string" && mimeType !== "" ? mimeType : told;
  return { kind: "media", mimeType: own === "" ? guessed : own, data, name };
}

function toOther({ annotations: _annotations, _meta, type, ...value }: JsonObject): McpBlock {
  return { kind: "other", type: typeof type === "string" ? type : "", value };
}

function toText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
