import { expect, it } from "vitest";
import { askModel } from "../../src/cli/setup/ask-model.ts";
import { createDraft } from "../../src/cli/setup/draft.ts";
import { wordsFor } from "../../src/core/words/words.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { type RawAnswer, sendEvents, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";
import { openaiCall, openaiDone, openaiFinish, openaiText } from "../support/models/wire-events.ts";
import { createScriptedPrompts } from "../support/scripted-prompts.ts";

const texts = wordsFor("en").setup;
const say = (...words: readonly string[]) => sendEvents(...words.map(openaiText), openaiFinish("stop"), openaiDone);
const call = (name: string, written: string) =>
  sendEvents(openaiCall({ id: "c1", name, arguments: written }), openaiFinish("tool_calls"), openaiDone);
const refuse = (status: number, message: string) => sendStatus(status, { error: { message } });
const noPicture = "This model does not support image input";

/** What the server sends to a request with tools, to one with a picture, and to any other. */
interface Script {
  readonly tool?: RawAnswer;
  readonly picture?: RawAnswer;
  readonly words?: RawAnswer;
}

async function serve({
  tool = call("report_word", '{"word":"ready"}'),
  picture = say("It ", "is ", "red."),
  words = say("It is", " blue."),
}: Script) {
  const server = await startRawServer((response, request) => {
    const answer = request.body["tools"] ? tool : JSON.stringify(request.body).includes("image_url") ? picture : words;
    return answer(response, request);
  });
  untilTestEnds(() => server[Symbol.asyncDispose]());
  return server;
}

/** Somebody sets up that server; `more` are the answers after the name of the model. */
async function setUp(script: Script, { preset = "other", more = [] as readonly string[] } = {}) {
  const server = await serve(script);
  const draft = createDraft({}, {});
  const given = preset === "ollama" ? [server.url, "qwen3:8b"] : [`${server.url}/v1`, "", "m"];
  const prompts = createScriptedPrompts(preset, ...given, ...more);
  await askModel(prompts, draft, texts);
  expect(prompts.left()).toEqual([]);
  const { said } = prompts;
  return { draft, said, told: said.slice(said.findIndex((line) => /answered in/.test(line)) + 1), server };
}

it("tells of a model that can do everything, each in a line", async () => {
  const { draft, server, told } = await setUp({});
  expect(told).toEqual([
    `good ${texts.abilities.tools}`,
    `good ${texts.abilities.stream}`,
    `good ${texts.abilities.pictures}`,
  ]);
  expect(server.seen).toHaveLength(3);
  expect(draft.find("KURISU_MODEL")).toBe("openai:m");
});

it.each([
  { what: "the server refuses tools", tool: refuse(400, "m does not support tools"), why: "m does not support tools" },
  {
    what: "the model answers in words",
    tool: say("I would rather ", "talk."),
    why: "it answered: I would rather talk.",
  },
  { what: "the argument is missing", tool: call("report_word", "{}"), why: "it called with {}" },
  { what: "the arguments are cut", tool: call("report_word", '{"word":"rea'), why: "" },
])("warns that she can only talk when $what, and one may go on", async ({ tool, why }) => {
  const refusing: RawAnswer = tool;
  const { draft, told } = await setUp({ tool: refusing }, { more: ["on"] });
  expect(told[0]).toContain("warn This model cannot use tools: she can talk but not do anything. Choose another\n(");
  expect(told[0]).toContain(why);
  expect(told.at(-1)).toBe(`? ${texts.whatNow}`);
  expect(draft.find("KURISU_MODEL")).toBe("openai:m");
});

it("lets one choose another model when tools do not work", async () => {
  const { draft, said } = await setUp({ tool: say("No.") }, { more: ["other", "offline"] });
  expect(said.filter((line) => line === `? ${texts.model}`)).toHaveLength(2);
  expect(draft.changes.get("KURISU_MODEL")).toBeUndefined();
});

it.each([
  { what: "no key is there", file: { KURISU_MODEL: "offline" }, expected: undefined },
  { what: "a key is there", file: { OPENAI_API_KEY: "k", KURISU_MODEL: "openai:m" }, expected: "offline" },
])("an answer of no model leaves KURISU_MODEL=offline only beside a key: $what", async ({ file, expected }) => {
  const draft = createDraft(file, {});
  await askModel(createScriptedPrompts("offline"), draft, texts);
  expect(draft.changes).toEqual(new Map([["KURISU_MODEL", expected]]));
});

it("says nothing against the tools when the attempt failed for another reason", async () => {
  const { told } = await setUp({ tool: refuse(429, "slow down") });
  expect(told[0]).toMatch(/^warn Tools: the attempt failed \(asked too often \(429: slow down\)\)/);
});

it.each([
  { what: "a 400", picture: refuse(400, noPicture) },
  { what: "a 404", picture: refuse(404, noPicture) },
  { what: "a 500", picture: refuse(500, noPicture) },
  { what: "a word about the form", picture: refuse(422, "messages.0.content must be a string") },
])("gives the line for models.yaml where pictures are refused with $what", async ({ picture }) => {
  const { told } = await setUp({ picture });
  expect(told.at(-1)).toMatch(/^warn Pictures: it refuses them \(.*(?:image input|must be a string).*\)\n/);
  expect(told.at(-1)).toMatch(/config\/system\/models\.yaml.*\ninputs: \[\]$/);
});

it("the setup does not blame the picture when no request succeeds", async () => {
  let asked = 0;
  const first: RawAnswer = (response, request) => {
    asked += 1;
    return (asked === 1 ? say("OK") : refuse(503, "overloaded"))(response, request);
  };
  const { told } = await setUp({ picture: refuse(503, "overloaded"), words: first });
  expect(told[1]).toMatch(/^warn Whether answers come .*\(503: overloaded\)/);
  expect(told[2]).toMatch(/^warn Pictures: the attempt failed .*\(503: overloaded\)/);
});

it("knows an answer that comes whole", async () => {
  const message = { role: "assistant", content: "It is as red as a tomato in June." };
  const whole = sendStatus(200, { choices: [{ index: 0, message, finish_reason: "stop" }] });
  const { told } = await setUp({ picture: whole });
  expect(told[1]).toBe(`warn ${texts.abilities.noStream}`);
});

it("sends no picture to a model that is not known to see", async () => {
  const { server, told } = await setUp({}, { preset: "ollama" });
  expect(told).toEqual([
    `good ${texts.abilities.tools}`,
    `good ${texts.abilities.stream}`,
    `tell ${texts.abilities.picturesUntried}`,
  ]);
  expect(JSON.stringify(server.seen)).not.toContain("image_url");
});

it("names the other inputs in the line for models.yaml", async () => {
  const { url } = await serve({ picture: refuse(400, noPicture) });
  const prompts = createScriptedPrompts("other", `${url}/v1`, "", "audio-m");
  await askModel(prompts, createDraft({}, {}), texts);
  expect(prompts.said.at(-1)).toMatch(/\ninputs: \[audio\]$/);
});
