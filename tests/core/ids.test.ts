import { describe, expect, it } from "vitest";
import { createId, createPairingCode, createReadableCode } from "../../src/core/ids.ts";
import { readTypedCode } from "../../src/kernel/people/read-pairing-code.ts";

describe("createId", () => {
  it("sorts by time and never comes twice", () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => createId("q", 1_700_000_000_000 + Math.floor(index / 500)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^q_[0-9a-f]{26}$/.test(id))).toBe(true);
    const millisecond = (id: string) => id.slice(0, 14);
    expect(ids.map(millisecond)).toEqual(ids.map(millisecond).toSorted());
  });
});

describe("createReadableCode", () => {
  it("a code contains no letter or digit that people confuse", () => {
    const codes = Array.from({ length: 500 }, () => createReadableCode(4));
    expect(codes.join("")).toMatch(/^[2-9A-HJ-NP-Z]+$/);
    expect(codes.join("")).not.toMatch(/[01ILO]/);
    expect(new Set(codes).size).toBeGreaterThan(480);
  });
});

describe("createPairingCode", () => {
  it("every code is found in a sentence that has it in lower case and with a space", () => {
    const codes = Array.from({ length: 500 }, () => createPairingCode());
    const read = codes.map((code) => readTypedCode(`我的码是 ${code.toLowerCase().replace("-", " ")}`));
    expect(read).toEqual(codes);
  });
});
