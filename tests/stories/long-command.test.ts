import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

describe.runIf(dockerIsThere())("a long command", () => {
  test("shows its newest line while it runs, in the message that becomes the answer", async () => {
    const story = await startTelegramStory();
    const kurisu = await story.start();
    story.say("运行 for i in 1 2 3 4 5 6 7 8; do echo 做完第 $i 步; sleep 0.5; done");
    await story.hearQuestion();
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    // In private the platform shows a draft, elsewhere the message is edited; both are the same text.
    const shown = story.fake.calls.map(({ payload }) => JSON.stringify(payload["text"] ?? ""));
    expect(shown.filter((text) => /▸ .*shell for i in.*\\n\s*做完第 \d 步"$/.test(text)).length).toBeGreaterThan(1);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("output that exceeds a prompt is kept whole, and she pages through it", async () => {
    const story = await startTelegramStory({
      script: (request) => {
        if (!lastWords(request).includes("数到")) return undefined;
        const results = resultsOfThisTurn(request);
        const path = /whole in (\S+),/.exec(results[0] ?? "")?.[1] ?? "";
        if (results.length === 0) return callTools({ name: "shell", arguments: { command: "seq 1 30000" } });
        if (results.length === 1)
          return callTools({ name: "file_read", arguments: { path, offset: 20_000, limit: 2 } });
        const { output } = JSON.parse(results[1] ?? "{}") as { output: { content: string } };
        return { content: `第两万行后面是 ${output.content.replace("\n", " ")}。` };
      },
    });
    const kurisu = await story.start();
    story.say("数到三万");
    await story.hearQuestion();
    story.say("确认");
    await story.hear("第两万行后面是 20001 20002。");
    expect(Math.max(...story.model.requests.map((request) => JSON.stringify(request.messages).length))).toBeLessThan(
      40_000,
    );
    expect((await kurisu.stop()).code).toBe(0);
  });
});
