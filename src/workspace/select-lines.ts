import type { LinesFound } from "./types.ts";

/** Characters of one answer; about what a small model can hold in addition to the conversation. */
const maxAnswerLength = 14_000;

/** Lines offset … offset+limit-1 of a text, fewer when they would not fit into one answer. A last "\n" ends a line, it starts none. */
export function selectLines(text: string, offset: number, limit: number): LinesFound {
  const lines = text === "" ? [] : text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const chosen: string[] = [];
  let length = 0;
  let cut = false;
  for (const line of lines.slice(offset, offset + limit)) {
    length += line.length + 1;
    if (length > maxAnswerLength && chosen.length > 0) break;
    cut = length > maxAnswerLength;
    chosen.push(cut ? `${line.slice(0, maxAnswerLength)}…` : line);
  }
  return { content: chosen.join("\n"), totalLines: lines.length, hasMore: offset + chosen.length < lines.length, cut };
}
