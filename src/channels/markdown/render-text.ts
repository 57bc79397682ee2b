import { isMarked, narrowLines } from "../../core/persona/mark-lines.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { formatMarkdown } from "./format-markdown.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { splitText } from "./split-text.ts";

/** QQ takes more, but longer messages fail now and then. */
export const textLimit = 1_800;
const minLimit = 200;

/** About as many columns as fit into a bubble on a phone; a longer line would wrap to a line without our mark. */
const bubbleColumns = 30;

/**
 * Markdown as plain text: QQ shows no styles, so links carry their address behind them. There is no fence either, so
 * the marks that payloads bear (mark-lines.ts) must precede every line as displayed.
 */
export function renderText(markdown: string): string {
  const { text, entities } = formatMarkdown(markdown);
  let shown = "";
  let end = 0;
  for (const entity of entities.toSorted((a, b) => a.offset - b.offset)) {
    const { offset, length, type } = entity;
    const inside = text.slice(offset, offset + length);
    if (type === "text_link") shown += `${text.slice(end, offset + length)} (${entity.url})`;
    else if (type === "pre" && isMarked(inside)) shown += text.slice(end, offset) + narrowLines(inside, bubbleColumns);
    else continue;
    end = offset + length;
  }
  return shown + text.slice(end);
}

/** Parts that are Markdown again, each of at most 1,800 characters once shown. */
export function splitForQq(markdown: string, limit = textLimit): readonly string[] {
  return splitMarkdown(markdown, limit).flatMap((part) => {
    const shown = renderText(part);
    if (shown.length <= textLimit) return [part];
    // Addresses made it longer than its words.
    return limit > minLimit ? splitForQq(part, Math.floor(limit / 2)) : splitText(shown, textLimit).map(escapeMarkdown);
  });
}
