import { describe, expect, it } from "vitest";
import { readChange } from "../../src/kernel/questions/read-change.ts";
import * as replies from "../support/approval-replies.ts";

describe("readChange", () => {
  it.each(replies.changing)("%j wants something else (%s)", (reply, code) => {
    expect(readChange(reply)?.code).toBe(code);
    expect(readChange(reply)?.to).toMatch(/[\p{L}\p{N}]/u);
  });

  it.each([...replies.notChanging, ...replies.approving, ...replies.rejecting])("%j changes nothing", (reply) => {
    expect(readChange(reply)).toBeUndefined();
  });

  it.each<readonly [string, string | undefined]>([
    ["change that to b", undefined],
    ["CHANGE TO: b", undefined],
    ["  改成 b  ", undefined],
    ["改成\nb", undefined],
    ["改成「…」海", undefined],
    ["改成 7", undefined],
    ["AB9,改成 b", "AB9"],
    ["abc2：改成 b", "ABC2"],
    ["K7, : 改成 b", "K7"],
    ["K7改成 b", "K7"],
    ["ｋ７ 改成 b", "K7"],
    ["K7、b に変えて", "K7"],
    ["K7: ,b に変えて", "K7"],
    ["AB9、b に変えて", "AB9"],
    ["#K7 b に変えて", "K7"],
    ["b に変更してください！", undefined],
    ["b に変えて下さい。。", undefined],
    ["b c に変えて", undefined],
    [`改成 ${"b".repeat(1_997)}`, undefined],
  ])("%.20j wants something else (%s)", (reply, code) => {
    expect(readChange(reply)?.code).toBe(code);
    expect(readChange(reply)?.to).toMatch(/[\p{L}\p{N}]/u);
  });

  it.each([
    ["改成 ls -la", "ls -la"],
    ["改为：Ｔｏ ｙｏｕ", "Ｔｏ ｙｏｕ"],
    ["ｋ７ 改成 b", "b"],
    ["#K7, 改成「echo 1」", "echo 1"],
    ['change it to "a" && "b"', '"a" && "b"'],
    ["change to: `uname -a`", "uname -a"],
    ["改成\n一\n二", "一\n二"],
    ["K7、echo 2 に変えてください。", "echo 2"],
    ["改成 b  ", "b"],
    ["  改为：Ｔｏ  ", "Ｔｏ"],
    ["ABC2 改成 b", "b"],
    ["改成 「a」b", "「a」b"],
    ["改成 a「b」", "a「b」"],
    ["改成 「b c", "「b c"],
    ["改成 b c」", "b c」"],
    ["改成『b』", "b"],
    ["改成“b”", "b"],
    ['改成"b"', "b"],
    ["改成'b'", "b"],
    ["AB9、b に変えて", "b"],
    ["K7: ,b に変えて", "b"],
    ["b K7 c に変えて", "b K7 c"],
    // Two marks with nothing between them are no quotation.
    ['""に変えて', '""'],
    ['"に変えて', '"'],
  ])("%j wishes for the words %j", (reply, to) => {
    expect(readChange(reply)?.to).toBe(to);
  });

  it.each([
    "K1 改成 b",
    "7 改成 b",
    "ABCD2 改成 b",
    "K77 改成 b",
    "x 改成 b",
    "x K7 改成 b",
    "changes to b",
    "change them to b",
    "changeit to b",
    "change tob",
    "改成 …",
    "K7 改成功了",
    "b に変えてね",
    "b に変えて。ね",
    "b を変更",
    "そうだね\nb に変えて",
    "に変更して",
    " に変えて",
    `改成 ${"b".repeat(1_998)}`,
  ])("%.20j is about nothing that is asked", (reply) => {
    expect(readChange(reply)).toBeUndefined();
  });
});
