import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { toInboxId, toSessionId } from "../../../src/channels/session-id.ts";
import type { ToolActivity } from "../../../src/channels/tool-activity.ts";
import type { LiveView, OutboundMessage } from "../../../src/channels/types.ts";
import { setInboxState } from "../../../src/store/queries/inbox.ts";
import { finishOutboxItem, saveOutboxItem } from "../../../src/store/queries/outbox.ts";
import { checkChunks } from "../../support/api/check-chunks.ts";
import { startApiChannel, type RunningApiChannel } from "../../support/api/start-api-channel.ts";
import { waitUntil } from "../../support/wait-until.ts";

let api: RunningApiChannel;
beforeEach(async () => {
  api = await startApiChannel();
});
afterEach(() => api[Symbol.asyncDispose]());

const address = { platform: "api", account: "local", chat: "okabe", thread: null };
const ask = (text: string, more: object = {}) => ({
  model: "kurisu",
  user: "okabe",
  messages: [{ role: "user", content: text }],
  ...more,
});
const causeOf = (index: number) => toInboxId(address, api.messages()[index]?.key ?? "");
const untilHeard = (count: number) => waitUntil("the message", () => api.messages().length === count);

let made = 0;
function send(text: string, more: Partial<OutboundMessage> = {}) {
  made += 1;
  const message: OutboundMessage = { id: `out-${made}`, kind: "reply", address, text, plain: false, ...more };
  return api.channel.send(message, { text: api.channel.split(message)[0] ?? "", index: 0, last: true });
}
const end = (index: number) => setInboxState(api.store.main, causeOf(index), "done", 0);

/** A finished stream: its chunks, and what stood between them. */
async function readStream(answer: Response) {
  const events = (await answer.text()).split("\n\n").filter((event) => event !== "");
  const data = events.flatMap((event) => (event.startsWith("data: ") ? [event.slice("data: ".length)] : []));
  const chunks = data.filter((one) => one !== "[DONE]").map((one) => JSON.parse(one) as ChatCompletionChunk);
  const pick = (key: string) =>
    chunks
      .map(({ choices }) => (choices[0]?.delta as Readonly<Record<string, string>> | undefined)?.[key] ?? "")
      .join("");
  return {
    chunks,
    comments: events.filter((event) => event.startsWith(":")),
    isDone: data.at(-1) === "[DONE]",
    content: pick("content"),
    reasoning: pick("reasoning_content"),
  };
}

const tool: ToolActivity = { id: "1.1", name: "shell", summary: "ls", phrase: "看看", status: "started" };
const view = (text: string, tools: readonly ToolActivity[] = []): LiveView => ({
  turn: "t",
  cause: causeOf(0),
  address,
  text,
  tools,
});

it("a stream grows with what is shown, tells what is done, stays alive, and ends with the rest", async () => {
  const asked = api.post(ask("列一下", { stream: true }));
  await untilHeard(1);
  const answer = await asked;
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  expect(await api.channel.show?.(view("我看看。", [tool]))).toBe("live.t");
  await api.channel.show?.(view("我看看。", [{ ...tool, status: "started", note: "1 %" }]));
  await api.channel.show?.(view("我看看。", [{ ...tool, status: "done", ended: { code: 4, late: false } }]));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await send("我看看。有三个文件。", { turn: "t", cause: causeOf(0) })).toMatchObject({ kind: "sent" });
  await end(0);
  const stream = await readStream(answer);
  checkChunks(stream.chunks);
  expect(stream).toMatchObject({
    content: "我看看。有三个文件。",
    reasoning: "```\n▸ shell ls\n```\n```\n✗ 4 shell\n```\n",
    isDone: true,
  });
  expect(stream.comments.length).toBeGreaterThan(0);
});

it.each([
  ["another text than was shown comes whole, below it", "看。", "想好了。", "看。\n\n想好了。"],
  ["white space at the end of what was shown is no other text", "看。\n", "看。", "看。"],
  ["what was said stands before what is said", "", "好。", "好。"],
])("%s", async (_, shown, text, content) => {
  const asked = api.post(ask("看", { stream: true }));
  await untilHeard(1);
  if (shown !== "") await api.channel.show?.(view(shown));
  await send(text, { turn: "t", cause: causeOf(0) });
  await end(0);
  expect((await readStream(await asked)).content).toBe(content);
});

