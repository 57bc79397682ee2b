import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createFenceRenderer } from "../../src/cli/terminal/render-fences.ts";

/** No terminal: no colours. */
const stream = new PassThrough() as unknown as NodeJS.WriteStream;

function render(text: string, cut: readonly number[] = []): string {
  const fences = createFenceRenderer(stream);
  const marks = [0, ...cut, text.length];
  const pieces = marks.slice(1).map((end, index) => text.slice(marks[index], end));
  return pieces.map((piece) => fences.push(piece)).join("") + fences.flush();
}

test.each([
  {
    what: "code",
    text: "看：\n```python\nx = 1\n\ny\n```\n好。\n",
    shown: "看：\n    python\n    x = 1\n\n    y\n好。\n",
  },
  { what: "no language", text: "```\na\n```\n", shown: "    a\n" },
  { what: "a fence inside a longer one", text: "````\n```\na\n```\n````\nb", shown: "    ```\n    a\n    ```\nb" },
  { what: "a fence that never ends", text: "```\na", shown: "    a" },
  { what: "a fence at the very end", text: "```\na\n```", shown: "    a\n" },
  {
    what: "code within a line, and a line that begins with it",
    text: "用 `ls`。\n`pwd` 也行",
    shown: "用 `ls`。\n`pwd` 也行",
  },
  { what: "one backtick at the end", text: "a\n`", shown: "a\n`" },
])("shows $what, however it is cut into pieces", ({ text, shown }) => {
  expect(render(text)).toBe(shown);
  for (let at = 1; at < text.length; at += 1) expect(render(text, [at]), `cut at ${at}`).toBe(shown);
  const everywhere = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
  expect(render(text, everywhere)).toBe(shown);
});
