import { expect, test } from "vitest";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { patienceMs } from "../support/patience.ts";

const group = -100_778;
const asOwner = { chat: group, from: { id: owner, name: "冈部" } };
const asStranger = { chat: group, from: { id: 99, name: "路人" } };
const called = (words: string) => `@kurisu_test_bot ${words}`;

/** What stopped everybody once: patterns of skills, the words of answers, the Markdown of a reply. */
const texts = [
  `闹钟,上${"的上".repeat(45)}x`,
  `确${" ".repeat(3_900)}认`,
  `> ${"[a](".repeat(900)}`,
  "_a".repeat(1_900),
];
const replies = ["[a](".repeat(1_500), "_a".repeat(12_000), `[a](${" ".repeat(9_000)}x`];

test("no text of a guest in an open group, and no reply of the model, delays another chat", async () => {
  const story = await startTelegramStory({
    script: (request) => {
      const words = lastWords(request);
      const reply = /写第(\d)种/.exec(words)?.[1];
      if (reply !== undefined) return { content: replies[Number(reply)] ?? "" };
      return { content: words.includes("在吗") ? "嗯，我在听。" : "收到。" };
    },
  });
  const kurisu = await story.start();
  story.say("/pair@kurisu_test_bot", asOwner);
  await story.hear(/这个群开启了/, { chat: group });
  for (const text of [...texts, ...replies.map((_, index) => `写第${index}种`)]) {
    story.say(called(text), asStranger);
    await expectAlive();
  }
  await story.quiet();
  // Each came, plain: its links are broken, so that none is half one.
  const said = story.said(group).join("");
  const came = [said.includes("[a] (".repeat(700)), said.includes("_a".repeat(2_000)), said.endsWith("x")];
  expect(came).toEqual([true, true, true]);

  /** The owner is answered in private, and the process answers. Limits are for a busy machine; a text that hangs takes minutes. */
  async function expectAlive(): Promise<void> {
    story.say("在吗");
    await story.hear("嗯，我在听。");
    const health = await fetch(`${kurisu.url}/healthz`, { signal: AbortSignal.timeout(patienceMs) });
    expect(health.status).toBe(200);
  }
});
