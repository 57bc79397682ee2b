import { describe, expect, test } from "vitest";
import type { ModelEvent } from "../../src/models/types.ts";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { sendAndHang, sendEvents, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";
import {
  anthropicStart,
  anthropicStop,
  anthropicText,
  openaiCall,
  openaiDone,
  openaiFinish,
  openaiText,
} from "../support/models/wire-events.ts";

const key = "sk-test-0123456789abcdef";
const good = sendEvents(openaiText("fine"), openaiFinish("stop"), openaiDone);
const other = sendEvents(anthropicStart(), anthropicText(0, "from the other"), anthropicStop("end_turn"));
const limited = (headers: Record<string, string>) => sendStatus(429, { error: { message: "slow down" } }, headers);

function createPair(first: { url: string }, second: { url: string }, more: object = {}) {
  const credentials = {
    openai: { apiKey: key, baseUrl: `${first.url}/v1` },
    anthropic: { apiKey: key, baseUrl: second.url },
  };
  return createTestModels({ models: "openai:one,anthropic:two", credentials, ...more });
}

describe("the same model once more", () => {
  test("429 with a short retry-after, then ok", async () => {
    await using first = await startRawServer(limited({ "retry-after": "0" }), good);
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    expect((await ask(models)).answer).toMatchObject({ text: "fine", model: "openai:one" });
    expect(first.seen).toHaveLength(2);
    expect(models.status()).toMatchObject([{ state: "ready" }, { state: "unproven" }]);
  });

  test("503, then ok", async () => {
    await using first = await startRawServer(sendStatus(503, { error: { message: "busy" } }), good);
    const models = createTestModels({
      models: "openai:one",
      credentials: { openai: { apiKey: key, baseUrl: `${first.url}/v1` } },
    });
    expect((await ask(models)).answer.text).toBe("fine");
    expect(first.seen).toHaveLength(2);
  });
});

describe("the next model", () => {
  test("one that has reached its limit of the day is not asked", async () => {
    await using first = await startRawServer(good);
    await using second = await startRawServer(other);
    const without = new Set(["openai:one"]);
    expect((await ask(createPair(first, second), { without })).answer.model).toBe("anthropic:two");
    expect(first.seen).toHaveLength(0);
  });

  test("a long retry-after is not waited for, in seconds or as a date", async () => {
    for (const wait of ["120", new Date(Date.now() + 120_000).toUTCString()]) {
      await using first = await startRawServer(limited({ "retry-after": wait }));
      await using second = await startRawServer(other);
      expect((await ask(createPair(first, second))).answer.model).toBe("anthropic:two");
      expect(first.seen).toHaveLength(1);
    }
  });

  test("500 twice", async () => {
    await using first = await startRawServer(sendStatus(500, { error: { message: "boom" } }));
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    expect((await ask(models)).answer).toMatchObject({ text: "from the other", model: "anthropic:two" });
    expect(first.seen).toHaveLength(2);
    expect(models.status()[0]).toMatchObject({
      model: "openai:one",
      state: "failing",
      detail: expect.stringContaining("500"),
    });
  });

  test("the next model answers when the server cannot be reached", async () => {
    const first = await startRawServer(good);
    await first[Symbol.asyncDispose]();
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    expect((await ask(models)).answer.model).toBe("anthropic:two");
    expect(models.status()[0]?.detail).toContain("not reached");
  });

  test("a refused key is not tried again, and the remedy is told without the key", async () => {
    const refusal = sendStatus(401, {
      error: { message: `Incorrect API key provided: ${key}`, type: "invalid_request_error" },
    });
    await using first = await startRawServer(refusal);
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    expect((await ask(models)).answer.model).toBe("anthropic:two");
    expect(first.seen).toHaveLength(1);
    expect(models.status()[0]).toMatchObject({ state: "failing", detail: expect.stringContaining("OPENAI_API_KEY") });
    expect(JSON.stringify(models.status())).not.toContain(key);
  });

  test("a server that is silent before the first word", async () => {
    await using first = await startRawServer(sendAndHang());
    await using second = await startRawServer(other);
    const models = createPair(first, second, { limits: { firstTokenMs: 150 } });
    expect((await ask(models)).answer.model).toBe("anthropic:two");
    expect(first.seen).toHaveLength(1);
    expect(models.status()[0]?.detail).toContain("no first word in 150 ms");
    await expect.poll(first.abandoned).toBe(1);
  });

  test("a server that falls silent in the middle: what was shown is void", async () => {
    await using first = await startRawServer(sendAndHang(openaiText("half an")));
    await using second = await startRawServer(other);
    const { answer, events } = await ask(createPair(first, second, { limits: { idleMs: 150 } }));
    expect(answer.text).toBe("from the other");
    expect(events).toEqual([
      { kind: "text", text: "half an" },
      { kind: "restart", reason: expect.stringContaining("openai:one") },
      { kind: "text", text: "from the other" },
    ]);
  });

  test("a server that falls silent in the middle of a call: what was shown of it is void", async () => {
    const call = openaiCall({ id: "c1", name: "shell", arguments: '{"command":"ls' });
    await using first = await startRawServer(sendAndHang(call));
    await using second = await startRawServer(other);
    const { answer, events } = await ask(createPair(first, second, { limits: { idleMs: 150 } }));
    expect(answer.calls).toEqual([]);
    expect(events).toEqual([
      { kind: "call", index: 0, name: "shell", text: '{"command":"ls' },
      { kind: "restart", reason: expect.stringContaining("openai:one") },
      { kind: "text", text: "from the other" },
    ]);
  });

  test("a server that never ends is stopped at the total limit", async () => {
    await using first = await startRawServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(openaiText("x")), 20);
      response.on("close", () => clearInterval(timer));
    });
    await using second = await startRawServer(other);
    const models = createPair(first, second, { limits: { totalMs: 300 } });
    expect((await ask(models)).answer.model).toBe("anthropic:two");
    expect(models.status()[0]?.detail).toContain("no whole answer in 300 ms");
  });
});

