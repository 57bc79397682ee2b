import { expect, test } from "vitest";
import { readToolCalls } from "../../src/models/read-tool-calls.ts";

const whole = { kind: "whole" } as const;

test("a whole call keeps its arguments; no arguments at all are an empty object", () => {
  const written = [
    { name: "shell", arguments: '{"command":"ls"}' },
    { name: "time", arguments: "" },
  ];
  expect(readToolCalls(written, whole)).toEqual([
    { name: "shell", arguments: { command: "ls" } },
    { name: "time", arguments: {} },
  ]);
});

test("an answer cut at its length limit runs none of its calls, not even those that look whole", () => {
  const written = [
    { name: "shell", arguments: '{"command":"ls"}' },
    { name: "time", arguments: "" },
  ];
  for (const end of [{ kind: "cut" } as const, { kind: "other", reason: "content_filter" } as const]) {
    const calls = readToolCalls(written, end);
    expect(calls).toHaveLength(2);
    for (const call of calls) expect(call).toMatchObject({ arguments: {}, fault: expect.stringContaining("not run") });
  }
});

test("a call that could be repaired is refused instead", () => {
  const [call] = readToolCalls([{ name: "shell", arguments: '{"command":"rm -rf /tmp/bui' }], whole);
  expect(call).toMatchObject({ name: "shell", arguments: {}, fault: expect.stringContaining("not valid JSON") });
});

test("a call without a name is refused", () => {
  expect(readToolCalls([{ name: " ", arguments: "{}" }], whole)[0]?.fault).toBe("The call names no tool.");
});

test("the calls beyond the sixteenth are refused", () => {
  const calls = readToolCalls(
    Array.from({ length: 18 }, () => ({ name: "time", arguments: "{}" })),
    whole,
  );
  expect(calls.filter((call) => call.fault === undefined)).toHaveLength(16);
  expect(calls.slice(16).every((call) => call.fault?.includes("16 calls"))).toBe(true);
});
