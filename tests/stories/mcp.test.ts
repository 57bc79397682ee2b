import { expect, test } from "vitest";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile, referenceServer } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { waitUntil } from "../support/wait-until.ts";

const runMcp = ({ folder }: TelegramStory, ...words: readonly string[]) => runHere(["mcp", ...words], { folder });

test("a server's tool is asked about with its whole call and runs after approval; resources and prompts work; nothing is left", async () => {
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

  story.say("/mcp");
  expect((await story.hear(/^MCP 服务器 1 个/)).text).toContain("everything  在运行");
  story.say("/mcp everything");
  const shown = await story.hear(/资源（/);
  expect(shown.text).toContain("echo");
  expect(shown.text).toContain("args-prompt");
  const uri = /demo:\/\/\S+/.exec(shown.text)?.[0] ?? "";
  story.say(`/mcp read everything ${uri}`);
  expect((await story.hearQuestion()).text).toContain(`${uri} @ MCP everything`);
  story.say("确认");
  await story.hear(/^结果是 .*"content"/s);
  story.say("/mcp prompt everything args-prompt city=秋叶原");
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*秋叶原/s);
  expect((await kurisu.stop()).code).toBe(0);
});

test("a server that changes a tool under her is blocked, the owner is told, sees the difference, and lets it through", async () => {
  const evil = makeEvilServer({ description: "Does something." });
  const story = await startTelegramStory({
    files: { "mcp.json": mcpFile({ evil: evil.entry }) },
    script: useByWords,
  });
  const kurisu = await story.start();
  const pid = evil.pid();
  story.say('用 mcp__evil__act {"text":"one"}');
  await story.hearQuestion();
  // Between the question and the yes.
  evil.be({ description: "Does something else." });
  process.kill(pid, "SIGUSR2");
  await story.hear(/改了自己工具的说明.*act/s);
  story.say("确认");
  await story.hear(/^结果是 .*did not run/s);
  expect(evil.deeds()).toEqual([]);
  expect(story.model.requests.some((request) => JSON.stringify(request).includes("something else"))).toBe(false);

  story.say("/mcp approve evil");
  const difference = await story.hear(/- description: Does something\./);
  expect(difference.text).toContain("+ description: Does something else.");
  const [, digest = ""] = /\/mcp approve evil ([0-9a-f]{12})/.exec(difference.text) ?? [];
  story.say("/mcp approve evil 000000000000");
  await story.hear(/校验码对不上/);
  story.say(`/mcp approve evil ${digest}`);
  await story.hear("放行了：act");
  story.say('用 mcp__evil__act {"text":"two"}');
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*did two/s);
  expect(evil.deeds()).toEqual(["did two"]);
  expect((await kurisu.stop()).code).toBe(0);
});

test("a server of .mcp.json runs only after the owner's approval in chat, and a changed entry waits for a new one", async () => {
  const evil = makeEvilServer();
  const story = await startTelegramStory({
    files: { "../.mcp.json": mcpFile({ evil: evil.entry }) },
    script: useByWords,
  });
  const kurisu = await story.start();
  story.say("/mcp");
  expect((await story.hear(/^MCP 服务器 1 个/)).text).toContain("evil  等你同意才会启动，工具 0 个（来自 .mcp.json）");
  story.say("/mcp evil");
  await story.hear(/现在连不上.*approve evil/s);
  story.say("/mcp approve evil");
  const shown = await story.hear(/写在 \.mcp\.json 里/);
  expect(shown.text).toContain(evil.entry.args[1]);
  expect(evil.everything()).toEqual([]);
  const [, digest = ""] = /\/mcp approve evil ([0-9a-f]{12})/.exec(shown.text) ?? [];
  story.say(`/mcp approve evil ${digest}`);
  await story.hear("放行了：evil");
  story.say('用 mcp__evil__act {"text":"one"}');
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*did one/s);

  story.folder.configure("../.mcp.json", mcpFile({ evil: { ...evil.entry, env: { MORE: "yes" } } }));
  await waitUntil("the new entry", async () => (await runMcp(story, "list")).out.includes("unapproved"));
  story.say("/mcp");
  await story.hear(/evil {2}等你同意才会启动/);
  expect(evil.deeds()).toEqual(["did one"]);
  expect((await kurisu.stop()).code).toBe(0);
});

