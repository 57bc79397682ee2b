import { describe, expect, it, test } from "vitest";
import type { Lorebook } from "../../../src/core/persona/lorebook/lorebook.ts";
import { createMatchLorebook } from "../../../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../../../src/core/persona/lorebook/read-lorebook.ts";

function mustRead(value: unknown): Lorebook {
  const read = readLorebook(value);
  if (read.kind === "refused") throw new Error(read.problem);
  return read.lorebook;
}
const matchIn = (book: Lorebook, messages: readonly string[]) =>
  createMatchLorebook(book)({ messages, count: messages.length, replies: 0, chance: () => 0 });
const list = <T>(length: number, make: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => make(at));

/** Milliseconds of this process; other programs on the machine do not count. */
function measure(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { system, user } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

describe("a book of 5,000 entries", () => {
  const messages = list(40, (message) => list(125, (at) => `place${message + at * 40}.`).join(" "));

  test.each([
    ["without time", {}],
    ["that are sticky and rest", { sticky: 2, cooldown: 2 }],
    ["each with a depth of its own", { depths: true }],
  ])(
    "a book whose keys all occur in 40 messages matches within 0.5 s: entries %s",
    (_, { depths, ...time }: object & { depths?: boolean }) => {
      const entries = list(5_000, (at) => ({
        keys: [`place${at}.`],
        content: `it ${at}`,
        extensions: { ...time, ...(depths && { scan_depth: 40 + (at % 60) }) },
      }));
      const match = createMatchLorebook(mustRead({ entries, scan_depth: 40, recursive_scanning: true }));
      // The old way took half a minute.
      expect(measure(() => match({ messages, count: 40, replies: 0, chance: () => 0 }))).toBeLessThan(500);
    },
  );
});

describe("keys", () => {
  const entriesOf = (keys: readonly string[]) =>
    list(Math.ceil(keys.length / 100), (at) => ({ keys: keys.slice(at * 100, at * 100 + 100), content: "it" }));

  test.each([
    ["30,000 keys are read", list(30_000, (at) => `k${at}`), undefined],
    ["more than 30,000 keys are refused", list(30_001, (at) => `k${at}`), "has more than 30000 keys"],
    ["300,000 characters are read", list(1_000, (at) => `${at}`.padEnd(300, "x")), undefined],
    [
      "more characters are refused",
      list(1_001, (at) => `${at}`.padEnd(300, "x")),
      "has keys of more than 300000 characters",
    ],
  ])("the keys of a book have limits: %s", (_, keys, problem) => {
    const read = readLorebook({ entries: entriesOf(keys) });
    expect(read.kind === "refused" ? read.problem : undefined).toBe(problem);
  });

  it("the reader refuses the keys of a far too large book within 5 s", () => {
    const keys = list(800_000, (at) => `${(at * 7_919) % 1_000_003}`.padStart(9, "k"));
    expect(measure(() => readLorebook({ entries: entriesOf(keys) }))).toBeLessThan(5_000);
  });

  test.each([true, false])(
    "the matcher indexes and finds keys that differ only in case within 3 s: case_sensitive %s",
    (isExact) => {
      const letters = Array.from("abcdefghijklmno");
      const keys = list(20_000, (at) =>
        letters.map((one, bit) => ((at >> bit) & 1 ? one.toUpperCase() : one)).join(""),
      );
      const book = mustRead({ entries: entriesOf(keys).map((entry) => ({ ...entry, case_sensitive: isExact })) });
      const messages = list(2, () => "abcdefghijklmno ".repeat(250));
      expect(measure(() => matchIn(book, messages))).toBeLessThan(3_000);
    },
  );
});

describe("the texts that are searched", () => {
  /** A book of which one key, that is never found, keeps the texts it is looked for in. */
  function watch(value: Readonly<Record<string, unknown>> & { readonly entries: readonly object[] }): {
    readonly book: Lorebook;
    readonly seen: string[];
  } {
    const read = mustRead({ ...value, entries: [{ keys: ["watched"], content: "-" }, ...value.entries] });
    const seen: string[] = [];
    const test = (text: string): boolean => seen.push(text) < 0;
    const [first, ...rest] = read.entries;
    if (!first) throw new Error("no entry");
    const key = { text: "watched", caseSensitive: false, wholeWord: false, test };
    return { book: { ...read, entries: [{ ...first, keys: [key] }, ...rest] }, seen };
  }
  const messages = list(150, (at) => `message ${at}`);

  test.each([
    ["the book's depth", {}, {}, 2],
    ["the deepest entry's", {}, { scan_depth: 7 }, 7],
    ["100 messages for a depth of 1,000", { scan_depth: 1_000 }, {}, 100],
    ["100 messages for timed entries", {}, { cooldown: 1 }, 100],
    ["no message for a depth of 0", { scan_depth: 0 }, {}, 0],
  ])("reach as far as %s", (_, rest, extensions, count) => {
    const { book, seen } = watch({ ...rest, entries: [{ keys: ["x"], content: "it", extensions }] });
    matchIn(book, messages);
    expect(seen).toHaveLength(count);
  });

  it("the texts of entries in recursion have 32,000 characters in all", () => {
    const entries = list(10, () => ({ keys: [], constant: true, content: "word ".repeat(2_000).trim() }));
    const { book, seen } = watch({ entries, recursive_scanning: true, token_budget: 8_000, scan_depth: 0 });
    matchIn(book, messages);
    expect(seen.join("")).toHaveLength(32_000);
  });

  it("the recursion leaves out an entry that is too large for the budget", () => {
    const entries = [
      { keys: ["lamp"], content: `fog ${"word ".repeat(1_000)}` },
      { keys: ["fog"], content: "it" },
    ];
    expect(matchIn(mustRead({ entries, recursive_scanning: true, token_budget: 100 }), ["lamp"])).toEqual([]);
  });
});
