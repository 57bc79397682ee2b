import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { continueTopic } from "../../../src/features/skills/session-skills.ts";

const play = (messages: readonly (readonly string[])[]) =>
  messages.reduce<ReturnType<typeof continueTopic>>((topic, called) => continueTopic(topic, called), []);
const ids = (messages: readonly (readonly string[])[]) => play(messages).map(({ skill }) => skill);

describe("continueTopic", () => {
  it.each([
    [[["a"]], ["a"]],
    [[["a"], []], ["a"]],
    [[["a"], [], [], []], ["a"]],
    [[["a"], [], [], [], []], []],
    [
      [["a"], ["b"]],
      ["b", "a"],
    ],
    [[["a"], ["b"], ["b"]], ["b"]],
    [
      [["a"], ["b"], ["a"]],
      ["a", "b"],
    ],
    [[["a"], [], [], ["a"], [], [], []], ["a"]],
    [[[], []], []],
  ])("%j leaves %j", (messages, left) => {
    expect(ids(messages)).toEqual(left);
  });

  it("holds what is called, each once, and nothing that has been quiet for four messages", () => {
    const called = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(called, { minLength: 1, maxLength: 12 }), (messages) => {
        const left = ids(messages);
        const recent = new Set(messages.slice(-4).flat());
        expect(new Set(left).size).toBe(left.length);
        expect(left.slice(0, messages.at(-1)?.length)).toEqual(messages.at(-1));
        expect(left.filter((skill) => !recent.has(skill as "a"))).toEqual([]);
      }),
    );
  });
});
