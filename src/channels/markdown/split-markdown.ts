import type { MarkedToken, TokensList } from "marked";
import { breakBlock } from "./break-block.ts";
import type { Fragment } from "./break-paragraph.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { endsWithBlankLine, formatMarkdown } from "./format-markdown.ts";
import { lexMarkdown, readOrTakePlain } from "./lex-markdown.ts";
import { splitText } from "./split-text.ts";

/**
 * Cuts Markdown into parts that are Markdown again, each of at most `limit` UTF-16 units once formatted. Blocks stay
 * whole where they fit; code that does not is fenced again in every part. Nothing but white space at the cuts is lost.
 */
export function splitMarkdown(markdown: string, limit: number): string[] {
  const source = markdown.toWellFormed();
  const whole = formatMarkdown(source).text;
  if (whole.length <= limit) return [source];
  const takePlain = () => splitText(whole, limit).map(escapeMarkdown);
  return readOrTakePlain(() => {
    const blocks = lexMarkdown(source);
    const parts = packFragments(breakBlocks(blocks, limit), readDefinitions(blocks), limit);
    const shown = parts.map((part) => formatMarkdown(part).text);
    // Markdown read in pieces can mean something else than read whole; then the words matter more than their style.
    const faithful =
      withoutSpace(shown.join("\n")) === withoutSpace(whole) && shown.every((text) => text.length <= limit);
    return faithful ? parts : takePlain();
  }, takePlain);
}

function breakBlocks(blocks: TokensList, limit: number): Fragment[] {
  const fragments: Fragment[] = [];
  let glue: Fragment["glue"] = "\n";
  for (const token of blocks) {
    if (token.type === "space") {
      glue = "\n\n";
      continue;
    }
    const [first, ...others] = breakWhereLong(token as MarkedToken, limit);
    if (first !== undefined) fragments.push({ ...first, glue }, ...others);
    glue = endsWithBlankLine(token.raw) ? "\n\n" : "\n";
  }
  return fragments;
}

function breakWhereLong(block: MarkedToken, limit: number): Fragment[] {
  const raw = block.raw.trimEnd();
  return formatMarkdown(raw).text.length <= limit
    ? [{ glue: "\n", markdown: raw }]
    : breakBlock(block, limit, splitMarkdown);
}

/** Link definitions show nothing; every part gets them all, so that `[text][1]` keeps its target. */
function readDefinitions(blocks: TokensList): string {
  const definitions = Object.entries(blocks.links).map(([name, { href }]) => `[${name}]: <${href ?? ""}>`);
  return definitions.length === 0 ? "" : `\n\n${definitions.join("\n")}`;
}

/** Fragments are measured one by one: measuring every growing part again would cost the square of its length. */
function packFragments(fragments: readonly Fragment[], definitions: string, limit: number): string[] {
  const parts: string[] = [];
  let current = "";
  let length = 0;
  for (const { glue, markdown } of fragments) {
    const added = measure(markdown);
    if (current !== "" && length + glue.length + added <= limit) {
      current += glue + markdown;
      length += glue.length + added;
      continue;
    }
    if (current !== "") parts.push(current + definitions);
    current = markdown;
    length = added;
  }
  if (current !== "") parts.push(current + definitions);
  return parts;
}

/** With the white space at the end, which counts once something follows. */
function measure(markdown: string): number {
  return (
    formatMarkdown(markdown).text.length +
    (markdown.length - markdown.trimEnd().length) +
    (markdown.length - markdown.trimStart().length)
  );
}

/** A mark without words behind it only keeps the space before it. */
function withoutSpace(text: string): string {
  return text.replaceAll(/^[│┆] *$/gm, "").replaceAll(/\s+/g, "");
}
