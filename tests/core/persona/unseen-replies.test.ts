import { join } from "node:path";
import { expect, it } from "vitest";
import { judgeUnseen, shareFound } from "../../../bench/persona-verdicts.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { avoidableTones } from "../../../src/core/persona/tone/reply-table.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona has faults");
const { rows } = judgeUnseen(loaded.persona);
const share = (kinds: readonly string[]): number => shareFound(rows.filter(({ kind }) => kinds.includes(kind)));

// Below what was measured when the examples were written: a change of the examples must not cost more.
// docs/decisions/memory-character-models.md#example-replies-teach-the-check-of-a-personas-tone
it("finds most breaks by tone in replies whose writers knew neither the examples nor the checks", () => {
  expect(share(avoidableTones)).toBeGreaterThan(0.65);
});

it("finds honorifics and wrong languages in such replies", () => {
  expect(share(["honorific", "wrong-language"])).toBeGreaterThan(0.9);
});

it("takes few of such replies in character for breaks", () => {
  expect(share(["none"])).toBeLessThan(0.06);
});
