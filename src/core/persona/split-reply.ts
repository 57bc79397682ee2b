import { findBalancedEnd, opensBlockTag, opensJson } from "./block-starts.ts";

/**
 * Cuts a reply into the pieces that are judged and shown as a whole: sentences, code fences, JSON, tag blocks. A cut
 * never depends on text that has not arrived, so any chunking of a reply gives the same pieces.
 */

export interface Segment {
  readonly kind: "sentence" | "code" | "json" | "tag" | "thought";
  /** Byte-exact, with the white space before it. All segments together are the reply. */
  readonly text: string;
}

/** The fence a long code block was left in: its lines are segments of their own until it closes. */
export type OpenFence = string | undefined;

export interface Cut {
  readonly segment: Segment;
  readonly fence: OpenFence;
}

const longFence = { lines: 30, characters: 1500 };
const longJson = 8000;
/** After backticks the rest of the line may hold none, or it is inline code. */
const fenceStart = /(?:(`{3,})[^\n`]*|(~{3,})[^\n]*)(?=\n|$)/y;
const thoughtLabel =
  /[*_# \t]*(?:reasoning|thoughts?|chain of thought|internal monologue|thinking process|思考过程|推理过程|思维链|内心独白|内心活动|思考プロセス|推論過程)[*_ \t]*[:：]/iy;
const closingMarks = /[」』）)”"'’】》]/;

/** The segment that starts at `start`, or undefined while more text is needed to decide. `final`: no more will come. */
export function cutSegment(text: string, start: number, fence: OpenFence, final: boolean): Cut | undefined {
  if (start >= text.length) return undefined;
  if (fence !== undefined) return cutFenceLine(text, start, fence, final);
  const first = skipSpace(text, start);
  if (first === text.length) return final ? cut("sentence", text, start, first) : undefined;
  const atLineStart = start === 0 || text.slice(start, first).includes("\n");
  if (atLineStart) {
    if (!final && /^(?:`{1,2}|~{1,2})$/.test(text.slice(first))) return undefined;
    fenceStart.lastIndex = first;
    const opening = fenceStart.exec(text);
    if (opening !== null) return cutFence(text, start, first, opening[1] ?? opening[2] ?? "", final);
    thoughtLabel.lastIndex = first;
    if (thoughtLabel.test(text)) return cutUntil(text, start, first, /\n[ \t]*\n/g, "before", "thought", final);
  }
  return cutInline(text, start, first, final);
}

/** All segments of a finished reply. */
export function splitReply(text: string): Segment[] {
  const segments: Segment[] = [];
  let fence: OpenFence;
  for (let start = 0; start < text.length;) {
    const next = cutSegment(text, start, fence, true);
    if (next === undefined) break;
    segments.push(next.segment);
    start += next.segment.text.length;
    fence = next.fence;
  }
  return segments;
}

function cut(kind: Segment["kind"], text: string, start: number, end: number, fence?: OpenFence): Cut {
  return { segment: { kind, text: text.slice(start, end) }, fence };
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text.charAt(index))) index += 1;
  return index;
}

function cutFenceLine(text: string, start: number, fence: string, final: boolean): Cut | undefined {
  const end = text.indexOf("\n", start + 1);
  if (end < 0 && !final) return undefined;
  const stop = end < 0 ? text.length : end;
  return cut("code", text, start, stop, closesFence(text.slice(start, stop), fence) ? undefined : fence);
}

function closesFence(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

function cutFence(text: string, start: number, first: number, fence: string, final: boolean): Cut | undefined {
  let lines = 0;
  for (let lineStart = text.indexOf("\n", first); lineStart >= 0;) {
    const lineEnd = text.indexOf("\n", lineStart + 1);
    if (lineEnd < 0 && !final) return undefined;
    const stop = lineEnd < 0 ? text.length : lineEnd;
    lines += 1;
    if (closesFence(text.slice(lineStart, stop), fence)) return cut("code", text, start, stop);
    if (lines >= longFence.lines || stop - first >= longFence.characters) return cut("code", text, start, stop, fence);
    lineStart = lineEnd;
  }
  return final ? cut("code", text, start, text.length) : undefined;
}

/** Cuts before or after the first match of `end`; a block that never ends takes the rest of the reply. */
function cutUntil(
  text: string,
  start: number,
  first: number,
  end: RegExp,
  side: "before" | "after",
  kind: Segment["kind"],
  final: boolean,
): Cut | undefined {
  end.lastIndex = first;
  const match = end.exec(text);
  if (match === null) return final ? cut(kind, text, start, text.length) : undefined;
  return cut(kind, text, start, side === "before" ? match.index : end.lastIndex);
}

function cutInline(text: string, start: number, first: number, final: boolean): Cut | undefined {
  let index = first;
  /** Up to here a JSON value runs that is too long to be held back; what it holds is looked at line by line. */
  let longJsonEnd = first;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === "\n") return cut("sentence", text, start, index);
    if (character === "`") {
      const after = skipInlineCode(text, index, final);
      if (after === undefined) return undefined;
      index = after;
      continue;
    }
    if (character === "<" && !isInProse(text, first, index)) {
      const tag = opensBlockTag(text, index, final);
      if (tag === "undecided") return undefined;
      if (tag !== "no") {
        if (index > first) return cut("sentence", text, start, index);
        return cutUntil(text, start, first, tag.end, tag.side, "tag", final);
      }
    }
    if ((character === "{" || character === "[") && index >= longJsonEnd) {
      const json = opensJson(text, index, final);
      if (json === "undecided") return undefined;
      if (json === "yes") {
        const end = findBalancedEnd(text, index, longJson);
        if (end === "open" && !final) return undefined;
        if (end !== "too long") {
          if (index > first) return cut("sentence", text, start, index);
          return cut("json", text, start, end === "open" ? text.length : end);
        }
        longJsonEnd = index + longJson;
      }
    }
    const end = findSentenceEnd(text, first, index, final);
    if (end === "undecided") return undefined;
    if (typeof end === "number") return cut("sentence", text, start, end);
    index = end === "no" ? index + 1 : end.goOn;
  }
  return final ? cut("sentence", text, start, text.length) : undefined;
}

/** A tag behind a word or an opening quotation mark is talked about, or is in a sentence that is judged as a whole. */
function isInProse(text: string, first: number, index: number): boolean {
  let before = index - 1;
  while (before >= first && /[ \t]/.test(text.charAt(before))) before -= 1;
  return before >= first && /[\p{L}\p{N}「『“"'《（(]/u.test(text.charAt(before));
}

/** Code between backticks on one line is skipped as a whole; a lone backtick is an ordinary character. */
function skipInlineCode(text: string, index: number, final: boolean): number | undefined {
  const run = /`+/y;
  run.lastIndex = index;
  const ticks = run.exec(text)?.[0] ?? "`";
  const lineEnd = text.indexOf("\n", index);
  const stop = lineEnd < 0 ? text.length : lineEnd;
  // A run that touches the end of what has arrived may still grow.
  if (index + ticks.length === text.length && !final) return undefined;
  for (const match of text.slice(index + ticks.length, stop).matchAll(/`+/g)) {
    const end = index + ticks.length + match.index + match[0].length;
    if (end === text.length && !final) return undefined;
    if (match[0].length === ticks.length) return end;
  }
  if (lineEnd < 0 && !final) return undefined;
  return index + ticks.length;
}

/** Where a sentence ends that has an end mark at `index`; closing quotes and brackets belong to it. */
function findSentenceEnd(
  text: string,
  first: number,
  index: number,
  final: boolean,
): number | { readonly goOn: number } | "no" | "undecided" {
  const mark = text.charAt(index);
  if (!/[。！？!?….]/.test(mark)) return "no";
  // The number of a list item is no sentence.
  if (mark === "." && /^[\d\s]*$/.test(text.slice(first, index))) return "no";
  let end = index + 1;
  while (/[。！？!?….~～]/.test(text.charAt(end))) end += 1;
  const marksEnd = end;
  const strong = /[。！？]/.test(text.slice(index, end));
  while (end < text.length && closingMarks.test(text.charAt(end))) end += 1;
  if (end === text.length) return final ? end : "undecided";
  // 「我……没有」 and `a?b` go on; 。！？ always end.
  return strong || /\s/.test(text.charAt(end)) ? end : { goOn: marksEnd };
}
