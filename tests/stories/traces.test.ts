import { expect, test } from "vitest";
import { apiToken, startApiStory } from "../support/kurisu-process/api-story.ts";
import { findFreePort } from "../support/kurisu-process/find-free-port.ts";
import {
  callTools,
  lastWords,
  modelKey,
  resultsOfThisTurn,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { startOtlpCollector, type CollectedSpan } from "../support/otlp-collector.ts";

/** 写一行: the time, which is safe, and a line in a file, which needs an approval. */
const write: ModelScript = (request) =>
  lastWords(request).startsWith("写一行") && resultsOfThisTurn(request).length === 0
    ? callTools(
        { name: "time", arguments: {} },
        { name: "file_write", arguments: { path: "secret-plan.txt", content: "El Psy Kongroo\n" } },
      )
    : undefined;

test("a turn with an approval becomes two linked traces of models, tools and the question, without a word of anyone", async () => {
  const collector = await startOtlpCollector();
  const story = await startApiStory({
    script: write,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20canary-otel-token,x-team=lab",
    },
  });
  const kurisu = await story.start();
  await story.ask("写一行 Tutturu", { user: "okabe" });
  await story.ask("确认", { user: "okabe" });
  expect((await kurisu.stop()).code).toBe(0);

  const spans = collector.spans();
  const [asking, resumed, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === "");
  expect(others).toEqual([]);
  expect(describeTree(spans, asking)).toEqual(["invoke_agent Kurisu", "chat test", "execute_tool time"]);
  expect(describeTree(spans, resumed)).toEqual(["invoke_agent Kurisu", "execute_tool file_write", "chat test"]);
  expect(asking?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "Kurisu",
    "gen_ai.conversation.id": expect.stringMatching(/^[\da-f]{32}$/),
    "kurisu.turn.outcome": "asks",
  });
  expect(asking?.events).toContainEqual({ name: "kurisu.question.asked", attributes: { "kurisu.question.calls": 1 } });
  expect(resumed?.attributes["kurisu.turn.outcome"]).toBe("replied");
  expect(resumed?.attributes["kurisu.turn.id"]).toBe(asking?.attributes["kurisu.turn.id"]);
  expect(resumed?.events).toContainEqual({
    name: "kurisu.question.decided",
    attributes: { "kurisu.question.decision": "approved" },
  });
  expect(resumed?.links).toEqual([{ traceId: asking?.traceId, spanId: asking?.spanId }]);
  expect(asking?.links).toEqual([]);
  expect(spans.find(({ name }) => name === "chat test")?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "test",
    "gen_ai.usage.input_tokens": expect.any(Number),
    "gen_ai.usage.output_tokens": expect.any(Number),
    "kurisu.model.outcome": "answered",
  });
  expect(spans.find(({ name }) => name === "execute_tool file_write")?.attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "file_write",
    "gen_ai.tool.call.id": "1.2",
    "gen_ai.tool.type": "function",
    "kurisu.tool.level": "confirm",
    "kurisu.tool.outcome": "ok",
  });
  for (const { took } of spans) expect(took).toBeGreaterThanOrEqual(0);

  expect(collector.headers.at(0)).toMatchObject({ authorization: "Bearer canary-otel-token", "x-team": "lab" });
  const bytes = collector.bodies.join("\n");
  for (const word of [
    "写一行",
    "Tutturu",
    "Kongroo",
    "secret-plan",
    "okabe",
    "看过结果",
    modelKey,
    apiToken,
    "otel-token",
  ])
    expect(bytes).not.toContain(word);
  expect(kurisu.stderr()).not.toContain("otel-token");
});

test("a collector that is away costs no turn, one line of the log, and no exit code", async () => {
  const port = await findFreePort();
  const story = await startApiStory({
    script: write,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  });
  const kurisu = await story.start();
  await story.ask("写一行");
  expect(await story.ask("确认")).toContain("我看过结果了");
  expect((await kurisu.stop()).code).toBe(0);
  const warnings = kurisu.stderr().match(/the OpenTelemetry collector did not take spans/g);
  expect(warnings).toHaveLength(1);
});

/** The names of a trace's spans, its root first and then the children in the order in which they ended. */
function describeTree(spans: readonly CollectedSpan[], root: CollectedSpan | undefined): readonly string[] {
  const children = spans.filter(
    ({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root.traceId,
  );
  return [root, ...children].map((span) => span?.name ?? "no span");
}
