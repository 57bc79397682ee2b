import type { GrantRequest } from "../gate/make-grants.ts";
import { trimEdges } from "../../core/trim-edges.ts";
import { readTail } from "./read-tail.ts";

/** The words of a message about an open question. Exact matches only: 「不确认」 must never approve. */
export type AnswerWords =
  | {
      readonly kind: "approve";
      readonly code?: string;
      /** The calls that the answer names, by their numbers in the prompt. */
      readonly numbers?: readonly number[];
      /** 「确认 30分钟」, 「确认 本任务」. */
      readonly grant?: GrantRequest;
    }
  /** `plain` marks a word that people also use in ordinary talk (不要, no, 停). */
  | {
      readonly kind: "reject";
      readonly code?: string;
      readonly numbers?: readonly number[];
      readonly plain: boolean;
    }
  /** 「重来」 repeats the question for the stored call. */
  | { readonly kind: "again"; readonly code?: string }
  /** 「预览」 runs the call on a copy and leaves the question open. */
  | { readonly kind: "preview"; readonly code?: string };

const list = (words: string): ReadonlySet<string> => new Set(words.split("|"));

const approving = list(
  "确认|確認|确认执行|確認執行|确认操作|確認操作|confirm|approve|yes|/confirm|/approve|承認|承認する|承認します",
);

/** Only these may be followed by numbers or a time: 「yes 2」 can be an answer to anything. */
const extendable = list("确认|確認|confirm|approve|/confirm|/approve|承認");

/** People use these words only about a question. */
const rejecting = list(
  "取消|取消执行|取消執行|取消操作|拒绝|拒絕|驳回|駁回|不确认|不確認|不要确认|不要確認|别确认|別確認|先别确认|先別確認|不同意|不允许|不允許|" +
    "别执行|別執行|不要执行|不要執行|不执行|不執行|作废|作廢|放弃|放棄|cancel|reject|deny|decline|abort|/cancel|/deny|/reject|" +
    "キャンセル|取り消し|取消し|拒否",
);

const plainRejecting = list(
  "不|否|不要|不行|不可以|先别|先別|先不要|别|別|停|停止|中止|终止|終止|算了|no|n|nope|stop|don't|dont|do not|do-not|not now|not-now|いいえ|いや|いらない|やめて|やめる|だめ|ダメ",
);

const repeating = list("重来|重來|再来一次|再來一次|again|retry|/again|もう一度|やり直し");

const previewing = list("预览|預覽|preview|/preview|プレビュー");

const maxLength = 64;
const edge = /^[\s\p{Cf}]$/u;
const closing = /[。.!、,~]*$/u;
const coding = / *#?[a-z]{1,3}[2-9]$/u;
const maxClosing = 3;
const ellipsis = /[。.]{2}/u;
/** In their form after NFKC, with straight apostrophes. */
const pairs = ["「」", "『』", "“”", '""', "''", "‘'", "()", "[]", "【】", "《》"];

/** Reads a message as an answer. Returns undefined for ordinary talk. docs/security/approvals-and-gate.md defines the rules. */
export function readAnswerWords(message: string): AnswerWords | undefined {
  const bare = readBareWords(message);
  if (bare === undefined) return undefined;
  return readWord(bare)?.answer ?? readExtended(bare);
}

/**
 * Strips surrounding space, marks and brackets. Returns undefined when the text is too long or has more than one line.
 */
export function readBareWords(message: string): string | undefined {
  const edged = trimEdges(message, edge);
  if (Array.from(edged).length > maxLength || /[\r\n\u2028\u2029]/u.test(edged)) return undefined;
  return readBare(edged.normalize("NFKC").toLowerCase().replaceAll("\u2019", "'"));
}

/** 「确认 30分钟」 and K7 -> 「确认 K7 30分钟」: the answer as typed, with the code that names its question. */
export function addCode(message: string, code: string): string {
  const bare = readBareWords(message) ?? "";
  const said = readWord(bare) ? bare : (readTail(bare)?.head ?? bare);
  return `${readWord(said)?.word ?? said} ${code}${bare.slice(said.length)}`;
}

/** A word, or a word and a code. */
function readWord(bare: string): { readonly word: string; readonly answer: AnswerWords } | undefined {
  const whole = classify(bare);
  if (whole) return { word: bare, answer: whole };
  const coded = coding.exec(bare);
  if (!coded) return undefined;
  const word = bare.slice(0, coded.index);
  // 「yesabc7」 is no answer: Latin words keep a space before the code.
  if (/[a-z]/u.test(word) && !/^[ #]/u.test(coded[0])) return undefined;
  const answer = classify(word);
  return answer && { word, answer: { ...answer, code: coded[0].replace(/^ *#?/u, "").toUpperCase() } };
}

/** 「确认 1 3」, 「确认 K7 1」, 「取消 2」, 「确认 30分钟」, 「确认 本任务」. */
function readExtended(bare: string): AnswerWords | undefined {
  const parted = readTail(bare);
  const said = parted && readWord(parted.head);
  if (!said) return undefined;
  const { word, answer } = said;
  if (answer.kind === "approve" && extendable.has(word)) return { ...answer, ...parted.tail };
  const { numbers } = parted.tail;
  return answer.kind === "reject" && !answer.plain && numbers ? { ...answer, numbers } : undefined;
}

function classify(word: string): AnswerWords | undefined {
  if (approving.has(word)) return { kind: "approve" };
  if (rejecting.has(word)) return { kind: "reject", plain: false };
  if (plainRejecting.has(word)) return { kind: "reject", plain: true };
  if (repeating.has(word)) return { kind: "again" };
  if (previewing.has(word)) return { kind: "preview" };
  return undefined;
}

/** People end with a mark and copy 「确认」 with its brackets: up to three marks and one pair are removed. */
function readBare(normal: string): string | undefined {
  const open = stripClosing(normal);
  const inside = open === undefined ? undefined : unquote(open);
  if (inside === undefined) return open;
  // Marks may be outside or inside the brackets, not both.
  return open === normal ? stripClosing(inside) : inside;
}

/** An ellipsis shows hesitation, so the text is no answer. The same goes for a long row of marks. */
function stripClosing(text: string): string | undefined {
  const start = text.search(closing);
  const marks = text.slice(start);
  return marks.length > maxClosing || ellipsis.test(marks) ? undefined : text.slice(0, start).trimEnd();
}

function unquote(text: string): string | undefined {
  const isQuoted = pairs.some((pair) => text.startsWith(pair.charAt(0)) && text.endsWith(pair.charAt(1)));
  return isQuoted ? text.slice(1, -1).trim() : undefined;
}
