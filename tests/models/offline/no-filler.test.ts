import { expect, test } from "vitest";
import { findWishes } from "../../../src/models/offline/find-wishes.ts";
import type { ToolReport } from "../../../src/models/offline/read-conversation.ts";
import type { Wish } from "../../../src/models/offline/rule.ts";

const report = (tool: string, output: unknown): ToolReport => ({ tool, arguments: {}, result: { ok: true, output } });

function next(wish: Wish | undefined, output: unknown): Wish | undefined {
  return wish?.kind === "call" ? wish.next?.([report(wish.calls[0]?.name ?? "", output)]) : undefined;
}

test.each([
  "我老婆喜欢吃什么",
  "what does my wife not like?",
  "what does my wife like to eat",
  "who does my brother like?",
])("%s, where no memory answers, is said not to be found", (text) => {
  const memories = [{ id: "1", content: "我住在柏林", since: "2026-11-01" }];
  const listed = next(findWishes(text)[0], { memories: [] });
  expect(next(listed, { memories })).toMatchObject({ kind: "say", key: "memoryNotByWords" });
  expect(next(listed, { memories: [] })).toMatchObject({ kind: "say", key: "memoryUnknown" });
});

test("a memory of what a person likes does not answer what they dislike", () => {
  const memories = [{ id: "1", content: "my wife likes sushi", since: "2026-11-01" }];
  const listed = next(findWishes("what does my wife not like?")[0], { memories });
  expect(next(listed, { memories })).toMatchObject({ key: "memoryNotByWords" });
  expect(next(findWishes("what does my wife like?")[0], { memories })).toMatchObject({ key: "memoryOne" });
});

test.each(["cancel the reminder to call mum", "please delete my reminder about call mum", "取消 call mum 的提醒"])(
  "%s cancels that reminder",
  (text) => {
    const reminders = [
      { id: "A1", text: "call mum", when: "tomorrow 08:00" },
      { id: "B2", text: "stretch", when: "tomorrow 09:00" },
    ];
    expect(next(findWishes(text)[0], { reminders })).toMatchObject({
      kind: "call",
      calls: [{ name: "cancel_reminder", arguments: { id: "A1" } }],
    });
  },
);
