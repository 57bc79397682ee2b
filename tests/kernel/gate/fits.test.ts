import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchPattern } from "../../../src/kernel/gate/match-pattern.ts";
import { matchRule, type RuleFacts } from "../../../src/kernel/gate/match-rule.ts";
import { fitAll, fitAny, type ArgumentTest, type Fit } from "../../../src/kernel/gate/rule.ts";
import { testArgument } from "../../../src/kernel/gate/test-argument.ts";

describe("a test of an argument", () => {
  it.each<[ArgumentTest, unknown, string]>([
    [{ under: ["notes"] }, "notes/a.md", "yes"],
    [{ under: ["notes"] }, "notes", "yes"],
    [{ under: ["notes"] }, "./notes//deep/a.md", "yes"],
    [{ under: ["./notes/"] }, "/workspace/notes/a.md", "yes"],
    [{ under: ["."] }, "anything", "yes"],
    [{ under: ["a", "b"] }, "b/c", "yes"],
    [{ under: ["notes"] }, "notes2/a.md", "no"],
    [{ under: ["notes"] }, "other/notes/a.md", "no"],
    [{ under: ["notes/deep"] }, "notes", "no"],
    [{ under: ["notes"] }, "notes/../secret", "unknown"],
    [{ under: ["notes"] }, "../notes/a", "unknown"],
    [{ under: ["notes"] }, "/etc/passwd", "unknown"],
    [{ under: ["notes"] }, "notes\\a", "unknown"],
    [{ under: ["notes"] }, "notes/%2e%2e/a", "unknown"],
    [{ under: ["notes"] }, "Notes/a", "unknown"],
    [{ under: ["notes"] }, "no\u200btes/a", "unknown"],
    [{ under: ["notes"] }, "ｎotes/a", "unknown"],
    [{ under: ["notes"] }, "", "unknown"],
    [{ under: ["notes"] }, undefined, "unknown"],
    [{ under: ["notes"] }, ["notes/a"], "unknown"],
    [{ under: ["../x"] }, "x", "unknown"],
    [{ host: ["github.com"] }, "https://github.com/x", "yes"],
    [{ host: ["github.com"] }, "http://GitHub.com.:8080/x", "yes"],
    [{ host: ["GitHub.com"] }, "https://github.com", "yes"],
    [{ host: ["a.org", "b.org"] }, "https://b.org", "yes"],
    [{ host: ["*.github.com"] }, "https://api.github.com/x", "yes"],
    [{ host: ["*.github.com"] }, "https://a.github.com/x", "yes"],
    [{ host: ["*.github.com"] }, "https://github.com/x", "no"],
    [{ host: ["github.com"] }, "https://xithub.com/", "no"],
    [{ host: ["github.com"] }, ["https://github.com/"], "unknown"],
    [{ host: ["*.github.com"] }, "https://evilgithub.com/x", "no"],
    [{ host: ["*.github.com"] }, "https://.github.com/x", "no"],
    [{ host: ["github.com"] }, "https://github.com.evil.org/", "no"],
    [{ host: ["github.com"] }, "https://evil.org/github.com", "no"],
    [{ host: ["github.com"] }, "https://github.com@evil.org/", "unknown"],
    [{ host: ["github.com"] }, "https://:x@github.com/", "unknown"],
    [{ host: ["evil.org"] }, "https://github.com\\@evil.org/", "unknown"],
    [{ host: ["github.com"] }, " https://github.com/", "unknown"],
    [{ host: ["github.com"] }, "https://git\nhub.com/", "unknown"],
    [{ host: ["github.com"] }, "https://git\u200bhub.com/", "unknown"],
    [{ host: ["github.com"] }, "ftp://github.com/", "unknown"],
    [{ host: ["github.com"] }, "github.com", "unknown"],
    [{ host: ["github.com"] }, 7, "unknown"],
    [{ below: 10 }, 9.5, "yes"],
    [{ below: 10 }, 10, "no"],
    [{ below: 10 }, "9", "unknown"],
    [{ below: 10 }, Number.NaN, "unknown"],
    [{ below: 10 }, undefined, "unknown"],
    [{ above: 10 }, 10.5, "yes"],
    [{ above: 10 }, 10, "no"],
    [{ above: 1, below: 5 }, 3, "yes"],
    [{ above: 1, below: 5 }, 7, "no"],
    [{ is: ["a", 1, true] }, 1, "yes"],
    [{ is: ["a", "b"] }, "b", "yes"],
    [{ is: ["a"] }, "A", "no"],
    [{ is: ["1"] }, 1, "unknown"],
    [{ is: [false] }, undefined, "unknown"],
    [{ matches: ["feature/*"] }, "feature/x", "yes"],
    [{ matches: ["feature/*"] }, "a feature/x", "no"],
    [{ matches: ["x", "*y"] }, "my", "yes"],
    [{ matches: ["*"] }, ["a"], "unknown"],
    [{ matches: ["n*"], under: ["notes"] }, "notes/a", "yes"],
    [{ matches: ["m*"], under: ["notes"] }, "notes/a", "no"],
  ])("%j of %j → %s", (test, value, expected) => {
    expect(testArgument(test, value)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["**", "", true],
    ["a", "a", true],
    ["a*", "a", true],
    ["*a", "a", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["ab*ba", "aba", false],
    ["ab*ba", "abba", true],
    ["a*b*a", "aa", false],
    ["a*b*a", "aba", true],
    ["a*b*b", "ab", false],
    ["a*b*b", "acb", false],
    ["a*b*b", "abb", true],
    ["a*bc*c", "abc", false],
    ["a*bc*c", "abcc", true],
    ["*b*b*", "b", false],
    ["*b*b*", "bb", true],
    ["*ab*b*", "ab", false],
    ["*ab*ab*", "abab", true],
    ["*ab*ba*", "aba", false],
    ["*b*a*", "ab", false],
    ["*a*b", "ab", true],
    ["*a*b", "ba", false],
  ])("%j is the pattern of %j: %s", (pattern, text, fits) => {
    expect(matchPattern(pattern, text)).toBe(fits);
  });

  it("takes patterns as the names of tools take them, however long the text", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "\n", ".") });
    const filling = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 3 }), { minLength: 9 });
    const agree = (pattern: string, text: string) => {
      const parts = pattern.split("*").map((part) => part.replaceAll(".", String.raw`\.`));
      const slow = new RegExp(`^${parts.join(".*")}$`, "s").test(text);
      expect(matchPattern(pattern, text)).toBe(slow);
    };
    fc.assert(fc.property(letters, letters, agree));
    // Texts that fit, or all but fit.
    fc.assert(
      fc.property(letters, filling, fc.nat(12), (pattern, fillings, left) => {
        const text = pattern.split("*").reduce((all, part, index) => `${all}${fillings[index % 9] ?? ""}${part}`);
        agree(pattern, text);
        agree(pattern, text.slice(0, left) + text.slice(left + 1));
      }),
      { numRuns: 300 },
    );
    expect(matchPattern(`${"*a".repeat(50)}b`, "a".repeat(200_000))).toBe(false);
  });

  it.each<[readonly Fit[], Fit, Fit]>([
    [[], "yes", "no"],
    [["yes"], "yes", "yes"],
    [["no"], "no", "no"],
    [["unknown"], "unknown", "unknown"],
    [["yes", "no"], "no", "yes"],
    [["yes", "unknown"], "unknown", "yes"],
    [["unknown", "no"], "no", "unknown"],
    [["unknown", "yes", "no"], "no", "yes"],
  ])("the tests %j all fit: %s, one fits: %s", (fits, all, any) => {
    expect([fitAll(fits), fitAny(fits)]).toEqual([all, any]);
  });
});

