import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { mcpFile, referenceServer } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";

test("a tool of a server is asked for by its whole call, runs after the yes, and the server ends with Kurisu", async () => {
  const story = await startTelegramStory({
    files: { "mcp.json": mcpFile({ everything: referenceServer("everything") }) },
    script: useByWords,
  });
  const kurisu = await story.start();
  story.say('用 mcp__everything__echo {"message":"El Psy Kongroo"}');
  const card = await story.hearQuestion();
  expect(card.text).toContain("echo @ MCP everything");
  expect(card.text).toContain('"message": "El Psy Kongroo"');
  story.say("确认");
  await story.hear(/^结果是 .*Echo: El Psy Kongroo/s);
  expect((await kurisu.stop()).code).toBe(0);
});
