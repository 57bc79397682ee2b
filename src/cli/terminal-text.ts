import { makeVisible } from "../core/persona/show-payload.ts";

/** Takes away what would steer the terminal: only line ends and tabs stay of the control characters. */
export function toTerminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/** One line in which nothing is hidden: what a person decides on. */
export function toTerminalLine(text: string): string {
  const lines = makeVisible(text).split("\n");
  const [first = "", last] = [lines.shift(), lines.pop()];
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ⏎ ");
}
