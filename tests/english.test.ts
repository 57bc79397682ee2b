import { join } from "node:path";
import { expect, it } from "vitest";
import { readSources } from "./support/source-rules.ts";

/* The English of the code: patterns that a native engineer would not write. Each count only falls; lower the limit with it. */

const root = join(import.meta.dirname, "..");
const sources = readSources(root, ["src"]);
const tests = readSources(root, ["tests"]).filter(({ path }) => path.endsWith(".test.ts"));

/** The text of each comment, without its marks. */
const comments = sources.flatMap(({ text }) =>
  [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/ (.*)$/gm)].map(([, block, line]) =>
    (block ?? line ?? "").replaceAll(/\n\s*\* ?/g, " ").trim(),
  ),
);
const titles = tests.flatMap(({ text }) =>
  [...text.matchAll(/\b(?:it|test)(?:\.\w+)?(?:\([^()"'`]*(?:\([^()]*\)[^()"'`]*)*\))?\(\s*["'`]([^"'`]+)/g)].map(
    ([, title = ""]) => title,
  ),
);
const constants = sources.flatMap(({ text }) => [...text.matchAll(/\bconst (\w+)\b/g)].map(([, name = ""]) => name));

const count = (texts: readonly string[], pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length;

const patterns = [
  {
    what: "constants named most*, longest*, largest*, least*, usual*: write max*, min*, default*",
    found: count(constants, /^(?:most|longest|largest|least|fewest|shortest|usual)[A-Z]/),
    limit: 13,
  },
  { what: 'comments that begin with "Of": name the noun', found: count(comments, /^Of /), limit: 0 },
  {
    what: 'comments that begin with "Who", "Whose", "What": name the actor',
    found: count(comments, /^(?:Who|Whose|What) /),
    limit: 0,
  },
  {
    what: '"a yes" or "a no" in comments: approval, rejection',
    found: count(comments, /\ba (?:yes|no)\b/i),
    limit: 0,
  },
  { what: '"at work" in comments: running', found: count(comments, /\bat work\b/i), limit: 0 },
  {
    what: "nobody, somebody, anybody, everybody in comments: name the user, owner, caller or platform",
    found: count(comments, /\b(?:no|some|any|every)body\b/i),
    limit: 0,
  },
  { what: '"a yes" or "a no" in titles', found: count(titles, /\ba (?:yes|no)\b/i), limit: 0 },
  {
    what: "nobody, somebody, anybody, everybody in titles: name the user, owner, caller or platform",
    found: count(titles, /\b(?:no|some|any|every)body\b/i),
    limit: 0,
  },
  { what: '"at work" in titles', found: count(titles, /\bat work\b/i), limit: 0 },
  {
    what: "titles that begin without a subject (is, has, of, that, by …)",
    found: count(titles, /^(?:is|are|was|were|has|have|does|do|can|may|must|of|that|by|with|without|to)\b/i),
    limit: 0,
  },
] as const;

it.each(patterns)("no more $what", ({ found, limit }) => {
  expect(found).toBeLessThanOrEqual(limit);
  // A limit that is far too high lets new ones in.
  expect(limit - found).toBeLessThan(10);
});

it("finds comments, titles and constants at all", () => {
  expect(Math.min(comments.length, titles.length, constants.length)).toBeGreaterThan(2_000);
});
