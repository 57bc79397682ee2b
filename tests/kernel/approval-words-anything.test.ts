import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswerWords } from "../../src/kernel/questions/approval-words.ts";

/** The words themselves, without any of the marks they may carry. */
const approvingWords =
  "确认 確認 确认执行 確認執行 确认操作 確認操作 confirm approve yes /confirm /approve 承認 承認する 承認します".split(
    " ",
  );
const closingMarks = /^[。.！!、,~\s\p{Cf}]+$/u;
const opening = "「『“\"'‘([【《";
const closing = "」』”\"'’)]】》";

const meaningOf = (reply: string): string => readAnswerWords(reply)?.kind ?? "unrelated";

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

  it("readAnswerWords never takes a hesitation for an approval", () => {
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

  it("readAnswerWords finds no approval in a partial or timed one with an added character", () => {
    fc.assert(
      fc.property(extendable, tail, character, fc.nat(), (word, more, added, place) => {
        const letters = Array.from(`${word} ${more}`);
        const at = place % (letters.length + 1);
        const text = [...letters.slice(0, at), added, ...letters.slice(at)].join("");
        const normal = added.normalize("NFKC");
        // What may stand there: space and the invisible around it, marks behind it, and what makes another number, time or code.
        fc.pre(!closingMarks.test(normal) && !/^[\d\s#,、]*$/.test(normal));
        // ㍸ reads as dm2, a code by itself.
        fc.pre(Array.from(normal).length === 1);
        const before = readAnswerWords(`${word} ${more}`);
        const after = readAnswerWords(text);
        if (after?.kind !== "approve") return;
        // Only letters that turn one listed form into another (分 and 分钟, a code of three letters) leave a yes.
        expect(normal).toMatch(/^[a-z/个個分间間]+$/iu);
        // 「确认 2」 with an h is 「确认 2h」, with a D 「确认 D2」: both are listed, and neither is a yes to number 2.
        const same = before?.kind === "approve" && after.grant === undefined && after.code === before.code;
        const numbers = before?.kind === "approve" ? before.numbers : undefined;
        expect(same ? after.numbers : numbers).toEqual(numbers);
        expect(numbers ?? []).toEqual(expect.arrayContaining([...(after.numbers ?? [])]));
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
        const grant = { kind: "time", ms: minutes * 60_000 };
        expect(readAnswerWords(`${head} ${minutes}分钟`)).toEqual({ kind: "approve", ...about, grant });
      }),
      { numRuns: 1_000 },
    );
  });
});
