import { escapeMarkdown } from "../../markdown/break-paragraph.ts";
import { formatMarkdown } from "../../markdown/format-markdown.ts";
import { splitMarkdown } from "../../markdown/split-markdown.ts";
import { splitText } from "../../markdown/split-text.ts";

/** QQ takes more, but longer messages fail now and then. */
export const textLimit = 1_800;
const smallestLimit = 200;

/** Markdown as plain text: QQ shows no styles, so links carry their address behind them. */
export function renderText(markdown: string): string {
  const { text, entities } = formatMarkdown(markdown);
  let shown = "";
  let end = 0;
  const links = entities.flatMap((entity) => (entity.type === "text_link" ? [entity] : []));
  for (const { offset, length, url } of links.toSorted((a, b) => a.offset - b.offset)) {
    shown += `${text.slice(end, offset + length)} (${url})`;
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
    return limit > smallestLimit
      ? splitForQq(part, Math.floor(limit / 2))
      : splitText(shown, textLimit).map(escapeMarkdown);
  });
}
