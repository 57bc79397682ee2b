import { APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import {
  apiToken,
  readStream,
  shareApiStory,
  startApiStory,
  type ApiStory,
} from "../support/kurisu-process/api-story.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { waitUntil } from "../support/wait-until.ts";

/** 写 WORD: a file is written, once somebody has said yes. */
const writes: ModelScript = (request) => {
  const word = /^写 (\w+)$/.exec(lastWords(request))?.[1];
  if (word === undefined || resultsOfThisTurn(request).length > 0) return undefined;
  return callTools({ name: "file_write", arguments: { path: "effect.txt", content: `${word}\n`, mode: "append" } });
};

const begin = shareApiStory();
const effects = ({ folder }: Pick<ApiStory, "folder">) => folder.workspaceLines("effect.txt");
const heard = "嗯，我在听。";
const done = "好了，我看过结果了。";

test("the official client lists the model, asks with and without streaming, and is told what is wrong", async () => {
  const story = begin();
  const client = story.client();
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["kurisu"]);
  expect(await client.models.retrieve("kurisu")).toMatchObject({ id: "kurisu", object: "model" });
  expect(await story.ask("在吗")).toBe(heard);
  expect(await story.ask("还在吗", { stream: true })).toBe(heard);

  const counted = await client.chat.completions.create({
    model: "kurisu",
    messages: [{ role: "user", content: "真的在吗" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(await readStream(counted)).toBe(heard);

  const runner = client.chat.completions.stream({ model: "kurisu", messages: [{ role: "user", content: "几点了" }] });
  const completion = await runner.finalChatCompletion();
  expect(completion.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: done, role: "assistant" } });

  const asked = { model: "kurisu", messages: [{ role: "user", content: "在吗" }] } as const;
  const stranger = story.client({ apiKey: `${apiToken}x` });
  await expect(stranger.chat.completions.create({ ...asked, messages: [...asked.messages] })).rejects.toThrow(
    AuthenticationError,
  );
  await expect(story.client().models.retrieve("gpt-4o")).rejects.toThrow(NotFoundError);
  await expect(
    client.chat.completions.create({ model: "kurisu", messages: [{ role: "system", content: "x" }] }),
  ).rejects.toThrow(BadRequestError);
});

test.each([false, true])(
  "a call that needs approval is asked, withheld from the wrong person, dropped, and approved (streamed: %s)",
  async (stream) => {
    const story = begin(writes);
    const okabe = { user: "okabe", stream };
    expect(await story.ask("写 one", okabe)).toMatch(/effect\.txt[\s\S]*编号 [A-Z]+\d/);
    // Somebody else has no question of his own, and does not get at this one by its name.
    const question = await story.ask("写 one", { user: "daru", stream });
    const code = /编号 ([A-Z]+\d)/.exec(question)?.[1] ?? "";
    expect(await story.ask("取消", { user: "daru", stream })).toContain("好吧，那就不做了。");
    expect(await story.ask("确认", { user: "daru", stream })).not.toContain(done);
    expect(await story.ask(`确认 ${code}`, { user: "mayuri", stream })).not.toContain(done);
    expect(effects(story)).toEqual([]);

    // In another conversation of the same person it is not asked either.
    expect(await story.ask("确认", { ...okabe, conversation: "other" })).toBe(heard);
    expect(effects(story)).toEqual([]);
    expect(await story.ask("取消", okabe)).toContain("好吧，那就不做了。");
    expect(await story.ask("写 two", okabe)).toMatch(/编号 [A-Z]+\d/);
    expect(await story.ask("预览", okabe)).toMatch(/先在工作区的副本上试一遍[\s\S]*真正的工作区没有变/);
    expect(effects(story)).toEqual([]);
    expect(await story.ask("确认", okabe)).toContain(done);
    expect(effects(story)).toEqual(["two"]);
  },
);

test("the response to the approval is the sub-agent's result", async () => {
  const stream = true;
  const story = begin((request) => {
    const word = /^派人写 (\w+)$/.exec(lastWords(request))?.[1];
    if (word === undefined || resultsOfThisTurn(request).length > 0) return writes(request);
    return callTools({ name: "task", arguments: { description: `写 ${word}`, agent_name: "coder" } });
  });
  expect(await story.ask("派人写 one", { stream })).toMatch(/编号 [A-Z]+\d/);
  expect(effects(story)).toEqual([]);
  expect(await story.ask("确认", { stream })).toContain(done);
  expect(effects(story)).toEqual(["one"]);
});

test("the client tries again after a lost answer: nothing runs twice", async () => {
  const story = begin(writes);
  let calls = 0;
  const losing = story.client({
    maxRetries: 2,
    async fetch(...given) {
      const answer = await fetch(...given);
      calls += 1;
      await answer.clone().text();
      if (calls % 2 === 1) throw new TypeError("the connection was lost");
      return answer;
    },
  });
  expect(await story.ask("在吗", { client: losing })).toBe(heard);
  expect(story.model.requests).toHaveLength(1);
  expect(await story.ask("写 one", { client: losing })).toMatch(/编号 [A-Z]+\d/);
  expect(await story.ask("确认", { client: losing })).toContain(done);
  expect(calls).toBe(6);
  expect(effects(story)).toEqual(["one"]);
});

test("twenty people at once get their own answers, streamed or not", async () => {
  const story = begin((request) => ({ content: `听到了：${lastWords(request)}。` }));
  const people = Array.from({ length: 20 }, (_, index) => `person-${index}`);
  const answers = await Promise.all(
    people.map((user, index) => story.ask(`我是 ${user}`, { user, stream: index % 2 === 0 })),
  );
  expect(answers).toEqual(people.map((user) => `听到了：我是 ${user}。`));
});

test("a client that goes away gets its answer with the next request, once", async () => {
  const thinking = Promise.withResolvers<void>();
  const story = begin(async (request) => {
    if (lastWords(request) !== "慢慢想") return undefined;
    await thinking.promise;
    return { content: "想好了。" };
  });
  const stop = new AbortController();
  const asked = story
    .client()
    .chat.completions.create(
      { model: "kurisu", messages: [{ role: "user", content: "慢慢想" }] },
      { signal: stop.signal },
    );
  await waitUntil("the model to be asked", () => story.model.requests.length === 1);
  stop.abort();
  await expect(asked).rejects.toThrow(APIUserAbortError);
  // The same request again waits for the same turn.
  const again = story.ask("慢慢想", { stream: true });
  const other = await story.ask("在吗", { conversation: "other" });
  expect(other).toBe(heard);
  thinking.resolve();
  expect(await again).toBe("想好了。");
  expect(story.model.requests.filter((request) => lastWords(request) === "慢慢想")).toHaveLength(1);
  expect(await story.ask("在吗")).toBe(heard);
});

test("the client's own retry gets the same answer after kill -9, and an open question can be answered", async () => {
  let isSlow = true;
  const thinking = Promise.withResolvers<void>();
  const story = await startApiStory({
    async script(request, ...more) {
      if (isSlow && lastWords(request) === "在吗") await thinking.promise;
      return writes(request, ...more);
    },
  });
  const kurisu = await story.start();
  const mayuri = { user: "mayuri" };
  expect(await story.ask("写 one", mayuri)).toMatch(/编号 [A-Z]+\d/);
  const asked = story.ask("在吗", { client: story.client({ maxRetries: 8 }) });
  await waitUntil("the model to be asked", () => story.model.requests.length === 2);
  await kurisu.crash();
  isSlow = false;
  thinking.resolve();
  await story.start();
  expect(await asked).toBe(heard);
  const messages = await lookIntoStore(story.folder, "select id from inbox where kind = 'message'");
  expect(messages).toHaveLength(2);
  expect(effects(story)).toEqual([]);
  expect(await story.ask("确认", mayuri)).toContain(done);
  expect(effects(story)).toEqual(["one"]);
});

test("long work without streaming: an answer in time, and the result before that of the next message", async () => {
  const thinking = Promise.withResolvers<void>();
  const story = await startApiStory({
    // Short enough to wait for, and long enough for a busy machine to answer the second message in.
    files: { "system/channels.yaml": "api: { answerWithin: 5s, model: amadeus }\n" },
    async script(request) {
      if (lastWords(request) !== "慢慢想") return undefined;
      await thinking.promise;
      return { content: "想好了。" };
    },
  });
  await story.start();
  const slow = await story.client().chat.completions.create({
    model: "amadeus",
    messages: [{ role: "user", content: "慢慢想" }],
  });
  expect(slow.choices[0]).toMatchObject({ finish_reason: "length" });
  expect(slow.choices[0]?.message.content).toContain("做完的结果会先给你");
  thinking.resolve();
  const next = await story.client().chat.completions.create({
    model: "amadeus",
    messages: [{ role: "user", content: "在吗" }],
  });
  expect(next.choices[0]?.message.content).toBe(`想好了。\n\n${heard}`);
});

test("/stop in another request ends the turn, and both requests get an answer", async () => {
  const thinking = Promise.withResolvers<void>();
  const story = begin(async (request) => {
    if (lastWords(request) === "慢慢想") await thinking.promise;
    return undefined;
  });
  const asked = story.ask("慢慢想");
  await waitUntil("the model to be asked", () => story.model.requests.length === 1);
  expect(await story.ask("/stop")).toContain("好，停下了。");
  expect(await asked).toContain("没有回答");
  thinking.resolve();
});

test("a picture in the message is in the workspace, and the same conversation once more is a new message", async () => {
  const story = begin();
  const png = Buffer.from("89504e470d0a1a0a", "hex").toString("base64");
  const messages = [
    { role: "system", content: "You are somebody else." },
    {
      role: "user",
      content: [
        { type: "text", text: "看这个" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
      ],
    },
  ] satisfies ChatCompletionMessageParam[];
  const client = story.client();
  for (const times of [1, 2]) {
    const { choices } = await client.chat.completions.create({ model: "kurisu", messages });
    expect(choices[0]?.message.content).toBe(heard);
    expect(story.model.requests).toHaveLength(times);
  }
  expect(story.folder.workspaceLines("inbox/image.png")).toHaveLength(2);
  expect(JSON.stringify(story.model.requests)).not.toContain("somebody else");
});
