import { request as requestHttp } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRequest } from "../../../src/channels/api/read-request.ts";
import { setInboxState } from "../../../src/store/queries/inbox.ts";
import { finishOutboxItem, saveOutboxItem } from "../../../src/store/queries/outbox.ts";
import { toInboxId, toSessionId } from "../../../src/channels/session-id.ts";
import { startApiChannel, testToken, type RunningApiChannel } from "../../support/api/start-api-channel.ts";
import { patienceMs } from "../../support/patience.ts";

let api: RunningApiChannel;
beforeEach(async () => {
  api = await startApiChannel();
});
afterEach(() => api[Symbol.asyncDispose]());

const user = (content: unknown) => ({ role: "user", content });
const ask = (changes: object = {}) => ({ model: "kurisu", messages: [user("在吗")], ...changes });
const leave = () => AbortSignal.timeout(300);
const png = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a", "hex").toString("base64")}`;

async function readFault(answer: Response) {
  const { error } = (await answer.json()) as { readonly error: Readonly<Record<string, unknown>> };
  // Each field is always there, as the clients read them.
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(error["message"]).toMatch(/\S/);
  return { status: answer.status, code: error["code"], param: error["param"] };
}

describe("a request that is refused", () => {
  it.each<readonly [string, unknown, object]>([
    ["no JSON", "{", { status: 400, code: "invalid_json" }],
    ["no object", "[]", { status: 400, code: "invalid_value" }],
    ["no model", { messages: [user("在吗")] }, { status: 400, param: "model" }],
    ["another model", ask({ model: "gpt-4o" }), { status: 404, code: "model_not_found", param: "model" }],
    ["no messages", ask({ messages: [] }), { status: 400, param: "messages" }],
    ["messages of another kind", ask({ messages: ["在吗"] }), { status: 400, param: "messages.0" }],
    ["nothing of the user", ask({ messages: [{ role: "system", content: "x" }] }), { status: 400, param: "messages" }],
    [
      "an answer that she is to go on with",
      ask({ messages: [user("在吗"), { role: "assistant", content: "嗯" }] }),
      { status: 400, param: "messages" },
    ],
    ["two answers", ask({ n: 2 }), { status: 400, param: "n" }],
    ["streaming that is no yes or no", ask({ stream: "yes" }), { status: 400, param: "stream" }],
    ["a user with a colon", ask({ user: "group:1" }), { status: 400, param: "user" }],
    ["a user with a number sign", ask({ user: "a#b" }), { status: 400, param: "user" }],
    ["no user", ask({ user: "" }), { status: 400, param: "user" }],
    ["a user of 129 characters", ask({ user: "a".repeat(129) }), { status: 400, param: "user" }],
    ["a part that is not known", ask({ messages: [user([{ type: "video" }])] }), { status: 400, param: "messages" }],
    [
      "a picture of this machine",
      ask({ messages: [user([{ type: "image_url", image_url: { url: "file:///etc/passwd" } }])] }),
      { status: 400, param: "messages" },
    ],
    [
      "a data: URL that is not base64",
      ask({ messages: [user([{ type: "image_url", image_url: { url: "data:text/plain,x" } }])] }),
      { status: 400, param: "messages" },
    ],
    [
      "sound of another format",
      ask({ messages: [user([{ type: "input_audio", input_audio: { data: "AA", format: "flac" } }])] }),
      { status: 400, param: "messages" },
    ],
    [
      "files of more than 8 MiB",
      ask({
        messages: [user([{ type: "image_url", image_url: { url: `data:a/b;base64,${"A".repeat(8_400_000)}` } }])],
      }),
      { status: 413, code: "files_too_large" },
    ],
    [
      "the chore of a client",
      ask({ messages: [user("### Task:\nGenerate a title.\n### Output:\nJSON\n<chat_history></chat_history>")] }),
      { status: 400, code: "unsupported_task" },
    ],
  ])("%s", async (_, body, fault) => {
    expect(await readFault(await api.post(body))).toMatchObject(fault);
    expect(api.events).toEqual([]);
  });

  it("a body of more than 32 MiB, whether it says so or not", async () => {
    const long = JSON.stringify(ask({ messages: [user("长".repeat(12_000_000))] }));
    expect(await readFault(await api.post(long))).toMatchObject({ status: 413, code: "request_too_large" });
  });

  it.each([
    ["no token", {}],
    ["another one", { authorization: `Bearer ${testToken}x` }],
    ["its beginning", { authorization: `Bearer ${testToken.slice(0, -1)}` }],
    ["another scheme", { authorization: `Basic ${testToken}` }],
    ["nothing", { authorization: "Bearer " }],
  ])("the server refuses any path without the token: %s", async (_, headers) => {
    for (const path of ["/v1/models", "/v1/models/kurisu", "/v1/nowhere"]) {
      const answer = await fetch(`${api.url}${path}?access_token=${testToken}`, { headers });
      expect(await readFault(answer)).toMatchObject({ status: 401, code: "invalid_api_key" });
    }
  });

  it("guessing: after 60 wrong tokens in a minute", async () => {
    const guess = () => api.post(ask(), { authorization: "Bearer guess" });
    const statuses: number[] = [];
    for (let tries = 0; tries < 62; tries += 1) statuses.push((await guess()).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
    api.clock.advance(60_000);
    expect((await guess()).status).toBe(401);
  });

  it("a path that is not there, and a name that does not lead here", async () => {
    const headers = { authorization: `Bearer ${testToken}` };
    expect(await readFault(await fetch(`${api.url}/v1/embeddings`, { headers, method: "POST" }))).toMatchObject({
      status: 404,
      code: "unknown_url",
    });
    const missing = await fetch(`${api.url}/chat/completions`, { method: "POST", body: "{}" });
    expect(await missing.json()).toMatchObject({
      error: { message: "/v1 is missing: the path is /v1/chat/completions." },
    });
    expect(await askUnder("evil.example", api.url)).toBe(403);
  });

  it("answers no page of another origin: it sends no CORS headers", async () => {
    const headers = { authorization: `Bearer ${testToken}`, origin: "https://evil.example" };
    const answer = await fetch(`${api.url}/v1/models`, { headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect((await fetch(`${api.url}/v1/models`, { method: "OPTIONS" })).status).toBe(401);
  });

  it("the fifth that is open in a conversation, and the 61st of a user in a minute", async () => {
    const open = [1, 2, 3, 4].map((number) =>
      api.post(ask({ stream: true, user: `u` }), { "Idempotency-Key": `${number}` }),
    );
    const stays = await Promise.all(open);
    const full = await api.post(ask({ user: "u" }), { "Idempotency-Key": "5" });
    expect(full.headers.get("retry-after")).toBe("5");
    expect(await readFault(full)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    for (const { body } of stays) await body?.cancel();
    let last = 200;
    for (let count = 0; count < 61; count += 1) {
      const key = { "Idempotency-Key": `many ${count}`, "X-Conversation-Id": `c${count}` };
      const answer = await api.post(ask({ stream: true, user: "many" }), key);
      last = answer.status;
      await answer.body?.cancel();
    }
    expect(last).toBe(429);
  });

  it("the fifth of a conversation that waits to be taken in", async () => {
    const asked = Array.from({ length: 6 }, (_, number) =>
      api.post(ask({ stream: true }), { "Idempotency-Key": `${number}` }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
    for (const { body } of answers) await body?.cancel();
  });

  it("a body, before it is read, while many others are", async () => {
    const headers = { authorization: `Bearer ${testToken}`, "content-type": "application/json" };
    const open = Array.from({ length: 8 }, () => {
      const sending = requestHttp(`${api.url}/v1/chat/completions`, { method: "POST", headers });
      sending.on("error", () => undefined).write("{");
      return sending;
    });
    await expect.poll(async () => (await api.post("{")).status).toBe(429);
    for (const sending of open) sending.destroy();
    await expect.poll(async () => (await api.post("{")).status).toBe(400);
  });

  it("the server refuses a request while its channel is closed or the store fails", async () => {
    const failing = await startApiChannel({
      beforeStoring() {
        throw new Error("the disk is full");
      },
    });
    const answer = await failing.post(ask());
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await readFault(answer)).toMatchObject({ status: 503, code: "unavailable" });
    expect(failing.channel.health()).toMatchObject({
      state: "degraded",
      detail: expect.stringContaining("disk") as string,
    });
    await failing[Symbol.asyncDispose]();
    await api.channel.stopReceiving();
    expect(await readFault(await api.post(ask()))).toMatchObject({ status: 503 });
  });
});

describe("requests that become a message", () => {
  it.each<readonly [string, readonly unknown[], string]>([
    ["the last words", [user("一"), { role: "assistant", content: "好" }, user("二")], "二"],
    [
      "all words after the last answer",
      [user("一"), { role: "assistant", content: "好" }, user("二"), user("三")],
      "二\n\n三",
    ],
    [
      "no system message, wherever",
      [{ role: "system", content: "服从" }, user("一"), { role: "system", content: "x" }],
      "一",
    ],
    ["no results of a client's tools", [user("一"), { role: "tool", content: "x" }], "一"],
    [
      "text parts",
      [
        user([
          { type: "text", text: "一" },
          { type: "text", text: "二" },
        ]),
      ],
      "一\n\n二",
    ],
  ])("%s", async (_, messages, text) => {
    const left = api.post(ask({ messages, tools: [{ type: "function" }], temperature: 2 }), {}, leave());
    await expect.poll(() => api.messages()).toHaveLength(1);
    expect(api.messages()[0]).toMatchObject({ text, attachments: [], caption: false, chatKind: "private" });
    await expect(left).rejects.toThrow(/abort/i);
  });

  it("a picture is fetched from the message, and one of the web only by the guard", async () => {
    const parts = [
      { type: "text", text: "看" },
      { type: "image_url", image_url: { url: png } },
      { type: "image_url", image_url: { url: "http://127.0.0.1:9/a.png" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "file", file: { filename: "a\nb.txt", file_data: "data:text/plain;base64,aGk=" } },
    ];
    const left = api.post(ask({ messages: [user(parts)] }), {}, leave());
    await expect.poll(() => api.messages()).toHaveLength(1);
    const { address, attachments, caption } = api.messages()[0] ?? {};
    expect(caption).toBe(true);
    expect(attachments).toMatchObject([
      { kind: "image", mimeType: "image/png" },
      { kind: "image" },
      { kind: "voice", mimeType: "audio/wav" },
      { kind: "file", name: "a b.txt", mimeType: "text/plain" },
    ]);
    const fetch = (index: number, maxBytes = 1_000) => {
      const one = attachments?.[index];
      const source = one && "source" in one ? one.source : undefined;
      if (!address || !source) throw new Error("there is nothing to fetch");
      return api.channel.fetchFile?.(address, source, { maxBytes, signal: AbortSignal.timeout(patienceMs) });
    };
    expect(await fetch(0)).toMatchObject({ kind: "fetched", content: Buffer.from("89504e470d0a1a0a", "hex") });
    expect(await fetch(0, 4)).toEqual({ kind: "tooLarge", limit: 4 });
    expect(await fetch(1)).toMatchObject({ kind: "gone" });
    expect(await fetch(3)).toMatchObject({ kind: "fetched", content: Buffer.from("hi") });
    await expect(left).rejects.toThrow(/abort/i);
  });

  it.each<readonly [string, object, Readonly<Record<string, string>>, object, string]>([
    ["nobody is named", {}, {}, { chat: "default", thread: null }, "default"],
    ["the body names one", { user: "okabe@lab.jp" }, {}, { chat: "okabe@lab.jp", thread: null }, "okabe@lab.jp"],
    ["by the newer field", { safety_identifier: "冈部" }, {}, { chat: "冈部", thread: null }, "冈部"],
    ["a conversation", { user: "u" }, { "X-Conversation-Id": "c-1" }, { chat: "u", thread: "c-1" }, "u"],
    [
      "Open WebUI",
      { user: "u" },
      {
        "X-OpenWebUI-User-Id": "id-1",
        "X-OpenWebUI-Chat-Id": "local:chat-1",
        "X-OpenWebUI-User-Name": "%E5%86%88%E9%83%A8",
      },
      { chat: "id-1", thread: "local:chat-1" },
      "冈部",
    ],
  ])("a request becomes a message of a named sender: %s", async (_, body, headers, address, name) => {
    const left = api.post(ask(body), headers, leave());
    await expect.poll(() => api.messages()).toHaveLength(1);
    const [message] = api.messages();
    expect(message?.address).toEqual({ platform: "api", account: "local", ...address });
    expect(message?.sender).toEqual({ id: message?.address.chat, name, kind: "person" });
    await expect(left).rejects.toThrow(/abort/i);
  });

  it("a conversation that is no name is refused", async () => {
    expect((await api.post(ask(), { "X-Conversation-Id": "a b" })).status).toBe(400);
  });
});

describe("the same request again", () => {
  /** As the gateway and its outbox do it. */
  const finish = async (index: number): Promise<void> => {
    const message = api.messages()[index];
    if (!message) throw new Error("there is no such message");
    const { address, key } = message;
    const cause = toInboxId(address, key);
    const id = `out-${index}`;
    const text = `答 ${index}`;
    const out = { id, kind: "reply", address, text, plain: false, cause } as const;
    const row = { id, session: toSessionId(address), turn: null, cause, payload: JSON.stringify(out), now: 0 };
    await saveOutboxItem(api.store.main, { ...row, state: "pending" });
    await setInboxState(api.store.main, cause, "done", 0);
    await api.channel.send(out, { text, index: 0, last: true });
    await finishOutboxItem(api.store.main, id, "sent", null, 0);
  };

  it("waits for the same answer while that is not out, and is a new message afterwards", async () => {
    const [first, second] = [api.post(ask()), api.post(ask())];
    await expect.poll(() => api.messages()).toHaveLength(1);
    await finish(0);
    const answers = await Promise.all([first, second].map(async (one) => (await one).json() as Promise<object>));
    expect(answers).toMatchObject([0, 0].map((index) => ({ choices: [{ message: { content: `答 ${index}` } }] })));
    const again = api.post(ask());
    await expect.poll(() => api.messages()).toHaveLength(2);
    await finish(1);
    expect(await (await again).json()).toMatchObject({ choices: [{ message: { content: "答 1" } }] });
  });

  it("one key runs a request only once and belongs to one message of one conversation", async () => {
    const key = { "Idempotency-Key": "k" };
    const first = api.post(ask(), key);
    await expect.poll(() => api.messages()).toHaveLength(1);
    await finish(0);
    await first;
    const reused = await api.post(ask({ messages: [user("别的")] }), key);
    expect(await readFault(reused)).toMatchObject({ status: 400, code: "idempotency_key_reused" });
    expect(await readFault(await api.post(ask(), { "Idempotency-Key": "k".repeat(256) }))).toMatchObject({
      status: 400,
    });
    const other = api.post(ask({ user: "daru" }), key, leave());
    await expect.poll(() => api.messages()).toHaveLength(2);
    await expect(other).rejects.toThrow(/abort/i);
  });

  it("waits for its own answer, whatever was said in between; a retry gets it again, for a while", async () => {
    const retry = { "X-Stainless-Retry-Count": "1" };
    const first = api.post(ask());
    await expect.poll(() => api.messages()).toHaveLength(1);
    const between = api.post(ask({ messages: [user("别的")] }));
    await expect.poll(() => api.messages()).toHaveLength(2);
    const again = api.post(ask(), retry);
    await finish(0);
    await finish(1);
    const answers = [first, again, between].map(async (one) => (await one).json() as Promise<object>);
    expect(await Promise.all(answers)).toMatchObject(
      ["答 0", "答 0", "答 1"].map((content) => ({ choices: [{ message: { content } }] })),
    );
    expect(api.messages()).toHaveLength(2);
    api.clock.advance(20 * 60_000);
    const late = api.post(ask(), retry);
    await expect.poll(() => api.messages()).toHaveLength(3);
    await finish(2);
    expect((await late).status).toBe(200);
  });

  it("leaves out words that she has, when the one before has failed", async () => {
    const left = api.post(ask(), {}, leave());
    await expect.poll(() => api.messages()).toHaveLength(1);
    await expect(left).rejects.toThrow(/abort/i);
    const next = api.post(ask({ messages: [user("在吗"), user("还在吗")] }), {}, leave());
    await expect.poll(() => api.messages()).toHaveLength(2);
    expect(api.messages()[1]?.text).toBe("还在吗");
    await expect(next).rejects.toThrow(/abort/i);
  });
});

it("keeps no more of a text than what is refused as too long", () => {
  const messages = Array.from({ length: 50 }, () => user("字".repeat(100_000)));
  const read = readRequest(JSON.stringify(ask({ messages })));
  expect("request" in read && new Set(read.request.messages.map(({ text }) => text.length))).toEqual(new Set([32_000]));
});

it("a request with more than 50 files in its new messages is refused", () => {
  const pictures = (count: number) =>
    Array.from({ length: count }, () => ({ type: "image_url", image_url: { url: "https://example.com/a.png" } }));
  const read = (count: number) =>
    readRequest(JSON.stringify(ask({ messages: [user(pictures(25)), user(pictures(count))] })));
  expect(read(25)).toMatchObject({ request: { messages: [{}, {}] } });
  expect(read(26)).toMatchObject({ error: { status: 413, code: "too_many_files" } });
});

it("reads a long conversation in a time of about its length", () => {
  const messages = Array.from({ length: 19_999 }, (_, index) =>
    index % 2 === 0 ? user("说".repeat(500)) : { role: "assistant", content: "答".repeat(500) },
  );
  const start = performance.now();
  expect(readRequest(JSON.stringify(ask({ messages })))).toMatchObject({
    request: { messages: [{ attachments: [] }] },
  });
  expect(performance.now() - start).toBeLessThan(60_000);
});

/** The client of Node's fetch sends its own Host. */
function askUnder(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${testToken}` };
    requestHttp(`${url}/v1/models`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
