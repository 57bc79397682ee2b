import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Lorebook } from "../../../src/core/persona/lorebook/lorebook.ts";
import { createMatchLorebook } from "../../../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../../../src/core/persona/lorebook/read-lorebook.ts";

function mustRead(value: unknown): Lorebook {
  const read = readLorebook(value);
  if (read.kind === "refused") throw new Error(read.problem);
  return read.lorebook;
}

/** The contents that come for a talk, in the order of the prompt. `entry` has the content "it" where it has none. */
function come(book: unknown, messages: string | readonly string[], chance = 0): readonly string[] {
  const said = typeof messages === "string" ? [messages] : messages;
  const talk = { messages: said, count: said.length, replies: Math.floor(said.length / 2), chance: () => chance };
  return createMatchLorebook(mustRead(book))(talk).map(({ content }) => content);
}
const one = (entry: object, rest: object = {}) => ({ entries: [{ keys: ["lamp"], content: "it", ...entry }], ...rest });
const st = (extensions: object, entry: object = {}) => one({ ...entry, extensions });

describe("an entry comes", () => {
  test.each<[string, object, string | string[], number]>([
    ["when a key is said", one({}), "the lamp is out", 1],
    ["not without one", one({}), "the door is shut", 0],
    ["in any case of the letters", one({ keys: ["LAMP"] }), "Lamp", 1],
    ["not in another case when case counts", one({ keys: ["Lamp"], case_sensitive: true }), "lamp", 0],
    ["in its case when case counts", one({ keys: ["Lamp"], case_sensitive: true }), "no lamp but Lamp", 1],
    ["in the middle of Chinese", one({ keys: ["灯塔"] }), "昨晚灯塔灭了", 1],
    [
      "in the middle of Chinese, whole words or not",
      st({ match_whole_words: true }, { keys: ["灯塔"] }),
      "昨晚灯塔灭了",
      1,
    ],
    ["not inside a longer word when words are whole", st({ match_whole_words: true }), "lamps", 0],
    ["as a whole word", st({ match_whole_words: true }), "lamps? one lamp!", 1],
    ["when an expression fits", one({ keys: ["l[ae]mp s?"], use_regex: true }), "lemp s", 1],
    ["when an expression between slashes fits", one({ keys: ["/l.mp/i"] }), "LUMP", 1],
    ["not when an expression is none", one({ keys: ["l(amp"], use_regex: true }), "l(amp", 0],
    ["not when an expression looks ahead", one({ keys: ["l(?=amp)"], use_regex: true }), "lamp", 0],
    ["always when it is constant", one({ constant: true, keys: [] }), "", 1],
    ["never when it is switched off", one({ constant: true, enabled: false }), "lamp", 0],
    ["never when SillyTavern disabled it", one({ disable: true }), "lamp", 0],
    ["never when it is empty", one({ content: " " }), "lamp", 0],
    ["from a message that is not too old", one({}, { scan_depth: 2 }), ["lamp", "b"], 1],
    ["not from an older message", one({}, { scan_depth: 2 }), ["lamp", "b", "c"], 0],
    ["by its own depth", st({ scan_depth: 3 }), ["lamp", "b", "c"], 1],
    ["by the depth of its decorator", one({ content: "@@scan_depth 3\nit" }), ["lamp", "b", "c"], 1],
  ])("%s", (_, book, messages, count) => {
    expect(come(book, messages)).toHaveLength(count);
  });

  const two = { secondary_keys: ["sea", "fog"], selective: true };
  test.each<[string, number, string, number]>([
    ["any", 0, "lamp sea", 1],
    ["any", 0, "lamp", 0],
    ["any", 0, "sea fog", 0],
    ["not all", 1, "lamp sea", 1],
    ["not all", 1, "lamp sea fog", 0],
    ["not any", 2, "lamp", 1],
    ["not any", 2, "lamp fog", 0],
    ["all", 3, "lamp sea fog", 1],
    ["all", 3, "lamp sea", 0],
  ])("an entry matches with secondary keys, %s of them: logic %i, %j", (_, selectiveLogic, message, count) => {
    expect(come(st({ selectiveLogic }, two), message)).toHaveLength(count);
  });

  it("an entry matches without its secondary keys when they are not selective, or beside an expression", () => {
    expect(come(one({ ...two, selective: false }), "lamp")).toHaveLength(1);
    expect(come(one({ ...two, use_regex: true }), "lamp")).toHaveLength(1);
  });

  test.each<[string, string, string | string[], number]>([
    ["@@activate", "@@activate\nit", "", 1],
    ["@@dont_activate", "@@dont_activate\nit", "lamp", 0],
    ["@@additional_keys, both", "@@additional_keys sea,fog\nit", "lamp fog", 1],
    ["@@additional_keys, one list only", "@@additional_keys sea,fog\nit", "lamp", 0],
    ["@@exclude_keys", "@@exclude_keys sea\nit", "lamp sea", 0],
    ["@@activate_only_after", "@@activate_only_after 2\nit", ["a", "b", "lamp"], 0],
    ["@@activate_only_after, later", "@@activate_only_after 2\nit", ["a", "b", "c", "d", "lamp"], 1],
    ["@@activate_only_every", "@@activate_only_every 2\nit", ["a", "b", "lamp"], 0],
    ["@@keep_activate_after_match", "@@keep_activate_after_match\nit", ["lamp", "b", "c", "d"], 1],
    ["@@dont_activate_after_match, at first", "@@dont_activate_after_match\nit", ["a", "lamp"], 1],
    ["@@dont_activate_after_match, again", "@@dont_activate_after_match\nit", ["lamp", "b", "lamp"], 0],
    ["@@is_greeting", "@@is_greeting 1\nit", "lamp", 0],
    ["an unknown one, dropped", "@@sparkle 3\nit", "lamp", 1],
    ["a fallback of an unknown one", "@@sparkle\n@@@dont_activate\nit", "lamp", 0],
    ["a fallback of a known one, which does not count", "@@depth 2\n@@@dont_activate\nit", "lamp", 1],
  ])("an entry obeys %s", (_, content, messages, count) => {
    expect(come(one({ content }), messages)).toEqual(Array.from({ length: count }, () => "it"));
  });

  test.each<[string, object, string[], number]>([
    ["sticky: it stays", { sticky: 3 }, ["lamp", "b", "c", "d"], 1],
    ["sticky: and ends", { sticky: 1 }, ["lamp", "b", "c", "d"], 0],
    ["cooldown: it rests", { cooldown: 3 }, ["lamp", "lamp"], 0],
    ["cooldown: and comes again", { cooldown: 1 }, ["lamp", "b", "lamp"], 1],
    ["sticky and cooldown", { sticky: 1, cooldown: 2 }, ["lamp", "lamp", "lamp", "lamp"], 0],
    ["delay: not yet", { delay: 3 }, ["a", "lamp"], 0],
    ["delay: now", { delay: 3 }, ["a", "b", "lamp"], 1],
  ])("an entry obeys its timing, %s", (_, extensions, messages, count) => {
    expect(come(st(extensions), messages)).toHaveLength(count);
  });

  it("an entry obeys its probability only when that is in use", () => {
    expect(come(st({ probability: 40, useProbability: true }), "lamp", 0.39)).toHaveLength(1);
    expect(come(st({ probability: 40, useProbability: true }), "lamp", 0.4)).toHaveLength(0);
    expect(come(st({ probability: 40, useProbability: false }), "lamp", 0.9)).toHaveLength(1);
  });
});

