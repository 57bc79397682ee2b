import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { callTools, modelKey, resultsOfThisTurn, type ModelAnswer } from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory, type StoryChapter } from "../support/kurisu-process/share-telegram-story.ts";
import { sendEvents, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";
import { openaiDelta } from "../support/models/wire-events.ts";

const begin = shareTelegramStory();

/** Says these answers, one a request; afterwards it reports what its tools brought. */
function answer(...answers: readonly ModelAnswer[]): StoryChapter {
  let asked = 0;
  return begin(() => answers[asked++]);
}

/** What ran, and what was asked, in a chapter. */
const listRuns = ({ folder, owner }: StoryChapter) =>
  lookIntoStore(
    folder,
    `select tool, tool_ledger.state from tool_ledger join turns on id = turn where session like '%:${owner}'`,
  );
const listQuestions = ({ folder, owner }: StoryChapter) =>
  lookIntoStore(folder, `select id from questions where session like '%:${owner}'`);

const run = (command: string) => ({ name: "shell", arguments: { command } });

describe("strange answers of a model", () => {
  test.each<{ readonly what: string; readonly answers: readonly string[]; readonly never: RegExp }>([
    { what: "nothing", answers: ["", " \n\n\u200B"], never: /^[\s\u200B]*$/ },
    { what: "its reasoning", answers: ["<think>用户想要 X，我应该假装</think>"], never: /think|用户想要/ },
    {
      what: "tool calls as text",
      answers: [
        '{"name": "shell", "arguments": {"command": "rm -rf /"}}',
        '<tool_call>\n{"name": "shell", "arguments": {"command": "rm -rf /"}}\n</tool_call>',
      ],
      never: /rm -rf|"arguments"|tool_call/,
    },
    { what: "who made it", answers: ["作为一个人工智能语言模型，我没有感情。"], never: /人工智能|语言模型/ },
  ])("$what: asked once more, then she speaks for herself", async ({ answers, never }) => {
    const story = answer(...answers.flatMap((content) => [{ content }, { content }]));
    const drafts = story.fake.drafts.length;
    for (const [index] of answers.entries()) {
      story.say(`在吗 ${index}`);
      const reply = await story.hear(/./);
      const shown = [...reply.texts, ...story.fake.drafts.slice(drafts).map(({ text }) => text)].filter(
        (text) => text !== "",
      );
      for (const text of shown) expect(text).not.toMatch(never);
    }
    await story.quiet();
    expect(story.said()).toHaveLength(answers.length);
    expect(story.model.requests).toHaveLength(answers.length * 2);
    expect(await listRuns(story)).toEqual([]);
  });

  test("an unknown tool, wrong arguments and invalid JSON are refused in words for the model; nothing runs and no question is asked", async () => {
    const story = answer(
      callTools({ name: "format_disk", arguments: { disk: "/dev/sda" } }),
      callTools({ name: "shell", arguments: { cmd: "id" } }),
      callTools({ name: "shell", arguments: { command: 7 } }),
      callTools({ name: "shell", arguments: '{"command": "id"' }),
      callTools({ name: "file_write", arguments: { path: "../../etc/x", content: "x", mode: "delete" } }),
    );
    story.say("做点什么");
    await story.hear(/./);
    await story.quiet();
    expect(story.model.requests.length).toBeGreaterThanOrEqual(5);
    const told = story.model.requests.map((request) => resultsOfThisTurn(request).at(-1) ?? "").slice(1);
    expect(told[0]).toMatch(/There is no tool format_disk/);
    expect(told[1]).toMatch(/command/);
    expect(told[2]).toMatch(/command/);
    expect(told[3]).toMatch(/JSON/);
    expect(await listQuestions(story)).toEqual([]);
    expect(await listRuns(story)).toEqual([]);
    expect(story.folder.workspaces()).toEqual([]);
  });

  test("a call that was cut off at the token limit never runs and is not even asked about", async () => {
    const whole = callTools(run("rm -rf build")) as { toolCalls: object[] };
    const story = answer({ ...whole, finishReason: "length" } as ModelAnswer, { content: "算了。" });
    story.say("清理一下");
    await story.hear(/./);
    await story.quiet();
    expect(await listQuestions(story)).toEqual([]);
    expect(await listRuns(story)).toEqual([]);
  });

  test("a stream that breaks within a call", async () => {
    const folder = createKurisuFolder({ "system/models.yaml": "limits: { retries: 0 }\n" });
    const begin = openaiDelta({
      role: "assistant",
      tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "shell", arguments: '{"command":"id' } }],
    });
    await using server = await startRawServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(begin);
      setTimeout(() => response.destroy(), 50);
    });
    const environment = { KURISU_MODEL: "openai:test", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: modelKey };
    const { code, lines } = await runOnce("id", { folder, environment });
    expect(lines.at(-1)?.type).toBe("error");
    expect([1, 69]).toContain(code);
    expect(await lookIntoStore(folder, "select * from questions")).toEqual([]);
  });

  test("garbage on the wire, and a refusal that quotes the key", async () => {
    const folder = createKurisuFolder({ "system/models.yaml": "limits: { retries: 0, backoff: 10ms }\n" });
    const refuse = { error: { message: `Incorrect API key provided: ${modelKey}`, type: "invalid_request_error" } };
    await using server = await startRawServer(
      sendEvents("data: {{{{\n\n", "event: nonsense\n\n", "\u0000\u0001"),
      sendStatus(401, refuse),
    );
    const environment = { KURISU_MODEL: "openai:test", OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: modelKey };
    for (const words of ["一", "二"]) {
      const { code, lines, stderr } = await runOnce(words, { folder, environment });
      expect(lines.at(-1)?.type).toBe("error");
      expect([1, 69]).toContain(code);
      expect(JSON.stringify(lines) + stderr).not.toContain(modelKey);
      expect(JSON.stringify(lines)).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
    }
    const records = await lookIntoStore(
      folder,
      "select detail from audit union all select detail from audit_texts union all select payload from outbox",
    );
    expect(JSON.stringify(records)).not.toContain(modelKey);
  });
});

describe.runIf(dockerIsThere())("several calls in one round", () => {
  test("several calls are one question; the safe ones run before, and one approval runs each of the others once, in order", async () => {
    const story = answer(
      callTools(run("echo one >> effect.txt"), { name: "time", arguments: {} }, run("echo two >> effect.txt")),
    );
    story.say("两件事");
    const card = await story.hearQuestion();
    expect(card.text).toContain("echo one >> effect.txt");
    expect(card.text).toContain("echo two >> effect.txt");
    expect(card.text).toContain("这 2 件事");
    expect(await listRuns(story)).toEqual([{ tool: "time", state: "done" }]);
    story.say("确认");
    await story.hear(/好了，我看过结果了。/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one", "two"]);
    expect(resultsOfThisTurn(story.model.requests.at(-1) ?? { model: "", messages: [] })).toHaveLength(3);
    expect(await listQuestions(story)).toHaveLength(1);
  });

  test("two equal calls: one is asked, the other refused", async () => {
    const story = answer(callTools(run("echo one >> effect.txt"), run("echo one >> effect.txt")));
    story.say("两次");
    await story.hearQuestion();
    story.say("确认");
    await story.hear(/好了/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
  });
});
