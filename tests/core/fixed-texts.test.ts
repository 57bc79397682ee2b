/* Every fixed text in three languages with 0, 1 and 2 of whatever it counts: plurals, spaces, and no tags of names. */
import { describe, expect, it } from "vitest";
import type { Language } from "../../src/core/conversation.ts";
import { wordsFor } from "../../src/core/words/words.ts";

interface FixedText {
  readonly path: string;
  readonly text: string;
}

const languages: readonly Language[] = ["zh", "en", "ja"];

/** An argument of which each part is the count where a number fits, and a list of that length where a list does. */
function countedArguments(count: number): readonly unknown[] {
  const list = Array.from({ length: count }, (_, index) => `word${index}`);
  const shapes: readonly ((key: string) => unknown)[] = [
    () => count,
    (key) => (key.endsWith("s") ? list : count),
    (key) => (key.endsWith("s") ? list : "word"),
    (key) => (key.endsWith("s") ? count : "word"),
    (key) => (/names|calls|hosts|codes|sources|paths|texts|wishes/.test(key) ? list : count),
    () => "word",
  ];
  const objects = shapes.map(
    (shape) =>
      new Proxy({}, { get: (_, key) => (typeof key === "string" && key !== "toJSON" ? shape(key) : undefined) }),
  );
  return [count, ...objects, list, "word"];
}

/** Every text that one of the arguments yields without a leftover. */
function fillIn(make: (argument: unknown) => unknown, count: number): readonly string[] {
  return countedArguments(count).flatMap((argument) => {
    try {
      const text = make(argument);
      return typeof text === "string" && !/undefined|\[object|NaN/.test(text) ? [text] : [];
    } catch {
      // Another shape of argument is the right one; the test below counts the texts that none of them fits.
      return [];
    }
  });
}

function textsOf(part: object, path: string, count: number): readonly FixedText[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]): readonly FixedText[] => {
    const place = `${path}.${key}`;
    if (typeof value === "string") return [{ path: place, text: value }];
    if (typeof value === "function")
      return fillIn(value as (argument: unknown) => unknown, count).map((text) => ({ path: place, text }));
    return typeof value === "object" && value !== null ? textsOf(value, place, count) : [];
  });
}

/** Words behind a "1" that end in s and are no plural. */
const singular =
  "is|was|has|does|this|its|us|as|less|stands|ends|waits|needs|lacks|asks|wants|keeps|goes|takes|says|brings|stays|waits|status";
const plural = new RegExp(String.raw`(?<![\w.,:#/-])1 (?:more |open |other )?(?!(?:${singular})\b)[a-z]{2,}s\b`);
const missingSpace = /[a-z0-9)"”][.!?;][A-Z]|[a-z][,;][a-z]/;
const tag = /#[0-9a-f]{6}/;

describe.each(languages)("fixed texts in %s", (language) => {
  const counted = [0, 1, 2].map((count) => textsOf(wordsFor(language), language, count));
  const find = (fault: RegExp) =>
    Object.fromEntries(counted.flat().flatMap(({ path, text }) => (fault.test(text) ? [[path, text] as const] : [])));

  it("are nearly all reached by the sample arguments", () => {
    const reached = new Set(counted.flat().map(({ path }) => path));
    expect(reached.size).toBeGreaterThan(80);
  });

  it("say one of a thing in the singular", () => {
    expect(find(plural)).toEqual({});
  });

  it("have a space after every stop between Latin sentences", () => {
    expect(find(missingSpace)).toEqual({});
  });

  it("tell nobody by a tag", () => {
    expect(find(tag)).toEqual({});
  });
});
