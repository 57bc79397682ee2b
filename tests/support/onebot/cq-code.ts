import type { FakeSegment } from "./onebot-types.ts";

/** The string form of messages, read and written as NapCat does (helper/cqcode.ts). */

export function encodeCqCode(segments: readonly FakeSegment[]): string {
  return segments.map(encodeSegment).join("");
}

function encodeSegment({ type, data }: FakeSegment): string {
  if (type === "text") return escapeText(String(data["text"]));
  const fields = Object.entries(data).map(([name, value]) => [name, writeValue(value)] as const);
  const filled = fields.filter(([, value]) => value !== "");
  return `[CQ:${type}${filled.map(([name, value]) => `,${name}=${escapeValue(value)}`).join("")}]`;
}

function writeValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function decodeCqCode(source: string): readonly FakeSegment[] {
  const segments: FakeSegment[] = [];
  let from = 0;
  const addText = (text: string) => {
    if (text !== "") segments.push({ type: "text", data: { text: unescapeCq(text) } });
  };
  for (const match of source.matchAll(/\[CQ:(\w+)((?:,\w+=[^,\]]*)*)\]/g)) {
    const [whole, type = "", fields = ""] = match;
    addText(source.slice(from, match.index));
    from = match.index + whole.length;
    const pairs = fields.split(",").filter((pair) => pair !== "");
    segments.push({ type, data: Object.fromEntries(pairs.map(readPair)) });
  }
  addText(source.slice(from));
  return segments;
}

function readPair(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), unescapeCq(pair.slice(at + 1))];
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("[", "&#91;").replaceAll("]", "&#93;");
}

function escapeValue(value: string): string {
  return escapeText(value).replaceAll(",", "&#44;");
}

function unescapeCq(text: string): string {
  return text.replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&#44;", ",").replaceAll("&amp;", "&");
}
