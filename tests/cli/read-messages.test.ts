import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { readMessages } from "../../src/cli/read-messages.ts";

test("pasted lines are one message, sent by the next Enter, with their tabs; typed lines are one each", async () => {
  const input = new PassThrough() as unknown as NodeJS.ReadStream;
  const output = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough;
  const lines = createInterface({ input, output, terminal: true, completer: () => [[], ""] });
  const messages = readMessages(lines, { input, output });
  const first = messages.next();
  const type = (text: string) => (input as unknown as PassThrough).write(text);
  type("你好\r");
  expect(await first).toEqual({ done: false, value: "你好" });
  const pasted = messages.next();
  type("先看：\u001B[200~one\n\ttwo\r\n\nfour\u001B[201~");
  type("，改好\r");
  expect((await pasted).value).toBe("先看：one\n\ttwo\n\nfour，改好");
  const next = messages.next();
  type("\u001B[200~all of it\nto the end\n\u001B[201~\r");
  expect((await next).value, "what was pasted with its last line break").toBe("all of it\nto the end");
  const empty = messages.next();
  type("\r");
  expect((await empty).value, "an empty line is one, too").toBe("");
  const end = messages.next();
  lines.close();
  expect((await end).done).toBe(true);
  expect(String(output.read())).toMatch(/\u001B\[\?2004h[\s\S]*\u001B\[\?2004l/);
});
