import type { LiveView } from "../types.ts";
import { formatMarkdown } from "../markdown/format-markdown.ts";
import { splitMarkdown } from "../markdown/split-markdown.ts";
import { tidyEntities, type FormattedText } from "../markdown/tidy-entities.ts";

export const textLimit = 4096;
const lineLimit = 120;
const linesLimit = 5;

/** Renders a running turn: its text (the end of it, when it is long), then a line per running tool. */
export function renderView(view: LiveView): FormattedText {
  const lines = view.tools
    // A D-Mail ends at once; that the past was changed stays in sight.
    .filter(
      ({ status, name }) => status === "started" || status === "writing" || (name === "dmail" && status === "done"),
    )
    .slice(-linesLimit)
    .flatMap(({ agent, phrase, name, summary, note }) => [
      name === "dmail" ? `▸ ${summary}` : `▸ ${phrase} ${agent === undefined ? "" : `${agent}：`}${name} ${summary}`,
      ...(note === undefined || note === "" ? [] : [`　${note}`]),
    ])
    .map((line) => line.replaceAll(/[^\S\u3000]+/g, " ").replace(/^ | $/g, ""))
    .map((line) => (line.length > lineLimit ? `${line.slice(0, lineLimit - 1)}…` : line));
  const footer = lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
  const opening = "…\n\n";
  const parts = splitMarkdown(view.text, textLimit - footer.length - opening.length);
  const body = formatMarkdown(parts.at(-1) ?? "");
  const lead = parts.length > 1 ? opening : "";
  const shifted = body.entities.map((entity) => ({ ...entity, offset: entity.offset + lead.length }));
  return tidyEntities((lead + body.text + footer).toWellFormed(), shifted);
}
