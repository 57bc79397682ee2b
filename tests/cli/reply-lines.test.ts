import { expect, it } from "vitest";
import { createReplyLines } from "../../src/cli/terminal/reply-lines.ts";

/** What stands on the screen: `a+text` is a piece of the reply to a, `a=text` the whole of it, `|` a line of something else. */
function show(...events: readonly string[]): string {
  const lines = createReplyLines();
  let screen = "";
  for (const event of events) {
    if (event === "|") {
      screen += `${lines.endLine() ? "\n" : ""}|\n`;
      continue;
    }
    const [cause, kind, text] = [event.charAt(0), event.charAt(1), event.slice(2)];
    const shown = kind === "+" ? lines.add(cause, text) : lines.end(cause, text);
    screen += `${shown.begins === "below" ? "\n" : ""}${shown.begins ? "> " : ""}${shown.text}`;
  }
  return screen;
}

it.each([
  ["a reply that came in pieces", ["a+One. ", "a+Two.", "a=One. Two."], "> One. Two.\n"],
  ["a reply with more at its end", ["a+One.", "a=One.\n\nBy the way."], "> One.\n\nBy the way.\n"],
  ["a reply that came at once", ["a=One."], "> One.\n"],
  ["a piece that ends in space which the whole text lacks", ["a+One.\n\n", "a=One."], "> One.\n\n"],
  ["a piece that ends a line", ["a+One.\n", "a+Two.", "a=One.\nTwo."], "> One.\nTwo.\n"],
  ["a tool between the pieces", ["a+One.", "|", "a+\n\nTwo.", "a=One.\n\nTwo."], "> One.\n|\n> Two.\n"],
  ["a tool before the end", ["a+One.", "|", "a=One."], "> One.\n|\n"],
  ["another reply while one is coming", ["a+One. ", "b=No.", "a+Two.", "a=One. Two."], "> One. \n> No.\n> Two.\n"],
  [
    "a text that was changed after its pieces",
    ["a+One. I am a bot.", "a=One. Listen."],
    "> One. I am a bot.\n> Listen.\n",
  ],
])("%s stands there once", (_, events, screen) => {
  expect(show(...events)).toBe(screen);
});
