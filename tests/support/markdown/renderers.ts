import domino from "@mixmark-io/domino";
import createMarkdownIt from "markdown-it";
import { marked } from "marked";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import showdown from "showdown";

const markdownIt = createMarkdownIt({ html: true, linkify: true });
const plainShowdown = new showdown.Converter();
const githubShowdown = new showdown.Converter({ tables: true, strikethrough: true, tasklists: true });
githubShowdown.setFlavor("github");
// A name with an @ is a link to a profile there, by the reader's own choice.
githubShowdown.setOption("ghMentions", false);

/** Readers of Markdown that clients are built on, each as open as it can be: raw HTML and all protocols are let through. */
export const renderers: Readonly<Record<string, (markdown: string) => string>> = {
  "markdown-it": (markdown) => markdownIt.render(markdown),
  micromark: (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  "micromark without GFM": (markdown) =>
    micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true }),
  showdown: (markdown) => plainShowdown.makeHtml(markdown),
  "showdown as GitHub": (markdown) => githubShowdown.makeHtml(markdown),
  marked: (markdown) => marked.parse(markdown, { async: false }),
};

/** Elements that Markdown's own styles become; any other one was raw HTML. */
const ownElements = new Set(
  "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr input li ol p pre s strong table tbody td th thead tr ul".split(
    " ",
  ),
);

export interface Finding {
  readonly kind: "picture" | "hidden link" | "raw HTML";
  readonly html: string;
}

/** What a person cannot see of a rendered text: pictures that are loaded, addresses behind other words, and HTML. */
export function findHidden(html: string): readonly Finding[] {
  const { body } = domino.createDocument(`<body>${html}</body>`);
  return [...body.querySelectorAll("*")].flatMap((element): readonly Finding[] => {
    const name = element.localName;
    if (name === "img" || name === "picture") return [{ kind: "picture", html: element.outerHTML }];
    if (
      name === "a" &&
      ![element.textContent ?? "", element.innerHTML.replaceAll("&gt;", ">").replaceAll("&amp;", "&")].some((label) =>
        isHonest(element.getAttribute("href") ?? "", label),
      )
    )
      return [{ kind: "hidden link", html: element.outerHTML }];
    const isOwn = ownElements.has(name) && element.getAttribute("style")?.includes("url") !== true;
    return isOwn ? [] : [{ kind: "raw HTML", html: element.outerHTML }];
  });
}

/** Some readers show an address with its percent signs, or the letters of its host, decoded. */
function isHonest(href: string, label: string): boolean {
  const target = normalize(href);
  return [label, `http://${label}`, `https://${label}`].some(
    (shown) => normalize(shown) === target || decode(shown) === decode(href.replace(/^mailto:/, "")),
  );
}

function normalize(address: string): string {
  return decode(URL.parse(address.replace(/^mailto:/, "http://"))?.href ?? address);
}

function decode(address: string): string {
  return address.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