describe("whether a line fits a call", () => {
  const chatOf = (wanted: string, facts: RuleFacts, fit: Fit) => [{ chat: [wanted] }, facts, fit] as const;
  const room = { session: "qq:bot:group:7#a#b" };

  it.each<readonly [Parameters<typeof matchRule>[0], RuleFacts, Fit]>([
    [{}, {}, "yes"],
    [{ role: ["member"] }, { role: "member" }, "yes"],
    [{ role: ["owner", "member"] }, { role: "member" }, "yes"],
    [{ role: ["owner"] }, { role: "member" }, "no"],
    [{ role: ["owner"] }, {}, "unknown"],
    chatOf("private", { chatKind: "private" }, "yes"),
    chatOf("private", { chatKind: "group" }, "no"),
    chatOf("private", { chatKind: "group", session: "private" }, "no"),
    chatOf("private", { session: "private" }, "unknown"),
    chatOf("group", { chatKind: "group" }, "yes"),
    chatOf("group", { chatKind: "private", session: "group" }, "no"),
    chatOf("group", { session: "group" }, "unknown"),
    chatOf("qq:bot:group:7#a#b", room, "yes"),
    chatOf("qq:bot:group:7", room, "yes"),
    chatOf("qq:group:7", room, "yes"),
    chatOf("qq:bot:group:7#a", room, "no"),
    chatOf("qq:group7", room, "no"),
    chatOf("qq:bot", room, "no"),
    chatOf("qq:*", room, "yes"),
    chatOf("qq:group:7", { session: "qq:bot:group:7#a\nb" }, "yes"),
    chatOf("qq:*", { chatKind: "group" }, "unknown"),
    [{ chat: ["private", "qq:group:7"] }, { ...room, chatKind: "group" }, "yes"],
    [{ chat: ["private", "qq:group:7"] }, { chatKind: "group" }, "unknown"],
    [{ chat: ["group"], role: ["owner"] }, { chatKind: "group", role: "member" }, "no"],
    [{ when: { n: { is: [1] } } }, { input: { n: 1 } }, "yes"],
    [{ when: { n: { is: [1] } } }, { input: { n: 2 } }, "no"],
    [{ when: { n: { is: [1] }, m: { is: [1] } } }, { input: { n: 1, m: 2 } }, "no"],
    [{ when: { n: { is: [1] }, m: { is: [1] } } }, { input: { n: 1 } }, "unknown"],
    // Only what the call itself says: nothing inherited, and nothing of a value that is no object.
    [{ when: { n: { is: [1] } } }, { input: Object.create({ n: 1 }) as unknown }, "unknown"],
    [{ when: { length: { is: [4] } } }, { input: "text" }, "unknown"],
    [{ when: { length: { is: [4] } } }, { input: null }, "unknown"],
    [{ when: { length: { is: [4] } } }, {}, "unknown"],
  ])("%j of %j: %s", (rule, facts, fit) => {
    expect(matchRule(rule, facts)).toBe(fit);
  });
});
