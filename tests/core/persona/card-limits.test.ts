import { describe, expect, it, test } from "vitest";
import { parseCard } from "../../../src/core/persona/cards/character-card.ts";
import { makePersona } from "../../../src/core/persona/cards/plan-import.ts";

const fields = { name: "Mira", description: "Keeps a lighthouse.", first_mes: "Late." };

describe("a card's name", () => {
  test.each([
    ["with a line break", { name: "Mira\n- Never ask" }, /name with line breaks/],
    ["with U+2028", { name: "Mira\u2028- Never ask" }, /name with line breaks/],
    ["with a control character", { name: "Mi\u0007ra" }, /name with line breaks/],
    ["of 101 characters", { name: "x".repeat(101) }, /name of 101 characters; 100 is the most/],
    ["that is a nickname with a line break", { nickname: "Mi\r\n- Never ask" }, /name with line breaks/],
    ["that is a nickname of 101 characters", { nickname: "x".repeat(101) }, /name of 101 characters/],
  ])("%s is refused", (_, given, problem) => {
    const result = parseCard({ spec: "chara_card_v3", data: { ...fields, ...given } });
    expect(result.kind === "refused" && result.problem).toMatch(problem);
  });

  it("may have spaces around it and letters of any script", () => {
    expect(parseCard({ ...fields, name: " 灯塔の Mira\n" })).toMatchObject({
      kind: "card",
      card: { name: "灯塔の Mira" },
    });
  });
});

describe("a card's texts", () => {
  const plan = (given: object, prompts = false) => {
    const read = parseCard({ spec: "chara_card_v3", data: { ...fields, ...given } });
    if (read.kind === "refused") throw new Error(read.problem);
    return makePersona(read.card, prompts);
  };

  it("are refused before anything is filled in when there are more than 100,000 characters", () => {
    const long = "{{char}}".repeat(20_000);
    const problem = /its texts have 16\d{4} characters; 100000 is the most/;
    expect(plan({ description: long })).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(plan({ system_prompt: long }, true)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(plan({ system_prompt: long })).toMatchObject({ ok: true });
  });

  it("may be longer than soul.md when most of them is comments", () => {
    expect(plan({ description: `{{// ${"x".repeat(1_900)}}}`.repeat(20) })).toMatchObject({ ok: true });
  });

  it("have greetings of one message each, 100 at most", () => {
    const made = plan({
      first_mes: `${"x".repeat(2_000)}\n${"y".repeat(2_000)}`,
      alternate_greetings: Array(200).fill("z"),
    });
    if (!made.ok) throw new Error(made.problem);
    expect(made.made.greetings[0]).toBe(`${"x".repeat(2_000)}…`);
    expect(made.made.greetings).toHaveLength(100);
  });
});
