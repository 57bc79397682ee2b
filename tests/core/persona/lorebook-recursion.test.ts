import { describe, expect, it, test } from "vitest";
import { createMatchLorebook } from "../../../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../../../src/core/persona/lorebook/read-lorebook.ts";

type Chance = (entry: number, message: number) => number;

function come(value: object, messages: readonly string[], chance: Chance = () => 0): readonly string[] {
  const read = readLorebook(value);
  if (read.kind === "refused") throw new Error(read.problem);
  const talk = { messages, count: messages.length, replies: Math.floor(messages.length / 2), chance };
  return createMatchLorebook(read.lorebook)(talk).map(({ content }) => content);
}

describe("the text of an entry and the messages together", () => {
  const caller = { keys: ["lamp"], content: "speaks of fog" };
  const called = (entry: object) => ({ entries: [caller, { content: "it", ...entry }], recursive_scanning: true });

  test.each<[string, object, readonly string[], boolean]>([
    ["call another entry", { keys: ["fog"] }, ["lamp"], true],
    [
      "do not call it when an excluded key is in a message",
      { keys: ["fog"], content: "@@exclude_keys sea\nit" },
      ["lamp, sea"],
      false,
    ],
    [
      "call it by a key in a message and a secondary key in the text",
      { keys: ["sea"], secondary_keys: ["fog"], selective: true },
      ["lamp, sea"],
      true,
    ],
    [
      "call it by a key in the text and a secondary key in a message",
      { keys: ["fog"], secondary_keys: ["sea"], selective: true },
      ["lamp, sea"],
      true,
    ],
    [
      "do not call it by a message that is too old",
      { keys: ["fog"], secondary_keys: ["sea"], selective: true },
      ["sea", "b", "lamp"],
      false,
    ],
    [
      "do not call an entry that waits for recursion by a message alone",
      { keys: ["sea"], extensions: { delay_until_recursion: true } },
      ["lamp, sea"],
      false,
    ],
    ["do not call it while it rests", { keys: ["fog"], extensions: { cooldown: 5 } }, ["fog", "b", "c", "lamp"], false],
    [
      "call it when it has rested",
      { keys: ["fog"], extensions: { cooldown: 2 } },
      ["fog", "b", "c", "d", "lamp"],
      true,
    ],
    [
      "do not call it a second time with @@dont_activate_after_match",
      { keys: ["fog"], content: "@@dont_activate_after_match\nit" },
      ["fog", "b", "c", "lamp"],
      false,
    ],
  ])("%s", (_, entry, messages, comes) => {
    expect(come(called(entry), messages)).toEqual(comes ? ["speaks of fog", "it"] : ["speaks of fog"]);
  });

  it("recursion gives an entry that lost its chance no second one", () => {
    const entry = { keys: ["lamp", "fog"], extensions: { probability: 50, useProbability: true } };
    expect(come(called(entry), ["lamp"], () => 0.6)).toEqual(["speaks of fog"]);
  });
});

describe("a sticky entry with a chance", () => {
  const entry = { keys: ["lamp"], content: "it", extensions: { sticky: 3, probability: 50, useProbability: true } };
  const luckAt =
    (...lucky: readonly number[]): Chance =>
    (_, message) =>
      lucky.includes(message) ? 0 : 0.9;

  test.each<[string, readonly string[], readonly number[], number]>([
    ["stays without being rolled again", ["lamp", "b", "c"], [0], 1],
    ["does not stay when it had no luck", ["lamp", "b", "c"], [2], 0],
    ["is rolled again when its key is said again", ["lamp", "b", "lamp"], [2], 1],
    ["is rolled at the message that says its key", ["a", "b", "lamp"], [2], 1],
  ])("%s", (_, messages, lucky, count) => {
    expect(come({ entries: [entry] }, messages, luckAt(...lucky))).toHaveLength(count);
  });

  it("a sticky entry draws its chance at messages of the whole talk, however few are searched", () => {
    const once = { ...entry, extensions: { ...entry.extensions, sticky: 0 } };
    expect(come({ entries: [once] }, ["a", "b", "c", "lamp"], luckAt(3))).toEqual(["it"]);
  });
});
