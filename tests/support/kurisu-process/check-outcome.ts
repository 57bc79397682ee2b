import { expect } from "vitest";
import { describeRest } from "./drive-to-end.ts";
import { lookIntoStore } from "./look-into-store.ts";
import type { TelegramStory } from "./telegram-story.ts";

const done = "好了，我看过结果了。";
const unsure = /shell 可能执行了，也可能没有，我没有再跑一次/;

/**
 * Messages that are out though nobody has written down that they are: after a crash these, and only these, may come twice.
 * Call it between the crash and the next start. `*` = a preview whose number was not written down.
 */
export async function findSendWindow({ folder, said }: TelegramStory, chat: number): Promise<ReadonlySet<string>> {
  const rows = await lookIntoStore(
    folder,
    "select state, payload, preview from outbox where state in ('live', 'pending') and sent_parts = '[]'",
  );
  const out = new Set(said(chat).map(markOf));
  const waiting = rows
    .filter(({ state }) => state === "pending")
    .map(({ payload }) => markOf((JSON.parse(String(payload)) as { text: string }).text));
  const unnumbered = rows.some(({ preview }) => preview === null);
  return new Set([...waiting.filter((mark) => out.has(mark)), ...(unnumbered ? ["*"] : [])]);
}

/** A card is known by its code, also after it has become its outcome; any other message by its text. */
function markOf(text: string): string {
  return /编号 [A-Z]+\d/.exec(text)?.[0] ?? text;
}

/** What must hold once the story has come to its end, however often it was killed. */
export async function checkOutcome(story: TelegramStory, chat: number, window: ReadonlySet<string>): Promise<void> {
  const { folder, fake } = story;
  const effects = folder.workspaceLines("effect.txt").length;
  const said = story.said(chat);
  const toldUnsure = said.some((text) => unsure.test(text));
  expect(effects, "executions").toBeLessThanOrEqual(1);
  if (!toldUnsure) expect(effects, "approved, and no doubt told").toBe(1);

  const sent = fake.botMessages(chat).map((message) => markOf(message.texts[0] ?? ""));
  for (const mark of new Set(sent)) {
    const copies = sent.filter((other) => other === mark).length;
    const mayRepeat = window.has(mark) || (window.has("*") && !mark.startsWith("编号"));
    expect(copies, `copies of ${mark}`).toBeLessThanOrEqual(mayRepeat ? 2 : 1);
  }
  const replies = new Set(said.filter((text) => text === done || unsure.test(text)));
  expect([...replies], "one terminal reply").toHaveLength(1);

  expect(await describeRest(folder)).toEqual({ inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] });
  const questions = await lookIntoStore(folder, "select state, decision from questions");
  expect(questions).toEqual([{ state: "decided", decision: "approved" }]);
  const runs = await lookIntoStore(folder, "select count(*) as runs from tool_ledger where tool = 'shell'");
  expect(runs).toEqual([{ runs: 1 }]);
}
