import { countColumns, isMarked, narrowLines } from "../../core/persona/mark-lines.ts";

/** The width of the terminal behind standard output. */
export function terminalColumns(): number {
  return process.stdout.columns || 80;
}

/** Breaks text between words and never within one; Chinese and Japanese break between letters. */
export interface LineWrapper {
  /** A piece of the line, with the style of each part of it that stays on one line. */
  put(text: string, paint?: (part: string) => string): string;
  /** The end of the line. The lines that it wraps into from now on begin with `hang` spaces. */
  endLine(hang?: number): string;
  /** The next piece begins in this column; what follows a break begins with `hang` spaces. */
  startAt(column: number, hang?: number): void;
  column(): number;
}

/** Columns left free at the edge, so that a closing mark stays with its word. */
const reserve = 2;
const closing = new Set("、。，．：；！？）」』】〕〉》”’…—ー々・,.!?;:)]}%");
const opening = new Set("（「『【〔〈《“‘([{");
const plain = (part: string): string => part;

export function createLineWrapper(columns: () => number): LineWrapper {
  let column = 0;
  let hang = 0;
  /** Spaces that are written only if a word follows on the same line. */
  let gap = "";
  let isFresh = true;

  function startAt(at: number, indent = 0): void {
    column = at;
    hang = indent;
    gap = "";
    isFresh = at <= indent;
  }

  return {
    put(text, paint = plain) {
      let written = "";
      let part = "";
      for (const unit of splitUnits(text)) {
        if (unit.trim() === "") {
          gap += unit;
          continue;
        }
        const width = countColumns(unit);
        const limit = columns() - (closing.has(unit) && gap === "" ? 0 : reserve);
        if (!isFresh && column + countColumns(gap) + width > limit) {
          written += `${part === "" ? "" : paint(part)}\n${" ".repeat(hang)}`;
          part = unit;
          column = hang + width;
        } else {
          if (part === "") written += gap;
          part += (part === "" ? "" : gap) + unit;
          column += countColumns(gap) + width;
        }
        // A word that is longer than the line runs on in the next one.
        if (column > columns()) column %= columns();
        gap = "";
        isFresh = false;
      }
      return written + (part === "" ? "" : paint(part));
    },
    endLine(indent = 0) {
      startAt(0, indent);
      return "\n";
    },
    startAt,
    column: () => column,
  };
}

/** Whole texts, each line with the indentation it has, or `hang`. */
export function wrapText(
  text: string,
  { columns, start = 0, hang }: { readonly columns: number; readonly start?: number; readonly hang?: number },
): string {
  return text
    .split("\n")
    .map((line, index) => {
      const words = line.trimStart();
      const indent = line.length - words.length;
      const wrapper = createLineWrapper(() => columns);
      wrapper.startAt((index === 0 ? start : 0) + indent, hang ?? indent);
      return words === "" ? "" : line.slice(0, indent) + wrapper.put(words);
    })
    .join("\n");
}

/** The same for texts with lines that another person wrote: those keep their marks, and break as the marks say. */
export function fitText(text: string, options: Parameters<typeof wrapText>[1]): string {
  return text
    .split("\n")
    .map((line, index) =>
      line !== "" && isMarked(line)
        ? narrowLines(line, options.columns - 2)
        : wrapText(line, index === 0 ? options : { ...options, start: 0 }),
    )
    .join("\n");
}

/** The beginning of a line that fits into `columns`. */
export function cutToColumns(line: string, columns: number): string {
  if (countColumns(line) <= columns) return line;
  let shown = "";
  let width = 1;
  for (const letter of line) {
    width += countColumns(letter);
    if (width > columns) break;
    shown += letter;
  }
  return `${shown}…`;
}

/** Words, gaps, and single wide letters; a mark stays with the word that it closes or opens. */
function splitUnits(text: string): string[] {
  const units: string[] = [];
  let before: "gap" | "word" | "wide" | "opening" | undefined;
  for (const letter of text) {
    const isGap = letter === " " || letter === "\t";
    const isWide = !isGap && countColumns(letter) === 2;
    const kind = isGap ? "gap" : opening.has(letter) ? "opening" : isWide ? "wide" : "word";
    const joins =
      before !== undefined &&
      (isGap
        ? before === "gap"
        : before !== "gap" && (closing.has(letter) || before === "opening" || (kind === "word" && before === "word")));
    if (joins) units[units.length - 1] += letter;
    else units.push(letter);
    before = joins && closing.has(letter) && isWide ? "wide" : kind;
  }
  return units;
}
