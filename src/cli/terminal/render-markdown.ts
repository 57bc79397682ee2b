import { styleText } from "node:util";
import { formatMarkdown } from "../../channels/markdown/format-markdown.ts";
import { renderTable } from "./render-table.ts";
import { createLineWrapper } from "./wrap-text.ts";

/** Tells the lines of fenced code from text. */
interface FenceReader {
  /** A whole line. undefined = it is text; "fence" = it only opens or closes the code. */
  take(line: string): "fence" | { readonly kind: "language" | "code"; readonly text: string } | undefined;
  isOpen(): boolean;
  close(): void;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;

/** Markdown as a terminal shows it, while the reply still comes. */
export interface MarkdownRenderer {
  /** The part of a text that can be shown; a line whose kind or style is not clear yet is held back. */
  push(text: string): string;
  /** Everything held back; the block that is open stays open. */
  pause(): string;
  /** Everything held back: the reply is over. */
  flush(): string;
  /** The next text begins in this column. */
  startAt(column: number): void;
}

const margin = "    ";
const maxRuleColumns = 40;
/** A line that begins like this may be a block of its own. */
const mayBeBlock = /^\s*(?:$|[`~#|>*+_=-]|\d)/;
/** Text after such a sign may have a style. */
const mayBeStyled = /[*_~`[\]<>!\\&]|https?:|www\./i;
/** More than this of a line is never held back. */
const maxHeld = 2_000;
/** The beginning of a word whose end has not come. */
const openWord = /[\w.@/:%+-]{1,60}$/;

const isTableRow = (line: string): boolean => /^\s{0,3}\|/.test(line);

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<string, Style>> = {
  bold: "bold",
  italic: "italic",
  code: "cyan",
  strikethrough: "strikethrough",
  text_link: "underline",
};

export function createMarkdownRenderer(stream: NodeJS.WriteStream, columns: () => number): MarkdownRenderer {
  const fences = createFenceReader();
  const wrapper = createLineWrapper(columns);
  const hasStyles = styleText("bold", "x", { stream }) !== "x";
  let held = "";
  let table: string[] = [];
  /** A part of the line has been shown. */
  let isWithin = false;

  const paint = (style: Style) => (part: string) => styleText(style, part, { stream });

  /** Text within a line, as the style of each part says. */
  function putInline(markdown: string, base?: Style): string {
    const { text, entities } = formatMarkdown(markdown);
    const lead = /^\s*/.exec(markdown)?.[0] ?? "";
    const tail = /\s*$/.exec(markdown.slice(lead.length))?.[0] ?? "";
    const marks = new Set([0, text.length]);
    for (const { offset, length } of entities) marks.add(offset).add(offset + length);
    const ends = [...marks].toSorted((one, other) => one - other);
    let shown = wrapper.put(lead);
    for (const [index, end] of ends.entries()) {
      if (index === 0) continue;
      const start = ends[index - 1] ?? 0;
      const here = entities.filter(({ offset, length }) => offset <= start && end <= offset + length);
      const names = here.flatMap(({ type }) => styles[type] ?? []).flat();
      const all = [...(base === undefined ? [] : [base].flat()), ...names] as Style;
      // Without colours the signs say what is code.
      const isCode = !hasStyles && here.some(({ type }) => type === "code");
      const part = text.slice(start, end).replaceAll("\n", " ");
      shown += wrapper.put(isCode ? `\`${part}\`` : part, [all].flat().length === 0 ? undefined : paint(all));
      for (const entity of here)
        if (entity.type === "text_link" && entity.offset + entity.length === end)
          shown += wrapper.put(` (${entity.url})`, paint("dim"));
    }
    return shown + wrapper.put(tail);
  }

  /** A block begins on a line of its own, also behind her name. */
  function ownLine(): string {
    return wrapper.column() === 0 ? "" : wrapper.endLine();
  }

  function showTable(): string {
    const lines = table;
    table = [];
    if (lines.length === 0) return "";
    const before = ownLine();
    wrapper.startAt(0);
    return before + renderTable(lines, columns(), paint("bold"));
  }

  /** A whole line outside of code. */
  function showLine(line: string): string {
    const [, indent = "", heading] = /^( {0,3})#{1,6}[ \t]+(.*)$/.exec(line) ?? [];
    if (heading !== undefined) return indent + putInline(heading.replace(/[ \t]#+[ \t]*$/, "").trim(), "bold");
    if (/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line))
      return ownLine() + paint("dim")("─".repeat(Math.min(maxRuleColumns, columns() - 1)));
    const [, depth, quoted] = /^\s*((?:>\s?)+)(.*)$/.exec(line) ?? [];
    if (depth !== undefined && quoted !== undefined) {
      const bars = "▎ ".repeat(depth.split(">").length - 1);
      return putItem("", paint("dim")(bars), bars.length, quoted);
    }
    const [, space = "", mark, item] = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/.exec(line) ?? [];
    if (mark === undefined || item === undefined) return putInline(line);
    const box = /^\[([ xX])\][ \t]+/.exec(item);
    const sign = box ? (box[1] === " " ? "☐" : "☑") : /\d/.test(mark) ? mark : "•";
    return putItem(space.replaceAll("\t", margin), `${sign} `, sign.length + 1, item.slice(box?.[0].length ?? 0));
  }

  function putItem(space: string, sign: string, width: number, text: string): string {
    const begin = ownLine();
    wrapper.startAt(space.length + width, space.length + width);
    return `${begin}${space}${sign}${putInline(text)}`;
  }

  function showCode({ kind, text }: { readonly kind: "language" | "code"; readonly text: string }): string {
    return text === "" ? "" : margin + paint(kind === "language" ? "dim" : "cyan")(text);
  }

  /** A line to its end. */
  function takeLine(line: string): string {
    const code = isWithin ? undefined : fences.take(line);
    if (code !== undefined) {
      const before = showTable() + ownLine();
      return code === "fence" ? before : `${before}${showCode(code)}${wrapper.endLine()}`;
    }
    if (!isWithin && isTableRow(line)) {
      table.push(line);
      return "";
    }
    const shown = showTable() + (isWithin ? putInline(line) : showLine(line));
    isWithin = false;
    return shown + wrapper.endLine();
  }

  /** The part of a line that has not ended which can be shown: it is text, and nothing in it may still get a style. */
  function takePart(): string {
    if (fences.isOpen() || (!isWithin && mayBeBlock.test(held))) return "";
    const mark = held.length > maxHeld ? held.length : held.search(mayBeStyled);
    const sure = mark < 0 ? held.length - (openWord.exec(held.slice(-60))?.[0].length ?? 0) : mark;
    if (sure <= 0) return "";
    const part = held.slice(0, sure);
    held = held.slice(sure);
    const before = showTable();
    isWithin = true;
    return before + wrapper.put(part);
  }

  function pause(): string {
    const rest = held;
    held = "";
    if (rest === "") return showTable();
    const code = isWithin ? undefined : fences.take(rest);
    if (code !== undefined) {
      const before = showTable() + ownLine();
      return code === "fence"
        ? before
        : `${before}${showCode(code)}${code.kind === "language" ? wrapper.endLine() : ""}`;
    }
    if (!isWithin && isTableRow(rest)) {
      table.push(rest);
      return showTable();
    }
    const shown = showTable() + (isWithin ? putInline(rest) : showLine(rest));
    isWithin = true;
    return shown;
  }

  return {
    push(text) {
      const lines = (held + text).split("\n");
      held = lines.pop() ?? "";
      return lines.map(takeLine).join("") + takePart();
    },
    pause,
    flush() {
      const rest = pause();
      fences.close();
      isWithin = false;
      wrapper.startAt(0);
      return rest;
    },
    startAt(column) {
      isWithin = false;
      wrapper.startAt(column);
    },
  };
}

function createFenceReader(): FenceReader {
  /** The mark that opened the code. */
  let open: string | undefined;
  return {
    take(line) {
      const [, mark = "", language = ""] = fenceLine.exec(line) ?? [];
      if (open === undefined) {
        if (mark === "") return undefined;
        open = mark;
        return language === "" ? "fence" : { kind: "language", text: language };
      }
      if (!closes(line, open)) return { kind: "code", text: line };
      open = undefined;
      return "fence";
    },
    isOpen: () => open !== undefined,
    close: () => void (open = undefined),
  };
}

function closes(line: string, open: string): boolean {
  const mark = line.trim();
  return mark.startsWith(open) && mark === (open[0] ?? "").repeat(mark.length) && /^ {0,3}\S/.test(line);
}
