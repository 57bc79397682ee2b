import type { Interface } from "node:readline";

const pasteOn = "\u001B[?2004h";
const pasteOff = "\u001B[?2004l";
/** Shift-Enter, as terminals with kitty's keyboard protocol report it. */
const shiftEnter = "\u001B[13;2u";

interface Key {
  readonly name?: string;
  readonly meta?: boolean;
  readonly shift?: boolean;
  readonly sequence?: string;
}

/** The lines of a message that is being written, before the one at the prompt. */
export type Draft = string[];

/**
 * Reads the typing in a terminal, one message at a time. A line that ends in a backslash goes on, and so does one that
 * ends with Alt-Enter, or Shift-Enter where the terminal reports it. Lines that are pasted together are one message,
 * sent by the next Enter: the terminal is asked to bracket what is pasted. Source: xterm's control sequences,
 * "Bracketed Paste Mode".
 */
export async function* readMessages(
  lines: Interface,
  {
    input,
    output,
    draft = [],
    brackets = true,
    onPart = () => undefined,
  }: {
    readonly input: NodeJS.ReadStream;
    readonly output: NodeJS.WriteStream;
    readonly draft?: Draft;
    /** False when the terminal knows no control sequences. */
    readonly brackets?: boolean;
    /** A line was added to the draft by hand. */
    readonly onPart?: () => void;
  },
): AsyncGenerator<string, void> {
  const ready: string[] = [];
  let pasting = false;
  let breaking = false;
  let closed = false;
  let wake: () => void = () => undefined;
  const onKey = (_text: unknown, key: Key | undefined): void => {
    if (key?.name === "paste-start" || key?.name === "paste-end") {
      pasting = key.name === "paste-start";
      // A tab that is pasted is a tab.
      Object.assign(lines, { isCompletionEnabled: !pasting });
      return;
    }
    const isEnter = key?.name === "return" || key?.name === "enter";
    if (pasting || !((isEnter && (key.meta === true || key.shift === true)) || key?.sequence === shiftEnter)) return;
    breaking = true;
    lines.write(null, { name: "return" });
    breaking = false;
  };
  input.on("keypress", onKey);
  lines.on("line", (line) => {
    const goesOn = !pasting && !breaking && /(?:^|[^\\])(?:\\\\)*\\$/.test(line.slice(-64));
    draft.push(goesOn ? line.slice(0, -1) : line);
    if (pasting) return;
    if (goesOn || breaking) return onPart();
    ready.push(draft.splice(0).join("\n").trimEnd());
    wake();
  });
  lines.once("close", () => {
    closed = true;
    wake();
  });
  if (brackets) output.write(pasteOn);
  try {
    for (;;) {
      const next = ready.shift();
      if (next !== undefined) yield next;
      else if (closed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    input.off("keypress", onKey);
    if (brackets) output.write(pasteOff);
  }
}
