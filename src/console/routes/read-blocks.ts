import type { MarkedToken, Token } from "marked";
import { lexMarkdown, readOrTakePlain } from "../../channels/markdown/lex-markdown.ts";
import { tameLinks } from "../../channels/markdown/tame-links.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Block, Inline } from "../views/chats-views.ts";

const linkable: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Markdown as data. Pictures are words, links say where they lead, and HTML is the text that it is. */
export function readBlocks(markdown: string): readonly Block[] {
  const text = tameLinks(makeVisible(markdown.toWellFormed()), []);
  return readOrTakePlain(
    () => lexMarkdown(text).flatMap((token) => readBlock(token as MarkedToken)),
    () => readPlain(text),
  );
}

/** A person's words as they were typed: stars and brackets are their own. */
export function readPlain(text: string): readonly Block[] {
  const shown = makeVisible(text.toWellFormed()).trimEnd();
  if (shown === "") return [];
  const lines = shown.split("\n");
  const inside = lines.flatMap((line, at): Inline[] => [
    ...(at > 0 ? [{ kind: "break" as const }] : []),
    ...(line === "" ? [] : [{ kind: "text" as const, text: line }]),
  ]);
  return [{ kind: "paragraph", inside }];
}

function readBlock(token: MarkedToken): readonly Block[] {
  switch (token.type) {
    case "heading":
      return [{ kind: "heading", level: token.depth, inside: readInline(token.tokens) }];
    case "paragraph":
      return [{ kind: "paragraph", inside: readInline(token.tokens) }];
    case "text":
      return [{ kind: "paragraph", inside: readInline(token.tokens ?? [token]) }];
    case "blockquote":
      return [{ kind: "quote", blocks: readAll(token.tokens) }];
    case "code":
      return [{ kind: "code", text: token.text }];
    case "list":
      return [
        {
          kind: "list",
          ...(token.ordered && { start: typeof token.start === "number" ? token.start : 1 }),
          items: token.items.map((item) => {
            const blocks = readAll(item.tokens);
            return item.task ? [tick(item.checked === true), ...blocks] : blocks;
          }),
        },
      ];
    case "table":
      return [
        {
          kind: "table",
          header: token.header.map(({ tokens }) => readInline(tokens)),
          rows: token.rows.map((row) => row.map(({ tokens }) => readInline(tokens))),
        },
      ];
    case "hr":
      return [{ kind: "rule" }];
    case "space":
    case "def":
      return [];
    case "html":
    case "list_item":
    case "br":
    case "codespan":
    case "del":
    case "em":
    case "escape":
    case "image":
    case "link":
    case "strong":
      break;
  }
  const text = token.raw.trimEnd();
  return text === "" ? [] : [{ kind: "paragraph", inside: [{ kind: "text", text }] }];
}

const readAll = (tokens: readonly Token[]): readonly Block[] =>
  tokens.flatMap((token) => readBlock(token as MarkedToken));

const tick = (isDone: boolean): Block => ({
  kind: "paragraph",
  inside: [{ kind: "text", text: isDone ? "[x]" : "[ ]" }],
});

const readInline = (tokens: readonly Token[]): readonly Inline[] =>
  tokens.flatMap((token) => readSpan(token as MarkedToken));

function readSpan(token: MarkedToken): readonly Inline[] {
  switch (token.type) {
    case "strong":
    case "em":
      return [{ kind: token.type, inside: readInline(token.tokens) }];
    case "del":
      // A single tilde is a range in Chinese and Japanese (10~20), never a deletion.
      return token.raw.startsWith("~~")
        ? [{ kind: "del", inside: readInline(token.tokens) }]
        : [{ kind: "text", text: "~" }, ...readInline(token.tokens), { kind: "text", text: "~" }];
    case "codespan":
      return [{ kind: "code", text: token.text }];
    case "link": {
      const url = URL.parse(token.href);
      const inside = readInline(token.tokens);
      return url !== null && linkable.has(url.protocol) ? [{ kind: "link", href: url.href, inside }] : inside;
    }
    case "br":
      return [{ kind: "break" }];
    case "image":
      return [{ kind: "text", text: token.text }];
    case "escape":
      return [{ kind: "text", text: token.text }];
    case "text":
      return token.text
        .split("\n")
        .flatMap((text, at): Inline[] => [...(at > 0 ? [{ kind: "break" as const }] : []), { kind: "text", text }]);
    case "html":
    case "blockquote":
    case "code":
    case "def":
    case "heading":
    case "hr":
    case "list":
    case "list_item":
    case "paragraph":
    case "space":
    case "table":
      break;
  }
  return [{ kind: "text", text: token.raw }];
}
