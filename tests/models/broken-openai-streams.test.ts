import { describe, expect, test } from "vitest";
import { ask, createTestModels, readShown } from "../support/models/ask-models.ts";
import { sendEvents, startRawServer } from "../support/models/start-raw-server.ts";
import type { RawAnswer } from "../support/models/start-raw-server.ts";
import {
  openaiCall,
  openaiDelta,
  openaiDone,
  openaiFinish,
  openaiText,
  openaiUsage,
} from "../support/models/wire-events.ts";

const credentials = (url: string) => ({ openai: { apiKey: "test-key-0123456789", baseUrl: `${url}/v1` } });
const whole = sendEvents(openaiText("second "), openaiText("try"), openaiFinish("stop"), openaiDone);

async function askServer(...answers: readonly RawAnswer[]) {
  await using server = await startRawServer(...answers);
  const models = createTestModels({ models: "openai:m", credentials: credentials(server.url) });
  return { ...(await ask(models)), requests: server.seen.length };
}

describe("calls that must never run", () => {
  const cutCall = openaiCall({ id: "c1", name: "shell", arguments: '{"command":"rm -rf /tmp/bui' });

  test("cut at the length limit where a repair would make a valid call", async () => {
    const { answer } = await askServer(
      sendEvents(openaiText("Cleaning up."), cutCall, openaiFinish("length"), openaiDone),
    );
    expect(answer.cut).toBe(true);
    expect(answer.text).toBe("Cleaning up.");
    expect(answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.stringContaining("cut off") }]);
  });

  test("cut JSON although the server says all is well", async () => {
    const { answer } = await askServer(sendEvents(cutCall, openaiFinish("tool_calls"), openaiDone));
    expect(answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.stringContaining("not valid JSON") }]);
  });

  test("whole JSON in an answer cut at its length limit", async () => {
    const call = openaiCall({ id: "c1", name: "shell", arguments: '{"command":"ls"}' });
    const { answer } = await askServer(sendEvents(call, openaiFinish("length"), openaiDone));
    expect(answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.any(String) }]);
  });

  test("a repeated key", async () => {
    const call = openaiCall({ id: "c1", name: "shell", arguments: '{"command":"ls","command":"rm -rf ~"}' });
    const { answer } = await askServer(sendEvents(call, openaiFinish("tool_calls"), openaiDone));
    expect(answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.stringContaining("twice") }]);
  });
});

describe("calls that are whole", () => {
  test("their arguments are told piece by piece, with the call they belong to", async () => {
    const { events } = await askServer(
      sendEvents(
        openaiCall({ index: 0, id: "a", name: "shell", arguments: '{"comm' }),
        openaiCall({ index: 1, id: "b", name: "time", arguments: "" }),
        openaiCall({ index: 0, arguments: 'and":"ls"}' }),
        openaiCall({ index: 1, arguments: "{}" }),
        openaiFinish("tool_calls"),
        openaiDone,
      ),
    );
    expect(events).toEqual([
      { kind: "call", index: 0, name: "shell", text: '{"comm' },
      { kind: "call", index: 0, name: "shell", text: 'and":"ls"}' },
      { kind: "call", index: 1, name: "time", text: "{}" },
    ]);
  });

  test("pieces are joined by index, two calls with the same id stay two", async () => {
    const { answer } = await askServer(
      sendEvents(
        openaiCall({ index: 0, id: "same", name: "shell", arguments: "" }),
        openaiCall({ index: 1, id: "same", name: "shell", arguments: '{"command":' }),
        openaiCall({ index: 0, arguments: '{"command":"a"}' }),
        openaiCall({ index: 1, arguments: '"b"}' }),
        openaiFinish("tool_calls"),
        openaiDone,
      ),
    );
    expect(answer.calls).toEqual([
      { name: "shell", arguments: { command: "a" } },
      { name: "shell", arguments: { command: "b" } },
    ]);
  });

  test("a server that numbers every call 0 is understood by the ids", async () => {
    const { answer } = await askServer(
      sendEvents(
        openaiCall({ id: "c1", name: "shell", arguments: '{"command":"a"}' }),
        openaiCall({ id: "c2", name: "time", arguments: "" }),
        openaiFinish("stop"),
        openaiDone,
      ),
    );
    expect(answer.calls).toEqual([
      { name: "shell", arguments: { command: "a" } },
      { name: "time", arguments: {} },
    ]);
  });
});

describe("answers that are asked for again", () => {
  test.each([
    ["a clean end without a finish reason", sendEvents(openaiText("first "))],
    ["malformed JSON", sendEvents(openaiText("first "), 'data: {"choices":[{"delta":{"content":"x"\n\n')],
    [
      "an error event",
      sendEvents(openaiText("first "), 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'),
    ],
    ["an announced call that never comes", sendEvents(openaiText("first "), openaiFinish("tool_calls"), openaiDone)],
    [
      "half of a character at the end",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(openaiText("first "));
        const bytes = Buffer.from(openaiText("红莉栖"));
        response.end(bytes.subarray(0, bytes.indexOf("栖") + 1));
      },
    ],
    [
      "a broken connection",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(openaiText("first "), () => response.destroy());
      },
    ],
  ] satisfies readonly (readonly [string, RawAnswer])[])("%s", async (_, broken) => {
    const { answer, events, requests } = await askServer(broken, whole);
    expect(answer).toMatchObject({ text: "second try", model: "openai:m", cut: false });
    expect(readShown(events)).toBe("second try");
    expect(events.filter(({ kind }) => kind === "restart").length).toBeLessThanOrEqual(1);
    expect(requests).toBe(2);
  });

  test("broken twice is a failure", async () => {
    await expect(askServer(sendEvents(openaiText("first ")))).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining("ended before the answer was complete"),
    });
  });
});

describe("answers that are taken as they are", () => {
  test("characters cut apart between two packets come out whole", async () => {
    const { answer } = await askServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const bytes = Buffer.from(openaiText("红莉栖😀"));
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end(openaiFinish("stop"));
    });
    expect(answer.text).toBe("红莉栖😀");
  });

  test("a finish reason is enough; [DONE] may be missing and the connection may break", async () => {
    const { answer, requests } = await askServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(openaiText("done"));
      response.write(openaiFinish("stop"), () => setImmediate(() => response.destroy()));
    });
    expect(answer.text).toBe("done");
    expect(requests).toBe(1);
  });

  test("an empty answer is empty text", async () => {
    const { answer, events } = await askServer(sendEvents(openaiText(""), openaiFinish("stop"), openaiDone));
    expect(answer).toMatchObject({ text: "", calls: [], cut: false });
    expect(events).toEqual([]);
  });

  test("thoughts are never shown; tokens are counted", async () => {
    const { answer, events } = await askServer(
      sendEvents(
        openaiDelta({ role: "assistant", reasoning_content: "the user is odd" }),
        openaiText("<think>very odd</think>"),
        openaiText("Hello."),
        openaiFinish("stop"),
        openaiUsage(100, 20, 64),
        openaiDone,
      ),
    );
    expect(answer.text).toBe("Hello.");
    expect(readShown(events)).toBe("Hello.");
    expect(answer.usage).toEqual({ input: 100, output: 20, cachedInput: 64 });
  });
});
