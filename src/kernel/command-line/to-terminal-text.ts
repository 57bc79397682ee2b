import { escapeControls } from "../../core/escape-controls.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";

/** Removes characters that control a terminal: of control and direction characters, only line ends and tabs stay. */
export function toTerminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "");
}

/** Equivalent JSON on one line, with characters that control a terminal as `\\uXXXX`. */
export function toTerminalJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** One line in which nothing is hidden, for text that a person decides on. */
export function toTerminalLine(text: string): string {
  const lines = makeVisible(text).split("\n");
  const [first = "", last] = [lines.shift(), lines.pop()];
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ⏎ ");
}
