import type { Segment } from "./segment.ts";

/**
 * The older form of messages: text with `[CQ:type,key=value]` in it.
 * Source: botuniverse/onebot-11, message/string.md (outside codes & [ ] are escaped, inside the comma too).
 */

const code = /\[CQ:([\w.-]+)((?:,[^,=[\]]+=[^,[\]]*)*)\]/g;

export function parseCqCode(message: string): readonly Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const match of message.matchAll(code)) {
    addText(segments, message.slice(end, match.index));
    segments.push({ type: match[1] ?? "", data: readParameters(match[2] ?? "") });
    end = match.index + match[0].length;
  }
  addText(segments, message.slice(end));
  return segments;
}

export function formatCqCode(segments: readonly Segment[]): string {
  return segments
    .map(({ type, data }) => {
      if (type === "text") return escapeOutside(data["text"] ?? "");
      const parameters = Object.entries(data).map(([key, value]) => `,${key}=${escapeInside(value)}`);
      return `[CQ:${type}${parameters.join("")}]`;
    })
    .join("");
}

function addText(segments: Segment[], escaped: string): void {
  if (escaped !== "") segments.push({ type: "text", data: { text: unescapeCq(escaped) } });
}

function readParameters(list: string): Record<string, string> {
  const pairs = list.split(",").slice(1);
  return Object.fromEntries(
    pairs.map((pair) => {
      const middle = pair.indexOf("=");
      return [pair.slice(0, middle), unescapeCq(pair.slice(middle + 1))];
    }),
  );
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "[": "&#91;", "]": "&#93;", ",": "&#44;" };
const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&#91;": "[", "&#93;": "]", "&#44;": "," };

function escapeOutside(text: string): string {
  return text.replaceAll(/[&[\]]/g, (character) => escapes[character] ?? character);
}

function escapeInside(text: string): string {
  return text.replaceAll(/[&[\],]/g, (character) => escapes[character] ?? character);
}

export function unescapeCq(text: string): string {
  return text.replaceAll(/&(?:amp|#91|#93|#44);/g, (escape) => characters[escape] ?? escape);
}
