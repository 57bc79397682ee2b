import { lineMarks } from "../../core/persona/mark-lines.ts";
import { escapeControls } from "../../core/escape-controls.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";

/** Takes away what would steer the terminal: of control and direction characters only line ends and tabs stay. */
export function toTerminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "");
}

/** One line of JSON that means the same, with what would steer a terminal written as `\\uXXXX`. */
export function toTerminalJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** One line in which nothing is hidden: what a person decides on. */
export function toTerminalLine(text: string): string {
  const lines = makeVisible(text).split("\n");
  const [first = "", last] = [lines.shift(), lines.pop()];
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ⏎ ");
}

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
