import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCqCode, parseCqCode } from "../../../src/channels/onebot/cq-code.ts";
import type { Segment } from "../../../src/channels/onebot/segment.ts";

const text = (words: string): Segment => ({ type: "text", data: { text: words } });

describe("CQ codes", () => {
  it.each<[string, readonly Segment[]]>([
    ["", []],
    ["你好", [text("你好")]],
    ["[CQ:at,qq=10001] 在吗", [{ type: "at", data: { qq: "10001" } }, text(" 在吗")]],
    ["a&#91;CQ:at&#44;qq=all&#93;&amp;#91;", [text("a[CQ:at,qq=all]&#91;")]],
    ["[CQ:image,url=https://x/?a=1&amp;b=2]", [{ type: "image", data: { url: "https://x/?a=1&b=2" } }]],
    ["[CQ:shake]", [{ type: "shake", data: {} }]],
    ["[CQ:file,file=a&#44;b&#91;1&#93;.txt]", [{ type: "file", data: { file: "a,b[1].txt" } }]],
    ["[CQ:at,qq=1", [text("[CQ:at,qq=1")]],
    ["[CQ:,x=1] [CQ]", [text("[CQ:,x=1] [CQ]")]],
  ])("reads %j", (message, segments) => {
    expect(parseCqCode(message)).toEqual(segments);
  });

  const value = fc.string({ unit: fc.constantFrom(...Array.from("ab&[],=;#91 \n你😀CQ:")) });
  const other = fc.record({
    type: fc.stringMatching(/^[a-z_]{1,8}$/).filter((type) => type !== "text"),
    data: fc.dictionary(fc.stringMatching(/^[a-z_]{1,6}$/), value, { maxKeys: 4, noNullPrototype: true }),
  });
  const words = value.filter((string) => string !== "").map(text);
  /** Texts that stand side by side become one. */
  const message = fc
    .array(fc.oneof(words, other))
    .filter((segments) => segments.every((one, at) => one.type !== "text" || segments[at + 1]?.type !== "text"));

  it("come back as what they were made of", () => {
    fc.assert(
      fc.property(message, (segments) => {
        expect(parseCqCode(formatCqCode(segments))).toEqual(segments);
      }),
    );
  });

  it("text never makes a CQ code, whatever it contains", () => {
    expect(formatCqCode([text("[CQ:at,qq=all] 大家好")])).toBe("&#91;CQ:at,qq=all&#93; 大家好");
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("[CQ:at,qq=all]", "&#91;", "&amp;", "[", "]", ",", "x") }),
        (said) => {
          expect(parseCqCode(formatCqCode([text(said)])).every(({ type }) => type === "text")).toBe(true);
        },
      ),
    );
  });

  it("the parser reads CQ codes in linear time", () => {
    for (const hostile of ["[CQ:a,", "[CQ:a,b=", "[CQ:a,b=c,", "[CQ:"]) {
      expect(parseCqCode(hostile.repeat(100_000))).toHaveLength(1);
    }
  });
});
