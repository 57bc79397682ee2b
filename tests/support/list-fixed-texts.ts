import { features } from "../../src/assembly/features.ts";
import type { Language } from "../../src/core/conversation.ts";
import { wordsFor } from "../../src/core/words/words.ts";

export interface FixedText {
  readonly path: string;
  readonly text: string;
}

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

/** Every fixed text of a language, `count` of whatever it counts. */
export function listFixedTexts(language: Language, count: number): readonly FixedText[] {
  const ofFeatures = features.flatMap(({ name, words }) =>
    words === undefined ? [] : textsOf(words[language], `${language}.${name}`, count),
  );
  return [...textsOf(wordsFor(language), language, count), ...ofFeatures];
}
