import { describe, expect, test } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

describe.runIf(dockerIsThere())("a command that waits for its answer", () => {
  test("asks, answers other things meanwhile, survives kill -9, runs once after 「确认」", async () => {
    const docker = requireDocker();
    const command = "echo ran >> effect.txt; ls -la";
    const story = await startTelegramStory({
      script: (request) =>
        JSON.stringify(request.messages.at(-1)).includes("几点") && resultsOfThisTurn(request).length === 0
          ? {
              toolCalls: [
                { name: "time", arguments: "{}" },
                { name: "shell", arguments: JSON.stringify({ command }) },
              ],
            }
          : undefined,
    });
    const first = await story.start();
    story.say(`帮我看看 /workspace 里有什么，运行 ${command}`);
    const card = await story.hearQuestion();
    console.log(card, JSON.stringify(card.message.keyboard));
    expect(story.folder.workspaces()).toEqual([]);
    story.say("等一下，先告诉我现在几点");
    const meanwhile = await story.hear(/./);
    console.log(meanwhile);
    await first.crash();
    await story.start();
    story.say("确认");
    console.log(await story.hear("好了"));
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["ran"]);
    console.log(card.message);
    console.log(JSON.stringify(story.model.requests.map((r) => r.messages.slice(1)), null, 1), owner);
    void docker;
  });
});
