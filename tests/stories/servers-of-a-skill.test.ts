/* MCP servers that skills bring, with the real program and real servers. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  callTools,
  resultsOfThisTurn,
  type ModelRequest,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { makeEvilServer, type EvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile, referenceServer } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { makeRepository, plainSkill } from "../support/skill-source.ts";
import { contextOf } from "../support/skill-story.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const act = "mcp__forecast__act";
const weather = `${plainSkill}tools: { mcpConfig: mcp.json }\n`;
const canary = "c4nary-of-the-forecast-7731";
const isProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const starts = (server: EvilServer) => server.everything().filter((deed) => deed.startsWith("start ")).length;
const toolsOf = (request: ModelRequest | undefined) =>
  (request?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);

async function operate({ folder }: TelegramStory, ...given: readonly string[]) {
  const child = spawnKurisu(given, { folder, environment: { FORECAST_KEY: canary } });
  const { code } = await child.ended(60_000);
  return { code, out: child.stdout(), err: child.stderr() };
}

const startWithSkill = (server: EvilServer, files: Readonly<Record<string, string>> = {}) =>
  startTelegramStory({
    files: {
      "skills/weather/skill.yaml": weather,
      "skills/weather/mcp.json": mcpFile({ forecast: server.entry }),
      ...files,
    },
    script: useByWords,
  });

describe("the operator's own skill", () => {
  test("the skill's server starts, and its tools are offered, once a message calls for it; approved calls run", async () => {
    const server = makeEvilServer();
    const story = await startWithSkill(server);
    expect((await operate(story, "doctor")).out).toContain(
      "mcp forecast: of the skill weather; starts when that is used",
    );
    expect((await operate(story, "mcp", "list")).out).toMatch(/never seen; .*the first use of the skill/);
    const kurisu = await story.start();
    story.say("你好");
    await story.hear("嗯，我在听。");
    story.say(`用 ${act} {"text":"too early"}`);
    await story.hear(/^结果是 .*There is no tool/s);
    story.say("/skills");
    expect((await story.hear(/^会的技能/)).text).toContain("MCP forecast：还没启动（用到这个技能再启动）");
    expect((await operate(story, "doctor", "--json")).out).toContain("starts when the skill weather is used");
    expect(server.everything()).toEqual([]);

    story.say(`天气 用 ${act} {"text":"one"}`);
    const card = await story.hearQuestion();
    expect(card.text).toContain("act @ MCP forecast");
    expect(toolsOf(story.model.requests.at(-1))).toContain(act);
    expect(server.deeds()).toEqual([]);
    story.say("确认");
    await story.hear(/^结果是 .*did one/s);
    expect(server.deeds()).toEqual(["did one"]);
    expect(starts(server)).toBe(1);

    story.say("/skills");
    expect((await story.hear(/^会的技能/)).text).toContain("MCP forecast：在运行");
    story.say("/mcp");
    expect((await story.hear(/^MCP 服务器/)).text).toContain("（技能 weather 带的）");
    expect((await operate(story, "mcp", "list")).out).toMatch(/^forecast {2}ready {2}of the skill weather/);
    expect((await operate(story, "skills", "list")).out).toContain("    mcp forecast  ready  ");

    // Another topic: they are there, and not offered.
    story.say("/new");
    story.say("你好啊");
    await story.hear("嗯，我在听。");
    expect(toolsOf(story.model.requests.at(-1))).not.toContain(act);
    const pid = server.pid();
    expect((await kurisu.stop()).code).toBe(0);
    expect(isProcess(pid)).toBe(false);

    // Known by now: only the call starts it.
    const again = await story.start();
    expect(starts(server)).toBe(1);
    story.say(`天气 用 ${act} {"text":"two"}`);
    await story.hearQuestion();
    story.say("确认");
    await story.hear(/^结果是 .*did two/s);
    expect((await again.stop()).code).toBe(0);
  });

  test("the skill, switched off between question and approval, runs and starts nothing, whoever looks", async () => {
    const server = makeEvilServer();
    const story = await startWithSkill(server);
    const first = await story.start();
    // By its id, too: its tools are there with the answer.
    story.say('用 find_skill {"query":"weather"}');
    await story.hear(/^结果是 .*"tools":\["mcp__forecast__act"\]/s);
    story.say(`天气 用 ${act} {"text":"one"}`);
    await story.hearQuestion();
    expect((await first.stop()).code).toBe(0);

    const kurisu = await story.start();
    const before = starts(server);
    story.say("/skills off weather");
    await story.hear("好，这里不再用 weather。");
    story.say("确认");
    await story.hear(/^结果是 .*weather is switched off in this chat.*\/skills on weather/s);
    story.say("/mcp forecast");
    expect((await story.hear(/^forecast/)).text).toContain("那个技能在这里还不能用（看 /skills）");
    // Nobody is asked for what could not run.
    story.say(`用 ${act} {"text":"two"}`);
    await story.hear(/^结果是 .*switched off in this chat/s);
    expect(server.deeds()).toEqual([]);
    expect(starts(server)).toBe(before);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("the skill is added, changed and removed while she runs, and its secrets are shown nowhere", async () => {
    const server = makeEvilServer();
    const mine = makeEvilServer();
    const everything = { ...referenceServer("everything"), env: { FORECAST_KEY: "${FORECAST_KEY}" } };
    const story = await startTelegramStory({
      files: {
        "mcp.json": mcpFile({ forecast: mine.entry }),
        "skills/tea/skill.yaml": plainSkill.replace("weather", "tea"),
      },
      environment: { FORECAST_KEY: canary },
      script: useByWords,
    });
    const { folder } = story;
    const kurisu = await story.start();
    folder.configure("skills/weather/mcp.json", mcpFile({ forecast: server.entry, env: everything }));
    folder.configure("skills/weather/skill.yaml", weather);
    const taken =
      /weather\/mcp\.json:1:1 mcpServers\.forecast: is the name of a server of config\/mcp\.json; this one is left out/;
    await expect.poll(() => kurisu.stderr()).toMatch(taken);
    story.say("/skills");
    const shown = await story.hear(/^会的技能/);
    expect(shown.text).toContain("MCP forecast：名字已经被别的服务器用了，没有启用");
    expect(shown.text).toContain("MCP env：还没启动");

    // The server itself tells its key.
    story.say("天气 用 mcp__env__get-env");
    await story.hearQuestion();
    story.say("确认");
    const result = await story.hear(/^结果是 .*FORECAST_KEY/s);
    expect(result.text).toContain("[secret]");
    for (const records of [kurisu.stderr(), JSON.stringify(story.model.requests), story.said().join("\n")])
      expect(records).not.toContain(canary);
    expect(server.everything()).toEqual([]);

    // The name is free: the skill has it now.
    folder.configure("mcp.json", mcpFile({}));
    await expect
      .poll(async () => (await operate(story, "mcp", "list")).out, { interval: 500 })
      .toMatch(/forecast {2}\w+ {2}of the skill weather/);
    story.say(`天气 用 ${act} {"text":"one"}`);
    await story.hearQuestion();
    story.say("确认");
    // What the two servers say of it is the same, so it is still trusted.
    await story.hear(/^结果是 .*did one/s);
    expect([mine.deeds(), server.deeds()]).toEqual([[], ["did one"]]);

    const pid = server.pid();
    folder.configure("system/skills.yaml", "exclude: [weather]\n");
    await expect.poll(() => isProcess(pid)).toBe(false);
    story.say(`天气 用 ${act} {"text":"two"}`);
    await story.hear(/^结果是 .*There is no tool/s);
    expect((await kurisu.stop()).code).toBe(0);
  });
});

/** Lets a skill in that waits, then does what it is told to. */
const useAfterYes: ModelScript = (request) => {
  const waiting = /never used in this chat: ([a-z-]+)/.exec(contextOf(request))?.[1];
  const results = resultsOfThisTurn(request);
  if (waiting === undefined) return useByWords(request);
  if (results.length === 0) return callTools({ name: "use_skill", arguments: { id: waiting } });
  if (results.length === 1) return callTools({ name: act, arguments: { text: "one" } });
  return { content: `结果是 ${results.join(" ")}` };
};

