import { lineMarks } from "../../core/persona/mark-lines.ts";
import { toTerminalText } from "../../kernel/command-line/to-terminal-text.ts";

/** The outcome of a question ends with who decided it, and when. */
export function nameYou(text: string, { user, you }: { readonly user: string; readonly you: string }): string {
  const parts = text.split(" · ");
  return parts.map((part, index) => (index === parts.length - 2 && part === user ? you : part)).join(" · ");
}

const fence = /^`{3,40}$/;
const isMarked = (line = ""): boolean => Object.values(lineMarks).some((mark) => line.startsWith(mark.trimEnd()));

/** A question without the signs of Markdown: each line of what would run has a mark of its own, so no fence is needed. */
export function openMarkedBlocks(text: string): string {
  const lines = text.split("\n");
  return lines
    .filter((line, index) => !(fence.test(line) && [lines[index - 1], lines[index + 1]].some((near) => isMarked(near))))
    .map((line) => (isMarked(line) ? line : line.replace(/^`([^`]+)`$/, "$1")))
    .join("\n");
}

/** The display of a call, below its line. */
export function indentDisplay(display: string): string {
  return toTerminalText(openMarkedBlocks(display)).replaceAll(/^/gm, "    ");
}
