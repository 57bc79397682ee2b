import { expect, test } from "vitest";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { waitUntil } from "../support/wait-until.ts";

const code = (greeting: string) =>
  `export default {
  description: "Greets somebody.",
  arguments: { name: { description: "Whom." } },
  run: ({ name }: { name: string }) => ({ said: \`${greeting} \${name}\` }),
};
`;

test("the owner reads and approves a file of config/tools, its calls need approval, and a change needs a new one", async () => {
  const story = await startTelegramStory({ files: { "tools/greet.ts": code("Hello") }, script: useByWords });
  const tools = async (...words: readonly string[]) => {
    const child = spawnKurisu(["tools", ...words], { folder: story.folder });
    const { code: exit } = await child.ended();
    return exit === 0 ? child.stdout() : child.stderr();
  };
  const kurisu = await story.start();
  expect(await tools("list")).toMatch(/^greet +confirm +file +not offered: .*waits for an owner's yes/m);
  story.say('用 greet {"name":"Okabe"}');
  await story.hear(/^结果是 .*waits for an owner's yes/s);

  story.say('用 use_tool {"name":"greet"}');
  const card = await story.hearQuestion();
  expect(card.text).toContain("config/tools/greet.ts");
  expect(card.text).toContain("said: `Hello ${name}`");
  story.say("确认");
  await story.hear(/^结果是 .*offered from the next message/s);
  story.say('用 greet {"name":"Okabe"}');
  expect((await story.hearQuestion()).text).toContain('"name": "Okabe"');
  story.say("确认");
  await story.hear(/^结果是 .*Hello Okabe/s);

  story.folder.configure("tools/greet.ts", code("Bye"));
  await waitUntil("the change", () => kurisu.stderr().includes("the configuration changed"));
  story.say('用 greet {"name":"Okabe"}');
  await story.hear(/^结果是 .*waits for an owner's yes/s);

  const shown = await tools("approve", "greet");
  expect(shown).toContain("Bye");
  const [, digest = ""] = /approve greet ([0-9a-f]{12})/.exec(shown) ?? [];
  expect(await tools("approve", "greet", "000000000000")).toContain("look at it again");
  expect(await tools("approve", "greet", digest)).toContain("greet may run");
  await waitUntil("the yes", async () => (await tools("list")).includes("Greets somebody."));
  story.say('用 greet {"name":"Okabe"}');
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*Bye Okabe/s);
  expect((await kurisu.stop()).code).toBe(0);
});
