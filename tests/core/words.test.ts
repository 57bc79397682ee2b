import { describe, expect, it } from "vitest";
import type { Language } from "../../src/core/conversation.ts";
import { describeError } from "../../src/core/errors.ts";
import { features } from "../../src/assembly/features.ts";
import { wordsFor } from "../../src/core/words/words.ts";

const languages: readonly Language[] = ["zh", "en", "ja"];

/** Sample arguments rich enough for every text. */
const sample = {
  seconds: 30,
  network: false,
  hosts: ["pypi.org"],
  code: "K7",
  minutes: 10,
  asker: "小明",
  calls: "shell uname -a",
  name: "小明",
  id: "telegram:123",
  time: "21:04",
  numbers: [1, 3],
  number: 9,
  count: 2,
  added: 41,
  removed: 7,
  length: 9000,
  limit: 8000,
  summary: "uname -a",
  omitted: 5,
  total: 2000,
  digest: "0123456789ab",
  engine: "Docker 28.1",
  image: "kurisu-sandbox:latest",
  megabytes: 62,
  where: "point 1",
  text: "outline",
  asked: "9",
  last: 3,
  names: "1 (α)",
  done: 1,
  all: 4,
  path: "inbox/notes.txt",
  type: "text/plain",
  size: "12 B",
  why: "HTTP 404",
  agent: "coder",
  what: "the tests",
  background: true,
  needed: 3,
  folder: "notes",
  tool: "file_write",
  pattern: "notes/",
  until: "21:04",
  chat: "the group",
  kind: "friend",
  who: "qq:9",
};

/** The compiler holds the names; what a text wants beside the above may be any words. */
const withMore = (more: unknown) =>
  new Proxy<Record<string, unknown>>(sample, { get: (known, key: string) => known[key] ?? more });

const leftovers = /undefined|\[object|NaN|\$\{|no text:/;

/** The kernel's texts, and those of every feature by its name. */
function allWords(language: Language): object {
  const own = features.flatMap(({ name, words }) => (words ? [[name, words[language]]] : []));
  return { ...wordsFor(language), ...Object.fromEntries(own) };
}

/** Calls a text with whichever kind of argument it takes. */
function fillIn(make: (argument: unknown) => string): string {
  const attempts = [withMore("something"), withMore(["something"]), "K7", ["K7", "B3"]].map((argument) => {
    try {
      return make(argument);
    } catch (error) {
      return `no text: ${describeError(error)}`;
    }
  });
  return attempts.find((text) => !leftovers.test(text)) ?? attempts.join(" ");
}

function textsOf(part: object, path: string): { path: string; text: string }[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const place = `${path}.${key}`;
    if (typeof value === "string") return [{ path: place, text: value }];
    if (typeof value !== "function") return textsOf(value as object, place);
    return [{ path: place, text: fillIn(value as (argument: unknown) => string) }];
  });
}

describe.each(languages)("words in %s", (language) => {
  const texts = textsOf(allWords(language), language);

  it("every text is there, filled in and without leftovers", () => {
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter(({ text }) => text.trim() === "" || leftovers.test(text))).toEqual([]);
  });

  it("names the two words that decide", () => {
    const { question } = wordsFor(language);
    for (const text of [question.howToAnswer, question.howToAnswerInGroup({ asker: "A", code: "K7" })]) {
      expect(text).toContain("「确认」");
      expect(text).toContain("「取消」");
      // What people can type stands first.
      const lead = {
        zh: ["「确认」", "「取消」"],
        en: ['"confirm"', '"cancel"'],
        ja: ["「承認」", "「キャンセル」"],
      } as const;
      const [yes, no] = lead[language];
      expect(text.indexOf(yes)).toBeLessThanOrEqual(text.indexOf("「确认」"));
      expect(text.indexOf(no)).toBeLessThanOrEqual(text.indexOf("「取消」"));
      expect(text).toContain(no);
    }
  });

  it("tells what, how long and which code", () => {
    const { approval, question, decision, outcome } = wordsFor(language);
    expect(approval.validUntil({ code: "K7", term: "10", time: "12:00" })).toMatch(/K7.*10|10.*K7/);
    expect(question.placeSandbox({ seconds: 30, network: false })).toContain("30");
    expect(decision.severalOpen({ codes: ["K7", "B3"], example: "x" })).toMatch(/K7.*B3/);
    expect(outcome.approved).toMatch(/^✓ /);
  });
});

it("speaks one language per dictionary", () => {
  const chinese = textsOf(allWords("zh"), "zh");
  expect(chinese.filter(({ text }) => /\p{sc=Hiragana}/u.test(text))).toEqual([]);
  const english = textsOf(allWords("en"), "en");
  const foreign = english.filter(({ text }) =>
    /\p{sc=Han}/u.test(text.replaceAll(/「(确认|取消)」|小明|语言 · Language · 言語/g, "")),
  );
  expect(foreign).toEqual([]);
});
