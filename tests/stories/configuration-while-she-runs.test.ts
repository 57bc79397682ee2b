import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { waitUntil } from "../support/wait-until.ts";

test("a faulty change is told to the owner once, the last good rules go on, and persona and language follow at once", async () => {
  const story = await startTelegramStory({ files: { "system/tools.yaml": "permissions: { safe: [time] }\n" } });
  const run = async (...words: readonly string[]) => {
    const child = spawnKurisu(words, { folder: story.folder });
    const { code } = await child.ended();
    return { code, out: child.stdout(), err: child.stderr() };
  };
  const running = await story.start();
  story.say("在吗");
  await story.quiet();

  story.folder.configure("system/tools.yaml", "permissions: { safe: [time, glob], sfae: [] }\n");
  await story.hear(/^配置改了，可是有错，我没用[\s\S]*\nsystem\/tools\.yaml:1:\d+ permissions\.sfae: /);
  story.say("/status");
  await story.hear(/^配置有错，用的是上一份：tools\.yaml$/m);
  const readiness = await fetch(`${running.url}/readyz`);
  expect(readiness.status, "she works on with the last good rules").toBe(200);
  expect(await readiness.json()).toMatchObject({ configuration: { state: "degraded" } });
  expect(await run("doctor")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗.*permissions\.sfae[\s\S]*✓ +telegram/),
  });
  const file = join(dirname(story.folder.config), "beside.tar.gz");
  expect(await run("backup", file), "what she carries out needs no other configuration").toMatchObject({
    code: 0,
    err: expect.stringMatching(/配置有错[\s\S]*permissions\.sfae/),
  });
  expect(await run("chat", "--once", "/stop all")).toMatchObject({ code: 0 });
  expect(await run("chat", "--once", "/resume")).toMatchObject({ code: 0 });
  expect((await run("tools", "list")).code, "the rules of a faulty file are not shown").toBe(78);
  story.folder.configure("system/tools.yaml", "permissions: { safe: [time, glob], sfae: [] }\n\n");
  story.folder.configure("system/tools.yaml", "permissions: { safe: [time, glob] }\n");
  await story.hear("配置现在没问题了，已经按新的来。");
  expect(story.said().filter((text) => text.startsWith("配置改了"))).toHaveLength(1);
  story.say("/trust telegram:77");
  await story.hear(/77/);
  const judged = (await run("tools", "why", "glob", '{"pattern":"*"}', "--user", "telegram:77", "--json")).out;
  expect(JSON.parse(judged), "the process has the new rules, and knows whom its owner trusts").toMatchObject({
    verdict: "allow",
    decided: { rule: "permissions.safe.1" },
    person: { role: "trusted" },
  });

  // What waits for a restart is named, and nothing else; changed back, nothing waits.
  story.folder.configure(
    "system/channels.yaml",
    "persona: default\nlimits: { stall: { after: 9s }, turns: { person: 3 } }\n",
  );
  await story.hear(/^配置改了。这几项要重启才生效：\nchannels\.yaml: limits\.stall\.after\n别的/);
  story.say("/status");
  await story.hear(/等重启才生效：channels\.yaml: limits\.stall\.after$/m);
  const waits =
    /"check":"configuration","state":"warning","detail":"waits for a restart: channels.yaml: limits.stall.after/;
  expect((await run("doctor", "--json")).out).toMatch(waits);

  writeFileSync(join(story.folder.config, "../.env"), "TAVILY_API_KEY=sunny-canary\n", { mode: 0o600 });
  await story.hear(/重启才生效：[\s\S]*\n\.env: TAVILY_API_KEY\n/);

  const followed = () => running.stderr().match(/the configuration changed/g)?.length ?? 0;
  const before = followed();
  story.folder.configure("system/channels.yaml", "persona: default\nlanguage: en\n");
  await waitUntil("the log line", async () => followed() > before);
  const greetings = readFileSync(join(import.meta.dirname, "../../config/personas/default/persona.yaml"), "utf8");
  story.say("/start");
  const welcome = await story.fake.waitForMessage(({ keyboard }) => keyboard.length > 0);
  expect(greetings).toContain(welcome.text.split("\n")[0]);
  // Of chats that are new.
  story.say("12345", { chat: 88 });
  await story.fake.waitForMessage(({ chat, fromBot, text }) => fromBot && chat === 88 && /owner/i.test(text));
});
