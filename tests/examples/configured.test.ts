// full: starts the program, once
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../support/kurisu-process/run-here.ts";
import {
  callTools,
  lastWords,
  resultsOfThisTurn,
  type ModelRequest,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { contextOf } from "../support/skill-story.ts";

/** The examples that are configuration, in one Kurisu that has them all. */

const examples = join(import.meta.dirname, "../../examples");
const read = (path: string) => readFileSync(join(examples, path), "utf8");
const asked: string[] = [];
const station = createServer(({ url = "" }, response) => {
  asked.push(url);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ now: { celsius: 31, humidity: 70 } }));
});
const environment: Record<string, string> = {};

beforeAll(async () => {
  await new Promise<void>((resolve) => void station.listen(0, "127.0.0.1", resolve));
  environment["WEATHER_STATION"] = `http://127.0.0.1:${(station.address() as AddressInfo).port}`;
});
afterAll(() => void station.close());

const begin = shareTelegramStory({
  environment,
  files: {
    "tools/feels_like.ts": read("tool-weather/feels_like.ts"),
    "system/tools.yaml": read("tool-weather/tools.yaml"),
    "skills/tides/SKILL.md": read("skill-tides/SKILL.md"),
    "skills/tides/examples.txt": read("skill-tides/examples.txt"),
    "skills/tides/scripts/tide.sh": read("skill-tides/scripts/tide.sh"),
    "mcp.json": read("mcp-server/mcp.json").replace("/opt/kurisu/examples", examples),
    "agents/translator.yaml": read("sub-agent/translator.yaml"),
  },
});

const systemOf = (request: ModelRequest | undefined) => JSON.stringify(request?.messages[0]?.content);

test("tool-weather: the owner approves the file, its call is asked about, and the request of tools.yaml reaches its server", async () => {
  const story = begin(useByWords);
  const { folder } = story;
  const approve = (...digest: readonly string[]) => runHere(["tools", "approve", "feels_like", ...digest], { folder });
  const shown = await approve();
  expect(shown.out).toContain("Math.exp");
  const [, digest = ""] = /approve feels_like ([0-9a-f]{12})/.exec(shown.out) ?? [];
  expect((await approve(digest)).out).toContain("feels_like may run");
  await expect
    .poll(async () => (await runHere(["tools", "list"], { folder })).out)
    .toMatch(/^feels_like .*warm it feels/m);

  story.say('用 feels_like {"celsius":31,"humidity":70}');
  expect((await story.hearQuestion()).text).toContain('"celsius": 31');
  story.say("确认");
  await story.hear(/^结果是 .*"feelsLike":37\.3/s);

  story.say('用 weather_station {"place":"roof"}');
  await story.hear(/^结果是 .*"celsius":31/s);
  expect(asked).toEqual(["/places/roof"]);
});

test("skill-tides: a message calls for the skill, its text is in the prompt, and the model reads its script", async () => {
  const readScript: ModelScript = (request) => {
    const [result] = resultsOfThisTurn(request);
    if (result !== undefined) return { content: result.includes("twelfths[hours + 1]") ? "读到了。" : result };
    return callTools({ name: "skill_file", arguments: { skill: "tides", path: "scripts/tide.sh" } });
  };
  const story = begin(readScript);
  story.say("后天厦门几点涨潮");
  await story.hear("读到了。");
  expect(contextOf(story.model.requests[0] as ModelRequest)).toContain("use the rule of twelfths");

  const matches = async (words: string) => (await runHere(["skills", "match", words], story)).out;
  expect(JSON.parse(await matches("退潮以后水还有多深"))).toEqual({ skills: ["tides"] });
  expect(JSON.parse(await matches("明天的会几点开"))).toEqual({ skills: [] });
  const run = (...given: readonly string[]) =>
    execFileSync("sh", [join(examples, "skill-tides/scripts/tide.sh"), ...given], { encoding: "utf8" });
  expect([run("1", "4", "0"), run("1", "4", "3"), run("1", "4", "6")]).toEqual(["1.00 m\n", "2.50 m\n", "4.00 m\n"]);
});

test("mcp-server: the tool is listed, asked about and called, and the resource then holds what it wrote", async () => {
  const story = begin(useByWords);
  // The server starts beside the bot, and a busy machine takes its time.
  await expect.poll(async () => (await runHere(["mcp", "list"], story)).out).toContain("add_note");
  story.say("/mcp lab");
  expect((await story.hear(/资源（/)).text).toContain("notes://all");
  story.say('用 mcp__lab__add_note {"text":"El Psy Kongroo"}');
  expect((await story.hearQuestion()).text).toContain("add_note @ MCP lab");
  story.say("确认");
  await story.hear(/^结果是 .*note 1/s);
  story.say("/mcp read lab notes://all");
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*1\. El Psy Kongroo/s);
});

test("sub-agent: the translator gets its own prompt and two tools, and its report comes back", async () => {
  const translated = "notes.en.md";
  const isTranslator = (request: ModelRequest) => systemOf(request).includes("You are the sub-agent translator.");
  const story = begin((request) => {
    const results = resultsOfThisTurn(request);
    if (isTranslator(request)) return { content: `Wrote ${translated}.` };
    if (results.length > 0) return { content: `回来了：${results.join(" ")}` };
    const task = { agent_name: "translator", description: lastWords(request) };
    return callTools({ name: "task", arguments: task });
  });
  story.say("把 notes.md 翻成英文");
  await story.hear(new RegExp(`^回来了：.*Wrote ${translated}`, "s"));
  const request = story.model.requests.find(isTranslator);
  expect(systemOf(request)).toContain("Keep headings, lists, code and links as they are");
  expect(request?.tools?.map((tool) => tool.function.name).toSorted()).toEqual(["file_read", "file_write"]);
  expect(lastWords(request as ModelRequest)).toContain("notes.md");
});

test("persona: the card is imported, its character speaks, and its lorebook comes in when a key is said", async () => {
  const story = begin(() => ({ content: "Hm." }));
  const persona = (...given: readonly string[]) => runHere(["persona", ...given], story);
  expect((await persona("import", join(examples, "persona/rin.json"))).out).toMatch(
    /Rin \(V2 card\) is now the persona rin/,
  );
  expect((await persona("lore", "rin", "Where is the cat?")).out).toContain("Buffer");
  // The running program follows the folder a moment later.
  const choose = async () => {
    story.say("/persona rin");
    return (await story.hear(/./s)).text;
  };
  await expect.poll(choose).toContain("这里说话的是Rin");
  story.say("Where is the cat?");
  await story.hear("Hm.");
  expect(systemOf(story.model.requests.at(-1))).toContain("Rin is the conductor of the last night train");
  const newest = JSON.stringify(story.model.requests.at(-1)?.messages.at(-1)?.content);
  expect(newest).toContain("The cat of the train is called Buffer.");
  expect(newest).not.toContain("long bridge");
  story.say("/start");
  const welcome = await story.fake.waitForMessage(({ chat, keyboard }) => chat === story.owner && keyboard.length > 0);
  expect(welcome.text).toMatch(/^(?:Tickets, please|Mind the gap)/);
});
