import type { MarkedToken, Token } from "marked";
import { escapeMarkdown } from "./escape-markdown.ts";
import { formatMarkdown } from "./format-markdown.ts";
import { splitText } from "./split-text.ts";

/** A piece of Markdown that fits into a message, and what joins it to the piece before. */
export interface Fragment {
  readonly glue: "" | "\n" | "\n\n";
  readonly markdown: string;
}

/** Each is formatted on its own. */
const maxSpans = 2_000;

/**
 * Breaks a paragraph at lines, else at sentences, else between styled spans; a span is cut only when it alone is too long,
 * and loses its style then. Plain text comes out escaped, because at the start of a message `#` or `1.` would mean something.
 */
export function breakParagraph(tokens: readonly Token[], limit: number): Fragment[] {
  if (tokens.length > maxSpans) throw new RangeError("The paragraph has too many spans to be broken between them");
  const spans = tokens.flatMap((token) => breakSpan(token as MarkedToken, limit));
  return groupSpans(spans, endsLine, limit, (line) =>
    groupSpans(line, endsSentence, limit, (sentence) => sentence),
  ).map((markdown) => ({ glue: "", markdown }));
}

function breakSpan(token: MarkedToken, limit: number): string[] {
  if (token.type === "br") return ["\n"];
  if (token.type === "text" || token.type === "escape" || token.type === "html") return breakWords(token.text, limit);
  const shown = formatMarkdown(token.raw).text;
  return shown.length <= limit ? [token.raw] : breakWords(shown, limit);
}

/** Escaped pieces that end where a line or a sentence does. */
function breakWords(text: string, limit: number): string[] {
  const sentences = text.split(/(?<=\n|[。！？…；](?![”」』）。！？…])|[.!?;]\s)/);
  return sentences
    .flatMap((sentence) => (sentence.length > limit ? splitText(sentence, limit) : [sentence]))
    .map(escapeMarkdown);
}

/** Joins spans up to the next end; a group that does not fit is handed to `breakFurther`. */
function groupSpans(
  spans: readonly string[],
  ends: (span: string) => boolean,
  limit: number,
  breakFurther: (group: readonly string[]) => readonly string[],
): string[] {
  const groups: string[][] = [[]];
  for (const span of spans) {
    groups.at(-1)?.push(span);
    if (ends(span)) groups.push([]);
  }
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group) => (formatMarkdown(group.join("")).text.length <= limit ? [group.join("")] : breakFurther(group)));
}

function endsLine(span: string): boolean {
  return span.endsWith("\n");
}

function endsSentence(span: string): boolean {
  return /(?:[。！？…；”」』）]|[.!?;]\s)$/.test(span);
}
