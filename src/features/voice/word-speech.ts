import { formatMarkdown } from "../../channels/markdown/format-markdown.ts";

/** Characters; about two minutes. */
const maxCharacters = 600;

/** The part of a reply that is worth hearing: its words without code blocks and addresses, up to a sentence's end. "" = nothing is. */
export function wordSpeech(markdown: string): string {
  const { text, entities } = formatMarkdown(markdown);
  let words = "";
  let end = 0;
  for (const { offset, length } of entities
    .filter(({ type }) => type === "pre")
    .toSorted((a, b) => a.offset - b.offset)) {
    words += `${text.slice(end, offset)} `;
    end = offset + length;
  }
  words += text.slice(end);
  const plain = words
    .replaceAll(/https?:\/\/[^\s<>（）()]+/gi, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return "";
  if (plain.length <= maxCharacters) return plain;
  const start = plain.slice(0, maxCharacters);
  const last = Math.max(...["。", "！", "？", ". ", "! ", "? "].map((mark) => start.lastIndexOf(mark)));
  return (last > 0 ? start.slice(0, last + 1) : start).toWellFormed();
}
