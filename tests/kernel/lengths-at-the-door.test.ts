import { describe, expect, it } from "vitest";
import { readEvent } from "../../src/channels/onebot/read-event.ts";
import { readUpdate } from "../../src/channels/telegram/read-update.ts";
import { createAnswerCollector } from "../../src/models/collect-answer.ts";
import type { AnswerPiece } from "../../src/models/model-client.ts";
import { McpFault } from "../../src/features/mcp/connection/mcp-fault.ts";

const long = "长 ".repeat(1_500_000);
const from = { id: 7, first_name: long, username: long, language_code: long };
const chat = { id: 7, type: "private" };
const read = (field: string, content: object) =>
  readUpdate({ update_id: 1, [field]: content }, { id: "9", username: "k" }, 0);

describe("Telegram", () => {
  it.each([
    ["a text", { text: long }],
    ["a caption", { caption: long, photo: [{ file_id: "a" }] }],
    ["a quote", { text: "a", quote: { text: long }, reply_to_message: { message_id: 1 } }],
    ["a message that is replied to", { text: "a", reply_to_message: { message_id: 1, text: long } }],
    ["a story elsewhere", { text: "a", external_reply: { message_id: 1 }, quote: { text: long } }],
    ["the name of a file", { document: { file_id: "a", file_name: long, mime_type: long } }],
    ["a poll", { poll: { question: long } }],
    ["a contact", { contact: { first_name: long } }],
  ])("keeps a bounded part of %s", (_, content) => {
    const event = read("message", { message_id: 2, date: 1, from, chat, ...content });
    expect(event.kind).toBe("message");
    expect(JSON.stringify(event).length).toBeLessThan(34_000);
  });

  it("ignores a press with more data than a button can have", () => {
    const press = (data: string, id: string) =>
      read("callback_query", { id, data, from, message: { message_id: 2, chat } });
    expect(press("a", "1").kind).toBe("press");
    expect(press(long, "1")).toMatchObject({ kind: "ignored", rule: "malformed" });
    expect(press("a", long)).toMatchObject({ kind: "ignored", rule: "malformed" });
  });
});

describe("QQ", () => {
  const event = (message: unknown) =>
    readEvent(
      {
        time: 1,
        post_type: "message",
        message_type: "private",
        self_id: 9,
        user_id: 10_001,
        message_id: 3,
        message,
        sender: { nickname: long, card: long },
      },
      "9",
    );

  it.each<[string, unknown]>([
    ["a text", [{ type: "text", data: { text: long } }]],
    ["many texts", Array.from({ length: 5_000 }, () => ({ type: "text", data: { text: "长".repeat(100) } }))],
    ["a card", [{ type: "json", data: { data: JSON.stringify({ prompt: long }) } }]],
    ["the name of a file", [{ type: "file", data: { file: long, url: long } }]],
    ["a mention", [{ type: "at", data: { qq: long, name: long } }]],
    ["CQ codes", "[CQ:face,id=1]".repeat(200_000)],
    ["a text with CQ codes", long],
  ])("keeps a bounded part of %s", (_, message) => {
    const found = event(message);
    expect(found.kind).toBe("message");
    expect(JSON.stringify(found).length).toBeLessThan(40_000);
  });

  it("a message that was cut never counts as the sender's answer", () => {
    expect(event(`确认${"[CQ:face,id=1]".repeat(200_000)}`)).toMatchObject({ forwarded: true });
  });
});

describe("a model's answer", () => {
  const call = (index: number, written = ""): AnswerPiece => ({
    kind: "call",
    call: { index, id: `c${index}`, name: "shell", arguments: written },
  });

  it.each<[string, (index: number) => AnswerPiece, number]>([
    ["characters", () => ({ kind: "text", text: "a".repeat(10_000) }), 101],
    ["calls", (index) => call(index), 129],
    ["characters of arguments", (index) => call(index % 2, "a".repeat(100_000)), 40],
    ["fields of its own", () => ({ kind: "fields", fields: { reasoning: "a".repeat(100_000) } }), 80],
  ])("an answer with too many %s counts as broken", (_, make, times) => {
    const collector = createAnswerCollector({ source: "openai:m", tools: [], holds: false });
    for (let index = 1; index < times; index += 1) collector.add(make(index));
    expect(() => collector.add(make(times))).toThrow(/the server sent .* in one answer/);
  });
});

it("keeps the beginning of what an MCP server says of a fault", () => {
  expect(new McpFault("refused", long).message).toHaveLength(2_001);
});