describe("several entries", () => {
  const entry = (content: string, rest: object = {}) => ({ keys: ["lamp"], content, ...rest });

  it("stand before the character, after it, then at a depth, each in their order", () => {
    const entries = [
      entry("d2", { extensions: { position: 4, depth: 2 } }),
      entry("d9", { content: "@@depth 9\nd9" }),
      entry("a2", { insertion_order: 2 }),
      entry("b", { position: "before_char", insertion_order: 9 }),
      entry("a1", { insertion_order: 1, position: "after_char" }),
    ];
    expect(come({ entries }, "lamp")).toEqual(["b", "a1", "a2", "d9", "d2"]);
  });

  it("fit the budget: the least priority goes, then the smallest order", () => {
    const long = (letter: string) => letter.repeat(40);
    const entries = [
      entry(long("a"), { priority: 1, insertion_order: 3 }),
      entry(long("b"), { priority: 9, insertion_order: 1 }),
      entry(long("c"), { priority: 9, insertion_order: 2 }),
      entry(`@@ignore_on_max_context\n${long("d")}`, { priority: 99 }),
    ];
    expect(come({ entries, token_budget: 20 }, "lamp")).toEqual([long("b"), long("c")]);
    expect(come({ entries, token_budget: 10 }, "lamp")).toEqual([long("c")]);
    expect(come({ entries, token_budget: 0 }, "lamp")).toEqual([]);
  });

  it("call each other only in a book that is recursive, and only those that may", () => {
    const entries = [
      entry("speaks of fog"),
      { keys: ["fog"], content: "speaks of sea" },
      { keys: ["sea"], content: "end", extensions: { exclude_recursion: true } },
      { keys: ["lamp", "fog"], content: "late", extensions: { delay_until_recursion: true } },
    ];
    expect(come({ entries }, "lamp")).toEqual(["speaks of fog"]);
    expect(come({ entries, recursive_scanning: true }, "lamp")).toEqual(["speaks of fog", "speaks of sea", "late"]);
    const quiet = [entry("speaks of fog", { extensions: { prevent_recursion: true } }), ...entries.slice(1)];
    expect(come({ entries: quiet, recursive_scanning: true }, "lamp")).toEqual(["speaks of fog"]);
  });

  it("entries that call each other in a ring end", () => {
    const entries = ["fog", "sea", "lamp"].map((word, at, all) => ({ keys: [word], content: all[(at + 1) % 3] }));
    expect(come({ entries, recursive_scanning: true }, "lamp")).toHaveLength(3);
  });

  it("entries of a group match one at a time, by weight", () => {
    const entries = [
      entry("first", { extensions: { group: "g", group_weight: 1 } }),
      entry("second", { extensions: { group: "g", group_weight: 3 } }),
      entry("beside"),
    ];
    expect(come({ entries }, "lamp", 0.2)).toEqual(["first", "beside"]);
    expect(come({ entries }, "lamp", 0.3)).toEqual(["second", "beside"]);
  });

  test("the index finds the same entries as a search for each key by itself", () => {
    const word = array(constantFrom("a", "b", "ab", "ß", "灯", " "), { minLength: 1, maxLength: 4 }).map((parts) =>
      parts.join(""),
    );
    assert(
      property(array(word, { minLength: 1, maxLength: 8 }), array(word, { maxLength: 12 }), (keys, words) => {
        const text = words.join("");
        const wanted = keys.filter((key) => key.trim() !== "" && text.includes(key.trim()));
        const entries = keys.map((key) => ({ keys: [key], content: key || "-" }));
        const book = {
          entries: entries.map(({ keys: own, content }, at) => ({ keys: own, content: `${at} ${content}`.trim() })),
        };
        expect(come(book, text)).toHaveLength(wanted.length);
      }),
    );
  });
});