test("an installed skill starts nothing before approval in a chat, has its tools in the same turn, and serves no other chat", async () => {
  const server = makeEvilServer();
  const repository = join(await createTemporaryFolder(), "weather");
  const commit = makeRepository(repository, {
    "skill.yaml": weather,
    "mcp.json": mcpFile({ forecast: { ...server.entry, env: { FORECAST_KEY: "${FORECAST_KEY}" }, readOnly: ["*"] } }),
  });
  const story = await startTelegramStory({ environment: { FORECAST_KEY: canary }, script: useAfterYes });
  const kurisu = await story.start();
  const installed = await operate(story, "skills", "install", `${repository}@${commit}`, "--yes");
  expect(installed).toMatchObject({ code: 0, out: expect.stringContaining('FORECAST_KEY="${FORECAST_KEY}"') });
  await expect.poll(async () => (await operate(story, "mcp", "list")).out).toContain("weather");

  story.say("天气怎么样");
  const question = await story.hearQuestion();
  for (const part of ["weather 1.0.0", "forecast: ", server.entry.args[0] ?? "", "FORECAST_KEY"])
    expect(question.text).toContain(part);
  expect(question.text).not.toContain(canary);
  expect(server.everything()).toEqual([]);
  story.say(`确认 ${question.code}`);
  const call = await story.hearQuestion();
  expect(call.text).toContain("act @ MCP forecast");
  expect(toolsOf(story.model.requests.at(-2))).not.toContain(act);
  expect(toolsOf(story.model.requests.at(-1))).toContain(act);
  story.say(`确认 ${call.code}`);
  await story.hear(/^结果是 .*did one/s);
  expect(server.deeds()).toEqual(["did one"]);

  const group = -100_777;
  const inGroup = { chat: group, from: { id: owner, name: "冈部" } };
  story.say("/pair@kurisu_test_bot", inGroup);
  await story.hear(/这个群开启了/, { chat: group });
  story.say(`@kurisu_test_bot 用 ${act} {"text":"two"}`, inGroup);
  await story.hear(/^结果是 .*never used here.*use_skill.*asks the owner/s, { chat: group });
  story.say('@kurisu_test_bot 用 find_skill {"query":"act something"}', inGroup);
  await story.hear(/^结果是 .*"tools":\[\]/s, { chat: group });
  expect(server.deeds()).toEqual(["did one"]);

  const pid = server.pid();
  story.folder.configure("system/skills.yaml", "exclude: [weather]\n");
  await expect.poll(() => isProcess(pid)).toBe(false);
  expect((await operate(story, "mcp", "list")).out).toContain("No MCP servers");
  expect(await operate(story, "skills", "remove", "weather")).toMatchObject({ code: 0 });
  expect((await kurisu.stop()).code).toBe(0);
  expect(kurisu.stderr()).not.toContain(canary);
});