it.each([
  [
    "Markdown loses pictures and hidden links",
    "看 ![x](https://e.test/a) **好**",
    false,
    "看 x (https://e.test/a) **好**",
  ],
  [
    "plain text stays plain",
    "看 ![x](https://e.test/a)\n**好**",
    true,
    String.raw`看 !\[x\](https://e.test/a)` + "  \n\\*\\*好\\*\\*",
  ],
])("%s", async (_, text, plain, content) => {
  const asked = api.post(ask("看"));
  await untilHeard(1);
  await send(text, { plain, cause: causeOf(0) });
  await end(0);
  expect(await (await asked).json()).toMatchObject({ choices: [{ message: { content } }] });
});

it("waiting messages come before the answer, and a request without a receiver is refused", async () => {
  expect(await send("提醒：开会。", { kind: "notice" })).toEqual({ kind: "absent" });
  expect(await api.channel.show?.({ ...view(""), cause: "nobody" })).toBeUndefined();
  const asked = api.post(ask("在吗"));
  await untilHeard(1);
  await waitUntil("the outbox to be told", () => api.woken.length === 1);
  expect(api.woken).toEqual([address]);
  await send("提醒：开会。", { kind: "notice" });
  await send("在。", { cause: causeOf(0) });
  await end(0);
  expect(await (await asked).json()).toMatchObject({
    object: "chat.completion",
    choices: [{ message: { role: "assistant", content: "提醒：开会。\n\n在。" }, finish_reason: "stop" }],
    usage: { total_tokens: 0 },
  });
});

it("each of two requests gets its own answer, and other conversations none of them", async () => {
  const [one, two] = [api.post(ask("一")), api.post(ask("二"))];
  await untilHeard(2);
  const index = api.messages().findIndex(({ text }) => text === "一");
  expect(await send("别人的", { address: { ...address, thread: "other" } })).toEqual({ kind: "absent" });
  await send("答二", { cause: causeOf(1 - index) });
  await send("答一", { cause: causeOf(index) });
  await Promise.all([end(0), end(1)]);
  expect(await (await one).json()).toMatchObject({ choices: [{ message: { content: "答一" } }] });
  expect(await (await two).json()).toMatchObject({ choices: [{ message: { content: "答二" } }] });
});

describe("clients that left before the answer was written", () => {
  const saveSent = async (id: string, text: string, cause: string) => {
    const session = toSessionId(address);
    const message: OutboundMessage = { id, kind: "reply", address, text, plain: false, cause, partial: true };
    const row = { id, session, turn: null, cause, payload: JSON.stringify(message), now: 0 };
    await saveOutboxItem(api.store.main, { ...row, state: "pending" });
    expect(await send(text, message)).toMatchObject({ kind: "sent" });
    return () => finishOutboxItem(api.store.main, id, "sent", null, 0);
  };
  const listWaiting = async () =>
    (
      await api.store.main.selectFrom("outbox").select("id").where("state", "=", "pending").orderBy("seq").execute()
    ).map(({ id }) => id);

  it("the outbox keeps the words of each client that left, across a restart too", async () => {
    const leaving = new AbortController();
    const [one, two] = [api.post(ask("一"), {}, leaving.signal), api.post(ask("二"), {}, leaving.signal)];
    await untilHeard(2);
    await (
      await saveSent("a", "先说一句。", causeOf(0))
    )();
    // The outbox writes it down a moment after the client has gone.
    const finishLate = await saveSent("b", "再说一句。", causeOf(1));
    expect(await listWaiting()).toEqual(["b"]);
    leaving.abort();
    await Promise.all([expect(one).rejects.toThrow(/abort/i), expect(two).rejects.toThrow(/abort/i)]);
    await waitUntil("the first to wait again", async () => (await listWaiting()).includes("a"));
    await finishLate();
    await waitUntil("both to wait again", async () => (await listWaiting()).length === 2);
  });

  it("gets them again after a stop; what was written stays sent", async () => {
    const written = api.post(ask("一"));
    await untilHeard(1);
    await (
      await saveSent("a", "说完了。", causeOf(0))
    )();
    await send("", { cause: causeOf(0) });
    await end(0);
    expect((await written).status).toBe(200);
    const stopped = api.post(ask("二"));
    await untilHeard(2);
    await (
      await saveSent("b", "先说一句。", causeOf(1))
    )();
    await api.channel.stop();
    expect((await stopped).status).toBe(503);
    expect(await listWaiting()).toEqual(["b"]);
  });

  it("gets its files once more, each of them", async () => {
    const path = join(api.home, "a.txt");
    writeFileSync(path, "hi");
    const leaving = new AbortController();
    const asked = api.post(ask("一"), {}, leaving.signal);
    await untilHeard(1);
    for (const name of ["a.txt", "b.txt"]) {
      const file = { name, bytes: 2, sha256: "" };
      const message = { id: name, kind: "reply", address, text: "", plain: false, cause: causeOf(0), file } as const;
      await api.channel.sendFile(message, path);
    }
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await waitUntil("her to see it", async () => (await send("？", { cause: "x" })).kind === "absent");
    const next = api.post(ask("二"));
    await untilHeard(2);
    await end(1);
    const { choices } = (await (await next).json()) as { readonly choices: readonly { readonly message: object }[] };
    expect(choices[0]?.message).toMatchObject({
      content: expect.stringMatching(/\[a\.txt\][\s\S]*\[b\.txt\]/) as string,
    });
  });
});

