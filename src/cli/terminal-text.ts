import { makeVisible } from "../core/persona/show-payload.ts";

/** Takes away what would steer the terminal: only line ends and tabs stay of the control characters. */
export function toTerminalText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/** One line in which nothing is hidden: what a person decides on. */
export function toTerminalLine(text: string): string {
  return makeVisible(text).replaceAll(/\s*\n\s*/g, " ⏎ ");
}
