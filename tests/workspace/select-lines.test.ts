import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectLines } from "../../src/workspace/select-lines.ts";

describe("lines of a text", () => {
  it("counts them as people do", () => {
    expect(selectLines("", 0, 10)).toEqual({ content: "", totalLines: 0, hasMore: false, cut: false });
    expect(selectLines("a\n", 0, 10)).toEqual({ content: "a", totalLines: 1, hasMore: false, cut: false });
    expect(selectLines("a\n\n", 0, 10)).toMatchObject({ totalLines: 2 });
    expect(selectLines("a\nb\nc", 1, 1)).toEqual({ content: "b", totalLines: 3, hasMore: true, cut: false });
    expect(selectLines("a\nb", 5, 1)).toEqual({ content: "", totalLines: 2, hasMore: false, cut: false });
  });

  it("gives the whole text back when it is read part by part", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll("\n", "")),
      fc.constant("x".repeat(9_000)),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (lines, limit) => {
        const text = `${lines.join("\n")}\n`;
        const read: string[] = [];
        let more = true;
        while (more) {
          const found = selectLines(text, read.length, limit);
          read.push(...found.content.split("\n"));
          more = found.hasMore;
        }
        expect(read).toEqual(lines);
      }),
    );
  });

  it("cuts a line that no answer can hold, and says so", () => {
    const found = selectLines(`${"x".repeat(100_000)}\nlast`, 0, 10);
    expect(found).toMatchObject({ totalLines: 2, hasMore: true, cut: true });
    expect(found.content.length).toBeLessThan(15_000);
  });
});
