import { describe, expect, it } from "vitest";
import { addCode, readAnswerWords } from "../../src/kernel/questions/approval-words.ts";
import { readTail } from "../../src/kernel/questions/read-tail.ts";
import * as replies from "../support/approval-replies.ts";

const unrelated = [
  ...replies.unrelatedChinese,
  ...replies.unrelatedEnglish,
  ...replies.unrelatedJapanese,
  ...replies.unrelatedShapes,
];
const meaningOf = (reply: string): string => readAnswerWords(reply)?.kind ?? "unrelated";

describe("readAnswerWords on replies that people write", () => {
  it.each(replies.approving)("%j approves", (reply) => {
    expect(readAnswerWords(reply)).toEqual({ kind: "approve" });
  });

  it.each(replies.rejecting)("%j rejects", (reply) => {
    expect(readAnswerWords(reply)).toMatchObject({ kind: "reject" });
  });

  it.each(replies.repeating)("%j asks again", (reply) => {
    expect(readAnswerWords(reply)).toEqual({ kind: "again" });
  });

  it.each(replies.previewing)("%j asks for a preview", (reply) => {
    expect(readAnswerWords(reply)).toEqual({ kind: "preview" });
  });

  it.each(replies.coded)("%j means %s %s", (reply, kind, code) => {
    expect(readAnswerWords(reply)).toMatchObject({ kind, code });
  });

  it.each(replies.extended)("%j means %s %j, and no more", (reply, kind, more) => {
    expect(readAnswerWords(reply)).toEqual({ kind, ...more, ...(kind === "reject" && { plain: false }) });
  });

  it.each([...unrelated, ...replies.changing.map(([reply]) => reply)])("%j decides nothing", (reply) => {
    expect(readAnswerWords(reply)).toBeUndefined();
  });

  it.each(["  确认", "\n \u200b确认", "确认 。", "确认 ！", "「确认」 。", "「确认 。」", "(  yes  )"])(
    "%j approves",
    (reply) => {
      expect(readAnswerWords(reply)).toEqual({ kind: "approve" });
    },
  );

  it.each([
    // A line break stands between two things that are said, wherever it is.
    "「\n确认」",
    "确认\n。",
    "确认\r!",
    "(yes\u2028)",
    "「确认\u2029」",
    // Marks on both sides of a bracket.
    "「确认。」。",
    "“确认！”！",
    "「「确认」」",
    "「",
    '"',
    "「」",
    // Latin words keep a space before the code.
    "yesabc2",
    "confirmK7",
    "noabc2",
    "nok7",
    "do notabc2",
    "确认 # K7",
    "确认 ##K7",
    "K7",
    " #K7",
  ])("%j decides nothing", (reply) => {
    expect(readAnswerWords(reply)).toBeUndefined();
  });

  it("reads no more than 64 characters", () => {
    const spaced = (spaces: number) => readAnswerWords(`确认${" ".repeat(spaces)}K7`);
    expect(spaced(60)).toEqual({ kind: "approve", code: "K7" });
    expect(spaced(61)).toBeUndefined();
    expect(readAnswerWords(`${" ".repeat(80)}确认${" ".repeat(80)}`)).toEqual({ kind: "approve" });
  });

  it("splits no tail from words longer than an answer can be", () => {
    const ofLength = (length: number) => readTail(`${"a".repeat(length - 2)} 1`);
    expect(ofLength(64 * 18)?.tail).toEqual({ numbers: [1] });
    expect(ofLength(64 * 18 + 1)).toBeUndefined();
  });

  it("the table has several hundred replies, and a search for the word would approve many of them wrongly", () => {
    const all = [...replies.approving, ...replies.rejecting, ...replies.repeating, ...replies.previewing, ...unrelated];
    const naive = /确认|確認|confirm|approve|yes|承認/i;
    const wrong = all.filter((reply) => naive.test(reply) && meaningOf(reply) !== "approve");
    const includes = all.filter((reply) => reply.includes("确认") && meaningOf(reply) !== "approve");
    console.log(
      `approval grammar: ${all.length + replies.coded.length + replies.extended.length} replies, 0 approved wrongly; ` +
        `includes("确认") would approve ${includes.length}, a search for any approving word ${wrong.length}`,
    );
    expect(all.length).toBeGreaterThan(700);
    expect(includes.length).toBeGreaterThan(100);
  });

  it("tells words that are said in ordinary talk from words that are not", () => {
    const plain = (reply: string) => {
      const words = readAnswerWords(reply);
      return words?.kind === "reject" ? words.plain : undefined;
    };
    expect(["不", "no", "停", "算了", "だめ"].map(plain)).toEqual([true, true, true, true, true]);
    expect(["取消", "拒绝", "不确认", "cancel", "キャンセル"].map(plain)).toEqual([false, false, false, false, false]);
  });
});

describe("addCode", () => {
  it.each([
    ["确认", "确认 K7"],
    ["「确认」。", "确认 K7"],
    ["确认 30分钟", "确认 K7 30分钟"],
    ["确认 1 3", "确认 K7 1 3"],
    ["取消 M3", "取消 K7"],
    ["确认 M3 本任务", "确认 K7 本任务"],
    // No answers, which keep their words.
    ["明天", "明天 K7"],
    ["明天 30分钟", "明天 K7 30分钟"],
  ])("makes of %j, for K7, %j", (message, answer) => {
    expect(addCode(message, "K7")).toBe(answer);
  });
});
