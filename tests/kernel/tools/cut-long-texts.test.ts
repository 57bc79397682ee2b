import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/core/canonical-json.ts";
import { cutLongTexts } from "../../../src/kernel/tools/cut-long-texts.ts";

function createKeeper() {
  const kept = new Map<string, string>();
  const keep = (text: string, field: string) => {
    kept.set(field, text);
    return Promise.resolve(`results/${field}.txt`);
  };
  return { kept, keep };
}

const long = (letter: string, length: number) => `<${letter.repeat(length - 2)}>`;

describe("cutLongTexts", () => {
  it("leaves alone what fits, to the last character", async () => {
    const { kept, keep } = createKeeper();
    const output = { stdout: long("a", 1_990), code: 0 };
    const exactly = JSON.stringify(output).length;
    expect(await cutLongTexts(output, exactly, keep)).toBe(output);
    expect(kept.size).toBe(0);
  });

  it("cuts only the long texts and keeps each whole, under the name of its field", async () => {
    const { kept, keep } = createKeeper();
    const output = { exit_code: 3, stdout: long("a", 50_000), stderr: long("b", 30_000), note: "short" };
    const cut = (await cutLongTexts(output, 16_000, keep)) as typeof output;
    expect(cut).toMatchObject({ exit_code: 3, note: "short" });
    expect(cut.stdout).toMatch(/^<a+\n\[… \d+ of 50000 bytes left out; whole in results\/stdout.txt, .*…\]\na+>$/);
    expect(cut.stderr).toMatch(/^<b+\n\[… \d+ of 30000 bytes left out; whole in results\/stderr.txt, .*…\]\nb+>$/);
    expect(kept).toEqual(
      new Map([
        ["stdout", output.stdout],
        ["stderr", output.stderr],
      ]),
    );
  });

  it("cuts an output that is long without long texts as one", async () => {
    const { kept, keep } = createKeeper();
    const output = Array.from({ length: 5_000 }, (_, index) => ({ line: index }));
    const cut = await cutLongTexts(output, 8_000, keep);
    expect(cut).toMatch(/whole in results\/\.txt/);
    expect(JSON.parse(kept.get("") ?? "")).toEqual(output);
  });

  it("says so when nothing could be kept", async () => {
    const cut = await cutLongTexts(long("a", 50_000), 8_000, () => Promise.resolve(undefined));
    expect(cut).toMatch(/could not be kept; ask for a smaller part/);
  });

  it("always fits, loses nothing it did not keep, and cuts no character in two", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "研", "🧪", "\n", '"', "\u0001"), maxLength: 9_000 });
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom("stdout", "stderr", "content"), tie("value"), { noNullPrototype: true }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 3_000, max: 20_000 }), async (output, limit) => {
        const { kept, keep } = createKeeper();
        const cut = await cutLongTexts(output, limit, keep);
        const json = JSON.stringify(cut);
        expect(json.length).toBeLessThanOrEqual(limit);
        expect(json.isWellFormed()).toBe(true);
        expect(kept.size > 0 || JSON.stringify(output) === json).toBe(true);
        for (const [, whole] of kept)
          expect(JSON.stringify(output) === JSON.stringify(whole) || whole.length > 1_000).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