describe("a lorebook", () => {
  it("the reader reads a separate V3 lorebook and a world info of SillyTavern", () => {
    expect(come({ spec: "lorebook_v3", data: one({}) }, "lamp")).toEqual(["it"]);
    const world = {
      entries: {
        "0": {
          uid: 0,
          key: ["lamp"],
          keysecondary: [],
          content: "it",
          selective: true,
          order: 100,
          position: 0,
          disable: false,
          scanDepth: null,
          caseSensitive: null,
          matchWholeWords: true,
          probability: 100,
          useProbability: true,
        },
        "1": {
          uid: 1,
          key: ["lamp"],
          keysecondary: ["sea"],
          content: "never",
          selective: true,
          selectiveLogic: 0,
          disable: false,
        },
      },
    };
    expect(come(world, "one lamp")).toEqual(["it"]);
    expect(come(world, "lamps")).toEqual([]);
  });

  test.each([
    ["of another spec", { spec: "chara_card_v3", data: {} }, /no lorebook/],
    ["without entries", {}, /no list/],
    ["of too many entries", { entries: Array.from({ length: 10_001 }, () => ({})) }, /10001 entries/],
    ["of too much text", one({ content: "x".repeat(4_000_001) }), /4000001 characters/],
    ["that is no object", "lamp", /no list/],
  ])("%s is refused", (_, value, problem) => {
    const read = readLorebook(value);
    expect(read.kind === "refused" && read.problem).toMatch(problem);
  });

  it("drops entries and fields that are not what they should be", () => {
    const entries = [
      7,
      null,
      { keys: [3, "lamp"], content: "it", priority: "high", extensions: [] },
      { keys: "lamp", content: "x" },
    ];
    expect(come({ entries, scan_depth: "far", token_budget: -1 }, "lamp")).toEqual(["it"]);
  });
});
