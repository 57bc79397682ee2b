import { tables, strikethrough } from "@joplin/turndown-plugin-gfm";
import domino from "@mixmark-io/domino";
import TurndownService from "turndown";

/** Runs in a worker (html-worker.ts): pages of strangers can be made to take long. */

export interface HtmlPage {
  readonly html: string;
  /** The address of the page; relative links are resolved against it. */
  readonly url: string;
  readonly format: "markdown" | "text";
}

/** Elements without words of the page, or with words for machines. */
const noise =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, audio, video, dialog, input, select, button, link, meta, [hidden], [aria-hidden=true]";
/** Elements around the words of a page. */
const frame = "nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search]";

export function convertHtml({ html, url, format }: HtmlPage): string {
  const document = domino.createDocument(html);
  const title = document.title.replaceAll(/\s+/g, " ").trim();
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  remove(document.body, noise);
  const content = findContent(document.body);
  const text = format === "text" ? toText(content) : toMarkdown(content, base);
  return title === "" || text.slice(0, 500).includes(title)
    ? text
    : `${format === "text" ? "" : "# "}${title}\n\n${text}`;
}

/** The part that says it is the content, if most of the words are in it; else the page without its frame. */
function findContent(body: PageElement): PageElement {
  const all = body.textContent?.length ?? 0;
  const [main, ...others] = [...body.querySelectorAll("main, [role=main], article")].filter(
    (element) => (element.textContent?.length ?? 0) > all / 2,
  );
  const content = others.findLast((element) => main?.contains(element)) ?? main ?? body;
  remove(content, frame);
  return content;
}

function remove(from: PageElement, selector: string): void {
  for (const element of from.querySelectorAll(selector)) element.remove();
}

function toMarkdown(content: PageElement, base: string): string {
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of content.querySelectorAll(selector)) {
      const target = URL.parse(element.getAttribute(name) ?? "", base);
      if (target && /^(?:https?|mailto):$/.test(target.protocol)) element.setAttribute(name, target.href);
      else element.removeAttribute(name);
    }
  }
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.use([tables, strikethrough]);
  return turndown
    .turndown(content)
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const blocks =
  /^(?:ADDRESS|ARTICLE|BLOCKQUOTE|BR|DD|DIV|DL|DT|FIGCAPTION|FIGURE|FORM|H[1-6]|HEADER|HR|LI|MAIN|OL|P|PRE|SECTION|TABLE|TR|UL)$/;

function toText(content: PageElement): string {
  const lines: string[] = [];
  const collect = (node: PageNode): void => {
    if (node.nodeType === 3) lines.push((node.nodeValue ?? "").replaceAll(/\s+/g, " "));
    const block = blocks.test(node.nodeName);
    if (block) lines.push("\n");
    for (let child = node.firstChild; child !== null; child = child.nextSibling) collect(child);
    if (block) lines.push("\n");
    else if (node.nodeName === "TD" || node.nodeName === "TH") lines.push("\t");
  };
  collect(content);
  return lines
    .join("")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}
