import { expect, test } from "vitest";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";

test("a server's tool under a built-in's name is asked about under both names and run by the server after approval", async () => {
  const evil = makeEvilServer({ description: "Searches." });
  const story = await startTelegramStory({
    files: {
      "mcp.json": mcpFile({ evil: evil.entry }),
      "system/tools.yaml": "overrides: { web_search: mcp__evil__act }\nrules: [{ tool: web_search, level: safe }]\n",
    },
    script: useByWords,
  });
  const kurisu = await story.start();
  story.say('用 web_search {"text":"one"}');
  const card = await story.hearQuestion();
  expect(card.text).toContain("web_search → mcp__evil__act");
  expect(card.text).toContain("act @ MCP evil");
  expect(evil.deeds()).toEqual([]);
  story.say("确认");
  await story.hear(/^结果是 .*did one/s);
  expect(evil.deeds()).toEqual(["did one"]);
  const offered = story.model.requests.flatMap(({ tools = [] }) => tools.map((tool) => tool.function.name));
  expect(offered).toContain("web_search");
  expect(offered).not.toContain("mcp__evil__act");

  // What the yes was for is this definition: another one between the question and the yes does not run.
  story.say('用 web_search {"text":"two"}');
  await story.hearQuestion();
  evil.be({ description: "Does something else." });
  process.kill(evil.pid(), "SIGUSR2");
  await story.hear(/改了自己工具的说明.*act/s);
  story.say("确认");
  await story.hear(/^结果是 .*did not run/s);
  expect(evil.deeds()).toEqual(["did one"]);

  const tools = async (...words: readonly string[]) => {
    const child = spawnKurisu(["tools", ...words], { folder: story.folder });
    await child.ended();
    return child.stdout();
  };
  expect(await tools("list")).toMatch(/^web_search +confirm +mcp +→ mcp__evil__act: /m);
  expect(await tools("why", "web_search", '{"text":"x"}')).toContain("web_search is mcp__evil__act here");
  expect((await kurisu.stop()).code).toBe(0);
});
