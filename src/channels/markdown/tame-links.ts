import type { Token, Tokens } from "marked";
import { listAddresses, normalizeAddress } from "../../core/named-addresses.ts";
import { lexMarkdown, readOrTakePlain } from "./lex-markdown.ts";

/**
 * Markdown whose links hide nothing: pictures become words, so that nothing is loaded from anywhere, and the address of
 * a link is shown next to its label, unless it is exactly one of `linked` (those that the person named or a search
 * found) and the label does not pose as another site. The parser that renders the message finds the links; what it
 * still finds after a few goes is broken by force.
 */
export function tameLinks(markdown: string, linked: readonly string[]): string {
  if (!markdown.includes("[")) return markdown;
  return readOrTakePlain(
    () => {
      let text = markdown;
      for (let go = 0; go < maxGoes; go += 1) {
        const wild = listWild(text, linked);
        if (wild.length === 0) return text;
        if (wild.length > maxWild) return breakLinks(text);
        for (const { raw, shown } of wild) text = text.replaceAll(raw, () => shown);
      }
      return listWild(text, linked).length === 0 ? text : breakLinks(text);
    },
    () => breakLinks(markdown),
  );
}

/** The text up to the last link that is still being written: half of one looks like something else. */
export function holdBackLink(text: string): string {
  const start = Math.max(0, text.length - maxHeldLength);
  const at = text.slice(start).search(/!?\[[^\]]{0,500}(?:\](?:\([^)]{0,2000}|\[[^\]]{0,200})?)?$/);
  return at < 0 ? text : text.slice(0, start + at);
}

const maxGoes = 4;
/** Each is looked for in all of the text. */
const maxWild = 300;
/** The longest text that `holdBackLink` looks for. */
const maxHeldLength = 2_510;

interface WildLink {
  readonly raw: string;
  readonly shown: string;
}

function listWild(markdown: string, linked: readonly string[]): readonly WildLink[] {
  const found: WildLink[] = [];
  visit(lexMarkdown(markdown), (token) => {
    if (token.type === "image") found.push({ raw: token.raw, shown: toWords((token as Tokens.Image).text, token) });
    if (token.type === "link" && !isHonest(token as Tokens.Link, linked)) {
      found.push({ raw: token.raw, shown: toWords(readLabel(token as Tokens.Link), token) });
    }
  });
  // A picture inside of a link: the outer one is rewritten in the next go.
  return found.filter(
    ({ raw }, index) => !found.some((other, at) => at !== index && raw !== other.raw && raw.includes(other.raw)),
  );
}

function visit(tokens: readonly Token[], see: (token: Token) => void): void {
  for (const token of tokens) {
    see(token);
    if ("tokens" in token && token.tokens !== undefined) visit(token.tokens, see);
    if (token.type === "list") visit((token as Tokens.List).items, see);
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [header, ...rows].flat()) visit(cell.tokens, see);
    }
  }
}

/** A bare address is its own label. */
function isHonest({ href, raw, text }: Tokens.Link, linked: readonly string[]): boolean {
  if (!raw.startsWith("[")) return true;
  if (text === href) return true;
  const address = normalizeAddress(href);
  if (address === undefined || !linked.includes(address)) return false;
  const host = URL.parse(address)?.host;
  return listAddresses(text).every((other) => URL.parse(other)?.host === host);
}

/** The label as it was written, with its style. */
function readLabel({ raw, text }: Tokens.Link): string {
  return raw.startsWith(`[${text}]`) ? text : (/^\[([\s\S]*?)\]/.exec(raw)?.[1] ?? text);
}

function toWords(label: string, token: Token): string {
  const href = (token as Tokens.Link).href;
  const shown = href.replaceAll(/\s/g, "%20");
  return label.trim() === "" || label === href ? shown : `${label} (${shown})`;
}

/** Leaves no link, picture or definition, however the text is parsed. */
function breakLinks(markdown: string): string {
  return markdown.replaceAll(/\](?=[([:])/g, "] ");
}
