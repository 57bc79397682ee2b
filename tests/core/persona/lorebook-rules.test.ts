import { describe, expect, test } from "vitest";
import { createMatchLorebook } from "../../../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../../../src/core/persona/lorebook/read-lorebook.ts";

/** The contents that come for messages, in the order of the prompt. */
function come(book: object, ...messages: readonly string[]): readonly string[] {
  const read = readLorebook(book);
  if (read.kind === "refused") throw new Error(read.problem);
  const talk = { messages, count: messages.length, replies: Math.floor(messages.length / 2), chance: () => 0 };
  return createMatchLorebook(read.lorebook)(talk).map(({ content }) => content);
}
const lamp = (entry: object = {}) => ({ keys: ["lamp"], content: "it", ...entry });
const book = (...entries: readonly object[]) => ({ entries });

/** Rules of the two card specs and of SillyTavern that tests/core/persona/lorebook.test.ts has no case of. */
describe("the rule", () => {
  test.each<[string, object, readonly string[], readonly string[]]>([
    // Character Card V2.
    ["V2: any one of the keys is enough", book(lamp({ keys: ["sea", "lamp"] })), ["lamp"], ["it"]],
    [
      "V2: `selective` without secondary keys asks for none",
      book(lamp({ selective: true, secondary_keys: [] })),
      ["lamp"],
      ["it"],
    ],
    [
      "V2: secondary keys, too, heed case where it counts",
      book(lamp({ selective: true, secondary_keys: ["Sea"], case_sensitive: true })),
      ["lamp sea"],
      [],
    ],
    [
      "V2: a constant entry stays inside the budget",
      { ...book(lamp({ constant: true, content: "x".repeat(400) })), token_budget: 10 },
      [""],
      [],
    ],
    [
      "V2: `name`, `comment` and `id` are no part of the prompt and no keys",
      book({ keys: ["gull"], content: "it", name: "lamp", comment: "lamp", id: 1 }),
      ["lamp"],
      [],
    ],
    [
      "V2: without `priority` the insertion order says which goes first",
      { ...book(lamp({ content: "a".repeat(40), insertion_order: 1 }), lamp({ insertion_order: 2 })), token_budget: 5 },
      ["lamp"],
      ["it"],
    ],
    ["V2: the same entry comes once, however often its keys are said", book(lamp()), ["lamp lamp", "lamp"], ["it"]],
    [
      "V2: without `recursive_scanning` no text calls another",
      book(lamp({ content: "fog" }), lamp({ keys: ["fog"] })),
      ["lamp"],
      ["fog"],
    ],
    ["V2: a scan depth of 0 searches nothing", { ...book(lamp()), scan_depth: 0 }, ["lamp"], []],
    // Character Card V3.
    [
      "V3: beside an expression `constant` counts for nothing",
      book(lamp({ use_regex: true, constant: true })),
      ["sea"],
      [],
    ],
    ["V3: an expression between slashes heeds case", book(lamp({ keys: ["/l.mp/"], use_regex: true })), ["LAMP"], []],
    ["V3: its flag i does not", book(lamp({ keys: ["/l.mp/i"], use_regex: true })), ["LAMP"], ["it"]],
    ["V3: its flag s lets a point stand for a line's end", book(lamp({ keys: ["/l.mp/s"] })), ["l\nmp"], ["it"]],
    ["V3: its flag m lets a line begin anywhere", book(lamp({ keys: ["/^lamp/m"] })), ["a\nlamp"], ["it"]],
    ["V3: without m it begins once", book(lamp({ keys: ["/^lamp/"] })), ["a\nlamp"], []],
    ["V3: a slash in an expression may be escaped", book(lamp({ keys: ["/a\\/b/"] })), ["a/b"], ["it"]],
    [
      "V3: one key that is no expression does not spoil the others",
      book(lamp({ keys: ["l(", "lamp"], use_regex: true })),
      ["lamp"],
      ["it"],
    ],
    [
      "V3: @@position before_desc goes before the field",
      book(lamp({ insertion_order: 1 }), lamp({ content: "@@position before_desc\nfirst", position: "after_char" })),
      ["lamp"],
      ["first", "it"],
    ],
    [
      "V3: @@depth goes before @@position",
      book(lamp({ content: "@@depth 1\n@@position before_desc\nlast" }), lamp()),
      ["lamp"],
      ["it", "last"],
    ],
    ["V3: @@role is taken out of the text", book(lamp({ content: "@@role user\nit" })), ["lamp"], ["it"]],
    ["V3: @@is_user_icon never comes", book(lamp({ content: "@@is_user_icon a\nit" })), ["lamp"], []],
    [
      "V3: of a chain of fallbacks the first known one counts",
      book(lamp({ content: "@@sparkle\n@@@glitter\n@@@dont_activate\nit" })),
      ["lamp"],
      [],
    ],
    [
      "V3: a decorator with a number that is none is dropped",
      book(lamp({ content: "@@scan_depth far\nit" })),
      ["lamp"],
      ["it"],
    ],
    [
      "V3: what stands below the text is text",
      book(lamp({ content: "it\n@@dont_activate" })),
      ["lamp"],
      ["it\n@@dont_activate"],
    ],
    [
      "V3: two @@additional_keys must both be met",
      book(lamp({ content: "@@additional_keys sea\n@@additional_keys fog\nit" })),
      ["lamp sea"],
      [],
    ],
    ["V3: only decorators and no text give nothing", book(lamp({ content: "@@activate" })), ["lamp"], []],
    // SillyTavern.
    [
      "SillyTavern: a position around notes that we do not have is after the character",
      book(lamp({ extensions: { position: 2 } }), lamp({ content: "before", extensions: { position: 0 } })),
      ["lamp"],
      ["before", "it"],
    ],
    [
      "SillyTavern: a delay until recursion may be a level",
      book(lamp({ extensions: { delay_until_recursion: 2 } })),
      ["lamp"],
      [],
    ],
    [
      "SillyTavern: a probability of 0 never comes",
      book(lamp({ extensions: { probability: 0, useProbability: true } })),
      ["lamp"],
      [],
    ],
    [
      "SillyTavern: null in a field is the book's own",
      book(lamp({ extensions: { scan_depth: null, case_sensitive: null } })),
      ["LAMP"],
      ["it"],
    ],
    [
      "SillyTavern: whole words are off for Japanese",
      book(lamp({ keys: ["灯り"], extensions: { match_whole_words: true } })),
      ["この灯りだ"],
      ["it"],
    ],
    [
      "SillyTavern: a whole word may end a sentence",
      book(lamp({ extensions: { match_whole_words: true } })),
      ["(lamp)."],
      ["it"],
    ],
    [
      "SillyTavern: entries that no group has come beside those of a group",
      book(lamp({ extensions: { group: "g" } }), lamp({ content: "b", extensions: { group: "" } })),
      ["lamp"],
      ["it", "b"],
    ],
  ])("%s", (_, given, messages, contents) => {
    expect(come(given, ...messages)).toEqual(contents);
  });
});
