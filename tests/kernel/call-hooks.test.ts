import { expect, it } from "vitest";
import { createCallHooks } from "../../src/kernel/feature/call-hooks.ts";
import type { FeatureHooks } from "../../src/kernel/feature/define-feature.ts";
import type { MadeFeature } from "../../src/kernel/feature/make-features.ts";

const logged: unknown[] = [];
const log = { error: (fields: object) => void logged.push(fields) };
const make = (name: string, hooks: FeatureHooks): MadeFeature => ({ name, hooks, commands: [], tools: {} });

it("a feature that fails to stop is logged, and the others are stopped", async () => {
  logged.length = 0;
  const stopped: string[] = [];
  const hooks = createCallHooks(
    [
      make("bad", { stop: () => Promise.reject(new Error("no")) }),
      make("good", {
        stop: async () => {
          await Promise.resolve();
          stopped.push("good");
        },
      }),
    ],
    log,
  );
  await hooks.stop();
  expect(stopped).toEqual(["good"]);
  expect(logged).toEqual([expect.objectContaining({ feature: "bad", hook: "stop" })]);
});

it("a feature that throws while work is ended hides no other's answer", () => {
  const hooks = createCallHooks(
    [
      make("bad", {
        endWork: () => {
          throw new Error("no");
        },
      }),
      make("good", { endWork: () => true }),
    ],
    log,
  );
  expect(hooks.endWork("chat")).toBe(true);
});

it("two features cannot have a job of one kind", () => {
  const job = { work: () => Promise.resolve("ended" as const) };
  const both = [make("one", { jobs: { facts: job } }), make("two", { jobs: { facts: job } })];
  expect(() => createCallHooks(both, log)).toThrow("Two features have a row for facts.");
});
