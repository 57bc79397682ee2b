import { expect, test } from "vitest";
import { ask, createTestModels, readShown } from "../support/models/ask-models.ts";
import { sendEvents, startRawServer } from "../support/models/start-raw-server.ts";
import type { RawAnswer } from "../support/models/start-raw-server.ts";
import {
  anthropicCall,
  anthropicEvent,
  anthropicStart,
  anthropicStop,
  anthropicText,
} from "../support/models/wire-events.ts";

async function askServer(...answers: readonly RawAnswer[]) {
  await using server = await startRawServer(...answers);
  const credentials = { anthropic: { apiKey: "test-key-0123456789", baseUrl: server.url } };
  const models = createTestModels({ models: "anthropic:m", credentials });
  return { ...(await ask(models)), requests: server.seen.length };
}

test("text and a whole call", async () => {
  const { answer, events } = await askServer(
    sendEvents(
      anthropicStart(),
      anthropicEvent("content_block_start", {
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      }),
      anthropicEvent("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hidden" } }),
      anthropicEvent("content_block_stop", { index: 0 }),
      anthropicText(1, "Let me look."),
      anthropicCall(2, "shell", '{"comm', 'and":"ls"}'),
      anthropicCall(3, "time"),
      anthropicStop("tool_use"),
    ),
  );
  expect(answer).toMatchObject({ text: "Let me look.", model: "anthropic:m", cut: false });
  expect(readShown(events)).toBe("Let me look.");
  expect(answer.calls).toEqual([
    { name: "shell", arguments: { command: "ls" } },
    { name: "time", arguments: {} },
  ]);
  expect(answer.usage).toEqual({ input: 12, output: 7, cachedInput: 0 });
});

test("a call cut in its partial_json is refused", async () => {
  const cut = anthropicCall(0, "shell", '{"command":"rm -rf /tmp/bui');
  const { answer } = await askServer(sendEvents(anthropicStart(), cut, anthropicStop("tool_use")));
  expect(answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.stringContaining("not valid JSON") }]);

  const limited = await askServer(sendEvents(anthropicStart(), cut, anthropicStop("max_tokens")));
  expect(limited.answer.cut).toBe(true);
  expect(limited.answer.calls).toEqual([{ name: "shell", arguments: {}, fault: expect.stringContaining("cut off") }]);
});

test.each([
  ["no stop reason", sendEvents(anthropicStart(), anthropicText(0, "first "))],
  [
    "an error event",
    sendEvents(
      anthropicStart(),
      anthropicText(0, "first "),
      anthropicEvent("error", { error: { type: "overloaded_error", message: "Overloaded" } }),
    ),
  ],
])("%s: asked again", async (_, broken) => {
  const whole = sendEvents(anthropicStart(), anthropicText(0, "second"), anthropicStop("end_turn"));
  const { answer, events, requests } = await askServer(broken, whole);
  expect(answer.text).toBe("second");
  expect(events.map(({ kind }) => kind)).toEqual(["text", "restart", "text"]);
  expect(requests).toBe(2);
});
