import { expect, test } from "vitest";
import { secretThought, startThinkingServer, type Step } from "../support/models/thinking-server.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

function answer(words: string, results: number): Step {
  if (results > 0) return { say: words.includes("几点") ? "看过表了。" : "写好了。" };
  if (words.includes("几点")) return { call: { name: "time", arguments: {} } };
  return { call: { name: "file_write", arguments: { path: "a.txt", content: "你好" } } };
}

test.each(["deepseek", "gemini", "anthropic"] as const)(
  "%s gets its thoughts back with every call, over an approval, a kill -9 while it waits, and later turns; another model does not",
  async (dialect) => {
    const server = await startThinkingServer(dialect, answer);
    const story = await startTelegramStory({ environment: server.environment });
    const first = await story.start();
    story.say("把「你好」写进 a.txt");
    await story.hearQuestion();
    await story.quiet();
    await first.crash();

    const second = await story.start();
    story.say("确认");
    await story.hear("写好了。");
    story.say("现在几点");
    await story.hear("看过表了。");
    await story.quiet();
    expect(server.refused).toEqual([]);
    // The call of the file comes back three times, that of the clock once.
    expect(server.recognized()).toBe(4);
    expect(JSON.stringify(story.said())).not.toContain(secretThought);
    const audit = await lookIntoStore(story.folder, "select detail from audit");
    expect(JSON.stringify(audit)).not.toContain(secretThought);
    expect((await second.stop()).code).toBe(0);
    expect(first.stderr() + second.stderr() + second.stdout()).not.toContain(secretThought);

    if (dialect !== "deepseek") return;
    // The thoughts of one model are not sent to the one that takes over, which gets a history it takes.
    const gemini = await startThinkingServer("gemini", answer);
    const third = await story.start({ environment: gemini.environment });
    story.say("再看看几点");
    await story.hear("看过表了。");
    // It refused a call without its signature once, and was then told of it in words.
    expect(gemini.refused).toHaveLength(1);
    expect((await third.stop()).code).toBe(0);
  },
);
