import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswerWords } from "../../src/gateway/approvals/approval-words.ts";
import { readChange } from "../../src/gateway/approvals/read-change.ts";
import * as replies from "../support/approval-replies.ts";

const unrelated = [
  ...replies.unrelatedChinese,
  ...replies.unrelatedEnglish,
  ...replies.unrelatedJapanese,
  ...replies.unrelatedShapes,
];
/** The words themselves, without any of the marks they may carry. */
const approvingWords =
  "确认 確認 确认执行 確認執行 确认操作 確認操作 confirm approve yes /confirm /approve 承認 承認する 承認します".split(
    " ",
  );
const closingMarks = /^[。.！!、,~\s\p{Cf}]+$/u;
const opening = "「『“\"'‘([【《";
const closing = "」』”\"'’)]】》";

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

  it.each(replies.changing)("%j wants something else (%s), and decides nothing", (reply, code) => {
    expect(readChange(reply)).toEqual(code === undefined ? {} : { code });
    expect(readAnswerWords(reply)).toBeUndefined();
  });

  it.each([...replies.notChanging, ...replies.approving, ...replies.rejecting])("%j changes nothing", (reply) => {
    expect(readChange(reply)).toBeUndefined();
  });

  it.each(unrelated)("%j decides nothing", (reply) => {
    expect(readAnswerWords(reply)).toBeUndefined();
  });

  it("is a table of several hundred, on which looking for the word would approve what nobody approved", () => {
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

describe("readAnswerWords on anything", () => {
  const word = fc.constantFrom(...approvingWords);
  /** One character as people count them, of any script. */
  const character = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );

  it("approves nothing that is not on the list, however it is dressed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })), (text) => {
        fc.pre(!approvingWords.some((one) => text.normalize("NFKC").toLowerCase().includes(one)));
        expect(meaningOf(text)).not.toBe("approve");
      }),
      { numRuns: 3_000 },
    );
  });

  it("approves no longer when a character is added that is not one of the stripped ones", () => {
    fc.assert(
      fc.property(word, character, fc.nat(), (one, added, place) => {
        const letters = Array.from(one);
        const at = place % (letters.length + 1);
        const text = [...letters.slice(0, at), added, ...letters.slice(at)].join("");
        const normal = added.normalize("NFKC");
        // Marks may close, white space and the invisible may surround; elsewhere nothing may stand.
        const atTheEdge = at === 0 || at === letters.length;
        fc.pre(!(atTheEdge && closingMarks.test(normal)));
        // Adding can make another word of the list (承認 + する is two characters; /confirm is one).
        fc.pre(!approvingWords.includes(text.normalize("NFKC").toLowerCase()));
        // 「确认㎟」 reads as 「确认 mm2」, which approves at most the question of that code.
        expect(readAnswerWords(text)).not.toEqual({ kind: "approve" });
      }),
      { numRuns: 5_000 },
    );
  });

  it("approves no longer when anything but a code stands beside the word", () => {
    fc.assert(
      fc.property(
        word,
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
        fc.boolean(),
        (one, other, before) => {
          const normal = other.normalize("NFKC").trim();
          fc.pre(!closingMarks.test(normal) && normal !== "" && !/^[\s#]*[a-z]{1,3}[2-9]/i.test(normal));
          // Numbers are a yes to no more than those calls; a table has them.
          fc.pre(!/^[1-9][\d ,、]*$/.test(normal.replace(/[。.!、,~]+$/, "").trim()));
          const text = before ? `${other} ${one}` : `${one} ${other}`;
          expect(meaningOf(text)).not.toBe("approve");
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("means the same with marks, brackets, white space and capitals around it", () => {
    const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\u3000", "\u200b", "\n"), maxLength: 4 });
    const marks = fc.constantFrom("", "。", "！", "!", "~", "!!", "。!", "，");
    fc.assert(
      fc.property(
        word,
        space,
        space,
        marks,
        fc.option(fc.nat(opening.length - 1)),
        (one, left, right, mark, bracket) => {
          const dressed = bracket === null ? one : `${opening[bracket]}${one}${closing[bracket]}`;
          expect(readAnswerWords(`${left}${dressed.toUpperCase()}${mark}${right}`)).toEqual({ kind: "approve" });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("never takes a hesitation for a yes", () => {
    const tail = fc.string({ unit: fc.constantFrom("。", ".", "…", "!", "、", "~"), minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(word, tail, (one, marks) => {
        fc.pre(/[。.]{2}|…/.test(marks));
        expect(meaningOf(`${one}${marks}`)).toBe("unrelated");
      }),
    );
  });

  const tail = fc.constantFrom(
    "1 3",
    "2",
    "30分钟",
    "2 小时",
    "30 min",
    "2h",
    "本任务",
    "this task",
    "K7 1 3",
    "K7 30分钟",
  );
  const extendable = fc.constantFrom("确认", "確認", "confirm", "approve", "承認", "/confirm");

  it("takes a yes to a part, or for a time, for no yes when a character is added to it", () => {
    fc.assert(
      fc.property(extendable, tail, character, fc.nat(), (word, more, added, place) => {
        const letters = Array.from(`${word} ${more}`);
        const at = place % (letters.length + 1);
        const text = [...letters.slice(0, at), added, ...letters.slice(at)].join("");
        const normal = added.normalize("NFKC");
        // What may stand there: space and the invisible around it, marks behind it, and what makes another number, time or code.
        fc.pre(!closingMarks.test(normal) && !/^[\d\s#,、]*$/.test(normal));
        const before = readAnswerWords(`${word} ${more}`);
        const after = readAnswerWords(text);
        if (after?.kind !== "approve") return;
        // Only letters that turn one listed form into another (分 and 分钟, a code of three letters) leave a yes.
        expect(normal).toMatch(/^[a-z个個分间間]+$/iu);
        expect(after.numbers).toEqual(before?.kind === "approve" ? before.numbers : undefined);
      }),
      { numRuns: 5_000 },
    );
  });

  it("never reads a longer time, another call or another code than is written", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 });
    const code = fc.constantFrom(undefined, "K7", "AB9");
    fc.assert(
      fc.property(extendable, numbers, code, fc.integer({ min: 1, max: 9_999 }), (word, list, named, minutes) => {
        const head = named === undefined ? word : `${word} ${named}`;
        const about = named === undefined ? {} : { code: named };
        expect(readAnswerWords(`${head} ${list.join(" ")}`)).toEqual({ kind: "approve", ...about, numbers: list });
        const standing = { kind: "time", ms: minutes * 60_000 };
        expect(readAnswerWords(`${head} ${minutes}分钟`)).toEqual({ kind: "approve", ...about, standing });
      }),
      { numRuns: 1_000 },
    );
  });
});