describe("when none answers", () => {
  test("each is named with its reason, without secrets", async () => {
    await using first = await startRawServer(sendStatus(500, { error: { message: `boom ${key}` } }));
    await using second = await startRawServer(sendStatus(403, { error: { message: key } }));
    const failure: unknown = await ask(createPair(first, second)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    const { message } = failure as Error;
    expect(message).toMatch(/openai:one: .*500.*anthropic:two: .*ANTHROPIC_API_KEY/);
    expect(message).not.toContain(key);
  });

  test.each([
    [[401], "MODEL_REFUSED_KEY"],
    [[429], "MODEL_LIMITED"],
    [[402], "MODEL_NO_CREDIT"],
    [[404], "MODEL_NOT_FOUND"],
    [[400], "MODEL_REFUSED_REQUEST"],
    [[500], "MODEL_UNAVAILABLE"],
    // Waiting helps as long as one of them was only busy.
    [[401, 429], "MODEL_LIMITED"],
    [[401, 503], "MODEL_UNAVAILABLE"],
  ])("answers of %j are told apart as %s", async ([one = 0, two = one], code) => {
    await using first = await startRawServer(sendStatus(one, {}, { "retry-after": "60" }));
    await using second = await startRawServer(sendStatus(two, {}, { "retry-after": "60" }));
    await expect(ask(createPair(first, second))).rejects.toMatchObject({ code });
  });

  test("no restart is announced when no other answer begins", async () => {
    const events: ModelEvent[] = [];
    await using first = await startRawServer(sendEvents(openaiText("half")), sendStatus(500, {}));
    const models = createTestModels({
      models: "openai:one",
      credentials: { openai: { apiKey: key, baseUrl: `${first.url}/v1` } },
    });
    await expect(ask(models, { onEvent: (event) => events.push(event) })).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
    });
    expect(events).toEqual([{ kind: "text", text: "half" }]);
  });
});

describe("after a failure", () => {
  test("the model rests 1, 5, then 25 minutes while another can answer", async () => {
    const time = { now: 0 };
    await using first = await startRawServer(sendStatus(401, {}));
    await using second = await startRawServer(other);
    const models = createPair(first, second, { clock: { now: () => time.now } });
    const minutes = async (count: number) => {
      time.now += count * 60_000;
      await ask(models);
      return first.seen.length;
    };
    expect(await minutes(0)).toBe(1);
    expect(await minutes(0.9)).toBe(1);
    expect(await minutes(0.2)).toBe(2);
    expect(await minutes(4.9)).toBe(2);
    expect(await minutes(0.2)).toBe(3);
    expect(await minutes(24.9)).toBe(3);
    expect(await minutes(0.2)).toBe(4);
    expect(models.status()[0]).toMatchObject({ state: "failing", since: 0 });
  });

  test("the only model is asked although it should rest", async () => {
    await using first = await startRawServer(sendStatus(503, {}), sendStatus(503, {}), good);
    const models = createTestModels({
      models: "openai:one",
      credentials: { openai: { apiKey: key, baseUrl: `${first.url}/v1` } },
    });
    await expect(ask(models)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect((await ask(models)).answer.text).toBe("fine");
    expect(models.status()[0]?.state).toBe("ready");
  });

  test("a request it does not take leaves the model in the order", async () => {
    await using first = await startRawServer(sendStatus(400, { error: { message: "bad image" } }), good);
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    expect((await ask(models)).answer.model).toBe("anthropic:two");
    expect((await ask(models)).answer.model).toBe("openai:one");
  });
});

describe("stopping", () => {
  test("a stop in the middle ends at once, is passed on to the server and is no failure", async () => {
    await using first = await startRawServer(sendAndHang(openaiText("half an")));
    await using second = await startRawServer(other);
    const models = createPair(first, second);
    const stop = new AbortController();
    const reason = new Error("stopped by the person");
    const asking = ask(models, { signal: stop.signal, onEvent: () => stop.abort(reason) });
    await expect(asking).rejects.toBe(reason);
    expect(second.seen).toHaveLength(0);
    expect(models.status()[0]?.state).toBe("unproven");
    await expect.poll(first.abandoned).toBe(1);
  });

  test("a stop before the answer and during the pause between two tries", async () => {
    await using first = await startRawServer(limited({ "retry-after": "4" }));
    const models = createTestModels({
      models: "openai:one",
      credentials: { openai: { apiKey: key, baseUrl: `${first.url}/v1` } },
    });
    await expect(ask(models, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
    expect(first.seen).toHaveLength(0);
    const stop = new AbortController();
    const asking = ask(models, { signal: stop.signal });
    await expect.poll(() => first.seen.length).toBe(1);
    setTimeout(() => stop.abort(new Error("in the pause")), 100);
    await expect(asking).rejects.toThrow("in the pause");
    expect(models.status()[0]?.state).toBe("unproven");
  });

  test("a fault of the listener is its own and not held against the model", async () => {
    await using first = await startRawServer(good);
    const models = createTestModels({
      models: "openai:one",
      credentials: { openai: { apiKey: key, baseUrl: `${first.url}/v1` } },
    });
    const fault = new Error("cannot show");
    const asking = ask(models, {
      onEvent: () => {
        throw fault;
      },
    });
    await expect(asking).rejects.toBe(fault);
    expect(first.seen).toHaveLength(1);
    expect(models.status()[0]?.state).toBe("unproven");
  });
});
