import type { Interface } from "node:readline";

const pasteOn = "\u001B[?2004h";
const pasteOff = "\u001B[?2004l";

/**
 * Reads the typing in a terminal, one message at a time. Lines that are pasted together are one message, sent by the next
 * Enter: the terminal is asked to bracket what is pasted. Source: xterm's control sequences, "Bracketed Paste Mode".
 */
export async function* readMessages(
  lines: Interface,
  { input, output }: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream },
): AsyncGenerator<string, void> {
  const ready: string[] = [];
  let pasted: string[] = [];
  let pasting = false;
  let closed = false;
  let wake: () => void = () => undefined;
  const onKey = (_text: unknown, key: { readonly name?: string } | undefined): void => {
    if (key?.name !== "paste-start" && key?.name !== "paste-end") return;
    pasting = key.name === "paste-start";
    // A tab that is pasted is a tab.
    Object.assign(lines, { isCompletionEnabled: !pasting });
  };
  input.on("keypress", onKey);
  lines.on("line", (line) => {
    pasted.push(line);
    if (pasting) return;
    ready.push(pasted.join("\n").trimEnd());
    pasted = [];
    wake();
  });
  lines.once("close", () => {
    closed = true;
    wake();
  });
  output.write(pasteOn);
  try {
    for (;;) {
      const next = ready.shift();
      if (next !== undefined) yield next;
      else if (closed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    input.off("keypress", onKey);
    output.write(pasteOff);
  }
}
