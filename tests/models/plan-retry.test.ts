import { expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { classifyFailure, type ModelFailure } from "../../src/models/classify-failure.ts";
import { planRetry } from "../../src/models/plan-retry.ts";

const limits = { retries: 2, backoffMs: 1_000 };
const model = { provider: "openai", name: "test" } as const;
const context = { model, now: systemClock.now(), scrub: (text: string) => text };

const network: ModelFailure = { kind: "network", detail: "not reached" };
const stale: ModelFailure = { ...network, stale: true };

it.each<[string, ModelFailure, number, number | undefined]>([
  ["a connection that was just closed, at once", stale, 1, 0],
  ["the same once more, after a pause", stale, 2, 2_000],
  ["a server that is not reached, after a pause", network, 1, 1_000],
  ["a busy server, when it says", { kind: "busy", detail: "", retryAfterMs: 300 }, 1, 300],
  [
    "a busy server that asks for too long, not at all",
    { kind: "busy", detail: "", retryAfterMs: 60_000 },
    1,
    undefined,
  ],
  ["a refused key, not at all", { kind: "key", detail: "" }, 1, undefined],
  ["anything, not oftener than allowed", stale, 3, undefined],
])("asks again: %s", (_what, failure, attempt, waitMs) => {
  expect(planRetry(failure, attempt, limits, 1)).toBe(waitMs);
});

it.each([
  ["other side closed", new Error("fetch failed", { cause: new Error("other side closed") }), true],
  ["ECONNRESET", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), true],
  ["ECONNREFUSED", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }), undefined],
])("tells a closed connection from a server that is not there: %s", (_what, error, expected) => {
  expect(classifyFailure(error, context)).toMatchObject({ kind: "network" });
  expect(classifyFailure(error, context).stale).toBe(expected);
});
