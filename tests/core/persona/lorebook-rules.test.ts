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
/** An entry as SillyTavern's exporter writes it: every one with `use_regex`, and a position of two words. */
const exported = ({ position = 1, ...entry }: Readonly<Record<string, unknown>>) =>
  lamp({
    id: 3,
    secondary_keys: [],
    comment: "",
    constant: false,
    selective: true,
    insertion_order: 100,
    enabled: true,
    position: position === 0 ? "before_char" : "after_char",
    use_regex: true,
    extensions: { position, depth: 4, display_index: 3, probability: 100, useProbability: true, selectiveLogic: 0 },
    ...entry,
  });
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
      {
        ...book(lamp({ content: "less", insertion_order: 1 }), lamp({ content: "more", insertion_order: 2 })),
        token_budget: 1,
      },
      ["lamp"],
      ["more"],
    ],
    [
      "V2: the same entry comes once, by two keys in two messages and in the text of another entry",
      {
        ...book(lamp({ keys: ["lamp", "sea", "fog"] }), lamp({ keys: ["sea"], content: "fog, lamp" })),
        recursive_scanning: true,
      },
      ["lamp lamp", "sea"],
      ["it", "fog, lamp"],
    ],
    [
      "V2: an entry without `selective` has no secondary keys",
      book(lamp({ secondary_keys: ["sea"] })),
      ["lamp"],
      ["it"],
    ],
    ["one İ in a message leaves case out as before", book(lamp()), ["LAMP in İzmir"], ["it"]],
    ["İ is an i without case", book(lamp({ keys: ["izmir"] })), ["İZMİR"], ["it"]],
    ["a capital Σ is both small ones", book(lamp({ keys: ["ΟΔΟΣ"] })), ["η οδος, ΟΔΟΣΑ"], ["it"]],
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
    [
      "V3: @@role does nothing, so its fallback counts",
      book(lamp({ content: "@@role user\n@@@dont_activate\nit" })),
      ["lamp"],
      [],
    ],
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
      "SillyTavern: without `selective` an entry of a world info has secondary keys",
      { entries: { "0": { key: ["lamp"], keysecondary: ["sea"], content: "it" } } },
      ["lamp"],
      [],
    ],
    [
      "SillyTavern: an exported entry has words for keys, and its true place in `extensions`",
      book(
        lamp({ content: "after" }),
        exported({ position: 0, keys: ["l.mp", "lamp"] }),
        exported({ position: 4, keys: ["lamp"], content: "deep" }),
      ),
      ["lamp"],
      ["it", "after", "deep"],
    ],
    ["SillyTavern: an exported key is a word, no expression", book(exported({ keys: ["l.mp"] })), ["lamp"], []],
    [
      "SillyTavern: an exported key between slashes is an expression",
      book(exported({ keys: ["/l.mp/"] })),
      ["lamp"],
      ["it"],
    ],
    ["SillyTavern: an exported entry has secondary keys", book(exported({ secondary_keys: ["sea"] })), ["lamp"], []],
    ["SillyTavern: an exported entry may be constant", book(exported({ constant: true })), ["sea"], ["it"]],
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
