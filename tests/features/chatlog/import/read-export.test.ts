import { assert, asyncProperty, constantFrom, integer, nat, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { formatNames } from "../../../../src/features/chatlog/import/import-format.ts";
import { collectExport, showPieces } from "./collect-export.ts";
import { plainExports } from "./plain-exports.ts";
import { qqExports } from "./qq-exports.ts";
import { telegramExports } from "./telegram-exports.ts";
import { wechatExports } from "./wechat-exports.ts";

const exportCases = [...telegramExports, ...qqExports, ...wechatExports, ...plainExports];
const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

describe.each(exportCases)("$what", ({ format, text, pieces }) => {
  it("the reader recognises the format and reads it to its end", async () => {
    const read = await collectExport(utf8(text));
    expect(read.format).toBe(format);
    expect(showPieces(read.pieces)).toEqual(pieces);
  });

  it("the reader gives the same messages whatever parts the bytes come in", async () => {
    const bytes = utf8(text);
    await assert(
      asyncProperty(integer({ min: 1, max: bytes.length }), async (size) => {
        expect(showPieces((await collectExport(bytes, { size })).pieces)).toEqual(pieces);
      }),
      { numRuns: 12, examples: [[1], [2], [3]] },
    );
  });

  it("the reader reads a broken file up to where it breaks off", async () => {
    const bytes = utf8(text);
    const half = await collectExport(bytes.subarray(0, bytes.length - 40), { format });
    const whole = new Set(pieces);
    const messages = showPieces(half.pieces).filter((line) => !line.endsWith("faulty"));
    expect(messages.slice(0, -1).every((line) => whole.has(line))).toBe(true);
  });
});

describe("the encoding of a file", () => {
  const [qq] = qqExports;
  const text = qq?.text ?? "";
  const pieces = qq?.pieces ?? [];

  it.each([
    ["UTF-8 with a mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8(text)])],
    ["UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(text)])],
    ["UTF-16, the greater byte first", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16(text)).swap16()])],
    ["UTF-16 without a mark", utf16(text)],
  ])("%s", async (_, bytes) => {
    for (const size of [1, 7, 65_536])
      expect(showPieces((await collectExport(bytes, { size })).pieces)).toEqual(pieces);
  });

  it("GB18030, told by what is no UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"at":1714536000,"sender":"'),
      Buffer.from("d0a1b0b2", "hex"),
      Buffer.from('","text":"'),
      Buffer.from("cfb2bbb6c3a881318b34", "hex"),
      Buffer.from('"}\n'),
    ]);
    for (const size of [1, 3, 65_536]) {
      const { pieces } = await collectExport(bytes, { size });
      expect(pieces).toMatchObject([
        {},
        { message: { sender: { name: "小安" }, text: expect.stringMatching(/^喜欢猫/) } },
      ]);
    }
  });
});

describe("a file that is no export", () => {
  it.each(["", "hello\nworld", "{}", "[1,2]", "<html></html>", '{"messages":[]}'])(
    "%j is not recognised",
    async (text) => {
      expect((await collectExport(utf8(text))).format).toBeUndefined();
    },
  );

  it("never throws, whatever the bytes and the format that is named", async () => {
    await assert(
      asyncProperty(
        uint8Array({ maxLength: 400 }),
        constantFrom(...formatNames),
        constantFrom(...exportCases),
        nat(),
        async (noise, format, { text }, at) => {
          const bytes = Buffer.from(text);
          const place = at % bytes.length;
          const spoilt = Buffer.concat([bytes.subarray(0, place), noise, bytes.subarray(place)]);
          expect((await collectExport(spoilt, { format })).format).toBe(format);
          expect((await collectExport(noise, { format })).format).toBe(format);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("goes on behind one faulty message", async () => {
    const text =
      '{"name":"a","type":"personal_chat","id":1,"messages":[{"id":1,"date_unixtime":"1714536000","from":"b","text":"x"},{"id":2,,},3,{"id":4,"date_unixtime":"1714536000","from":"b","text":"y"}]}';
    expect(showPieces((await collectExport(utf8(text))).pieces).map((line) => line.split(" ").at(-1))).toEqual([
      "own",
      "x",
      "faulty",
      "faulty",
      "y",
    ]);
  });

  it("the reader cuts a message that is longer than the limit", async () => {
    const long = JSON.stringify({ at: 1_714_536_000, sender: "a", text: "长".repeat(40_000) });
    const { pieces } = await collectExport(utf8(long));
    expect(pieces.at(-1)).toMatchObject({ message: { text: expect.stringMatching(/^长{31999}…$/) } });
  });
});
