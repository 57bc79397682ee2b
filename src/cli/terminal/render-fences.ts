import { styleText } from "node:util";

/** Code of a reply in the colour and the margin of code, without its fences, while the reply still comes. */
export interface FenceRenderer {
  /** The part of a text that can be shown; the beginning of a line that may be a fence is held back. */
  push(text: string): string;
  /** The text held back: the reply is over. */
  flush(): string;
}

const margin = "    ";
/** Nobody knows yet how long it gets. */
const mayBecomeFence = /^ {0,3}(?:`*|~*)$/;
const isFence = /^ {0,3}(?:`{3,}|~{3,})/;

export function createFenceRenderer(stream: NodeJS.WriteStream): FenceRenderer {
  /** The fence that is open. */
  let fence: string | undefined;
  let held = "";
  let atLineStart = true;

  function showLine(piece: string, ends: boolean): string {
    const end = ends ? "\n" : "";
    const margined = fence !== undefined && atLineStart && piece !== "" ? margin : "";
    atLineStart = ends;
    if (fence === undefined) return `${piece}${end}`;
    return `${margined}${piece === "" ? "" : styleText("cyan", piece, { stream })}${end}`;
  }

  /** A whole line that is a fence shows its language, or nothing. */
  function passFence(line: string): string {
    const [, mark = "", language = ""] = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/.exec(line) ?? [];
    const opens = fence === undefined;
    fence = opens ? mark : undefined;
    return opens && language !== "" ? `${margin}${styleText("dim", language, { stream })}\n` : "";
  }

  function closes(line: string): boolean {
    const mark = line.trim();
    return fence === undefined || (mark.startsWith(fence) && mark === (fence[0] ?? "").repeat(mark.length));
  }

  return {
    push(text) {
      const pieces = (held + text).split("\n");
      const begins = held !== "" || atLineStart;
      held = "";
      return pieces
        .map((piece, index) => {
          const whole = index < pieces.length - 1;
          const starts = index > 0 || begins;
          if (starts && isFence.test(piece) && closes(piece)) {
            atLineStart = true;
            if (whole) return passFence(piece);
            held = piece;
            return "";
          }
          if (!whole && starts && piece !== "" && mayBecomeFence.test(piece)) {
            held = piece;
            return "";
          }
          return piece === "" && !whole ? "" : showLine(piece, whole);
        })
        .join("");
    },
    flush() {
      const rest = held;
      held = "";
      const shown = rest === "" || (isFence.test(rest) && closes(rest)) ? "" : showLine(rest, false);
      fence = undefined;
      atLineStart = true;
      return shown;
    },
  };
}