it("long work: an answer after the limit says that it goes on, and what comes of it waits", async () => {
  const slow = await startApiChannel({ answerWithin: 50 });
  const answer = (await (await slow.post(ask("慢"))).json()) as object;
  expect(answer).toMatchObject({
    choices: [{ finish_reason: "length", message: { content: expect.stringContaining("还在做") as string } }],
  });
  await slow[Symbol.asyncDispose]();
});

it("silence is told in words", async () => {
  const asked = api.post(ask("嗯"));
  await untilHeard(1);
  await end(0);
  expect(await (await asked).json()).toMatchObject({
    choices: [{ message: { content: expect.stringContaining("没有回答") as string } }],
  });
});

it("the end of the process is an error that the clients try again after", async () => {
  const whole = api.post(ask("一"));
  await untilHeard(1);
  const streamed = api.post(ask("二", { stream: true }));
  await untilHeard(2);
  const events = await streamed;
  await api.channel.stop();
  expect((await whole).status).toBe(503);
  expect(await events.text()).toMatch(/data: \{"error":.*"code":"unavailable"/);
  expect(api.channel.health().state).toBe("off");
});

it("columns keep their width, whatever they hold", async () => {
  const asked = api.post(ask("/usage"));
  await untilHeard(1);
  await send("a  ```b", { cause: causeOf(0), kind: "notice", plain: true, preformatted: true });
  await end(0);
  expect(await (await asked).json()).toMatchObject({
    choices: [{ message: { content: "````\na  ```b\n````" } }],
  });
});

it("the form of a call ends the request, although the call goes on", async () => {
  const asked = api.post(ask("填表"));
  await untilHeard(1);
  await api.channel.show?.(view(""));
  await send("你的名字？", { kind: "notice", partial: true, turn: "t" });
  expect(await (await asked).json()).toMatchObject({ choices: [{ message: { content: "你的名字？" } }] });
});

it("a request waits for the preview that was announced, however long it takes", async () => {
  let isRunning = true;
  await using other = await startApiChannel({
    isPreviewRunning: (session) => isRunning && session === toSessionId(address),
  });
  const asked = other.post(ask("预览"));
  await waitUntil("the message", () => other.messages().length === 1);
  const cause = toInboxId(address, other.messages()[0]?.key ?? "");
  const tell = (text: string, more: Partial<OutboundMessage>) => {
    const message: OutboundMessage = { id: text, kind: "notice", address, text, plain: false, cause, ...more };
    return other.channel.send(message, { text, index: 0, last: true });
  };
  await tell("先试一遍。", { partial: true });
  await setInboxState(other.store.main, cause, "done", 0);
  // Longer than all quick looks.
  await new Promise((resolve) => setTimeout(resolve, 150));
  await tell("K7 的预览", {});
  isRunning = false;
  expect(await (await asked).json()).toMatchObject({ choices: [{ message: { content: "先试一遍。\n\nK7 的预览" } }] });
});
