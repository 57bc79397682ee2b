/** Tells the lines of fenced code from text. */
export interface FenceReader {
  /** A whole line. undefined = it is text; "fence" = it only opens or closes the code. */
  take(line: string): "fence" | { readonly kind: "language" | "code"; readonly text: string } | undefined;
  isOpen(): boolean;
  close(): void;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;

export function createFenceReader(): FenceReader {
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