test("the command line lists, lets through and removes, beside a running Kurisu and without one", async () => {
  const evil = makeEvilServer({ description: "one" });
  const story = await startTelegramStory({ files: { "mcp.json": mcpFile({ evil: evil.entry }) }, script: useByWords });
  const kurisu = await story.start();
  expect(JSON.parse((await runMcp(story, "list", "--json")).out)).toMatchObject({
    server: "evil",
    state: "ready",
    tools: [{ name: "mcp__evil__act", state: "trusted" }],
  });
  evil.be({ description: "two" });
  process.kill(evil.pid(), "SIGUSR2");
  await waitUntil("quarantine", async () => (await runMcp(story, "list")).out.includes("changed"));
  expect(await runMcp(story, "approve", "evil")).toMatchObject({
    code: 0,
    out: expect.stringContaining("+ description: two"),
  });
  expect((await kurisu.stop()).code).toBe(0);
  expect(JSON.parse((await runMcp(story, "list", "--json")).out)).toMatchObject({
    state: "idle",
    tools: [{ state: "trusted" }],
  });
  expect(await runMcp(story, "remove", "evil", "--json")).toMatchObject({ code: 0 });
  expect((await runMcp(story, "list")).out).toContain("No MCP servers");
  expect((await runMcp(story, "remove", "evil")).code).toBe(78);
});

test('a server\'s question in the middle of a call goes to the person: filled in by its code, never by a bare "yes"', async () => {
  const evil = makeEvilServer({ onCall: "ask" });
  const story = await startTelegramStory({ files: { "mcp.json": mcpFile({ evil: evil.entry }) }, script: useByWords });
  const kurisu = await story.start();
  story.say('用 mcp__evil__act {"text":"one"}');
  await story.hearQuestion();
  story.say("确认");
  const prompt = await story.hearQuestion();
  expect(prompt.text).toContain("MCP 服务器 evil 在办事的中途问你");
  const [, code = ""] = /编号 ([A-Z]{2}\d)，5 分钟/.exec(prompt.text) ?? [];
  // Until the record that it is out is there, a bare word decides nothing; with it, the answer is still missing.
  await waitUntil("the answer that something is missing", async () => {
    story.say("确认");
    return story.hear(/还差：city/, { timeoutMs: 2_000 }).then(
      () => true,
      () => false,
    );
  });
  story.say(`答 ${code} 秋叶原`);
  await story.hear(`${code} 告诉它了。`);
  await story.hear(/^结果是 .*heard.*秋叶原/s);
  expect(evil.deeds()).toEqual(["did one", 'answer {"action":"accept","content":{"city":"秋叶原"}}']);
  expect((await kurisu.stop()).code).toBe(0);
});

test("an address that a server wants opened is shown with every character, and no program opens it", async () => {
  const evil = makeEvilServer({ onCall: "ask address" });
  const story = await startTelegramStory({ files: { "mcp.json": mcpFile({ evil: evil.entry }) }, script: useByWords });
  const kurisu = await story.start();
  story.say('用 mcp__evil__act {"text":"one"}');
  await story.hearQuestion();
  story.say("确认");
  const prompt = await story.hearQuestion();
  expect(prompt.text).toContain("https://login.example.net/$(touch%20pwned)?a=1&b=`id`;rm -rf ~");
  const [, code = ""] = /编号 ([A-Z]{2}\d)，5 分钟/.exec(prompt.text) ?? [];
  story.say(`取消 ${code}`);
  await story.hear(`${code} 回绝了。`);
  await story.hear(/^结果是 .*decline/s);
  expect((await kurisu.stop()).code).toBe(0);
});

test("mcp.json is taken up while she runs; a fault is refused with its place, and the last good one stays", async () => {
  const [evil, other] = [makeEvilServer(), makeEvilServer()];
  const story = await startTelegramStory({ files: { "mcp.json": mcpFile({ evil: evil.entry }) }, script: useByWords });
  const kurisu = await story.start();
  story.folder.configure("mcp.json", '{\n  "mcpServers": {\n    "evil": { "comand": "node" }\n  }\n}\n');
  await waitUntil("the fault", () =>
    /mcp\.json:3:15 mcpServers\.evil\.comand: is not a known key; did you mean command/.test(kurisu.stderr()),
  );
  expect((await runMcp(story, "list")).error).toMatch(/mcp\.json:3:15/);
  story.folder.configure("mcp.json", mcpFile({ evil: evil.entry, other: other.entry }));
  await waitUntil("the new server", async () => (await runMcp(story, "list")).out.includes("mcp__other__act"));
  expect((await kurisu.stop()).code).toBe(0);
});
