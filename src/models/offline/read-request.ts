import { findFileName, isAddress, isFileName } from "./file-name.ts";

/**
 * A person's words with every file, address and quotation replaced by its mark: B a code block, F a file, Q a
 * quotation, U a web address. The rest is in small letters, so a capital
 * is always a mark, rules are short, and nothing that is quoted can be taken for a wish.
 */
export interface Request {
  readonly text: string;
  /** The words as they were written, of a piece of `text`. */
  original(from: number, to?: number): string;
  /** The text of a mark, without its quotation marks. */
  named(at: number): string;
}

/** A wish is in the first words; what is to be written into a file may be longer. */
const maxRequestLength = 500;

const closing: Readonly<Record<string, string>> = { "「": "」", "『": "』", "“": "”", "‘": "’", '"': '"', "`": "`" };
const block = /```(?:[a-z]+\n)?/y;
const apostrophes = /'[^'\n]{1,200}'(?![a-z])/iy;
const address = /https?:\/\/[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5f\x61-\x7e]+/iy;
const run = /[\w.\-/~+@#=%*]+/y;
const space = /\s+/y;

interface Piece {
  readonly shown: string;
  /** Where it is in the words as they were written. */
  readonly from: number;
  readonly to: number;
  readonly value?: string;
}

export function readRequest(written: string): Request {
  const pieces: Piece[] = [];
  /** Closing marks that do not occur any more, so that they are not searched for again. */
  const unclosed = new Set<string>();
  let at = 0;
  while (at < written.length && pieces.length < maxRequestLength) {
    const piece = readBlock(written, at) ?? readQuotation(written, at, unclosed) ?? readAddress(written, at);
    if (piece === undefined) at = readWords(written, at, pieces);
    else {
      pieces.push(piece);
      at = piece.to;
    }
  }
  const placeOf = (index: number): number => pieces[index]?.from ?? written.length;
  const original = (from: number, to = Infinity): string => written.slice(placeOf(from), placeOf(to));
  return {
    text: pieces.map(({ shown }) => shown).join(""),
    original,
    named: (index) => pieces[index]?.value ?? "",
  };
}

function readBlock(text: string, at: number): Piece | undefined {
  const open = matchAt(block, text, at);
  if (open === undefined) return undefined;
  const end = text.indexOf("```", at + open.length);
  if (end < 0) return undefined;
  return { shown: "B", from: at, to: end + 3, value: text.slice(at + open.length, end).trim() };
}

function readQuotation(text: string, at: number, unclosed: Set<string>): Piece | undefined {
  const mark = text[at] ?? "";
  const close = closing[mark];
  const isApostrophe = mark === "'" && !/\w/.test(text[at - 1] ?? "");
  const end = close === undefined || unclosed.has(close) ? -1 : text.indexOf(close, at + 1);
  if (end < 0 && close !== undefined) unclosed.add(close);
  const whole = isApostrophe ? matchAt(apostrophes, text, at) : end < 0 ? undefined : text.slice(at, end + 1);
  if (whole === undefined || whole.length < 3) return undefined;
  const value = whole.slice(1, -1);
  return { shown: isFileName(value.trim()) ? "F" : "Q", from: at, to: at + whole.length, value };
}

function readAddress(text: string, at: number): Piece | undefined {
  const found = matchAt(address, text, at)?.replace(/[.,:;!?)]{1,9}$/, "");
  return found === undefined ? undefined : { shown: "U", from: at, to: at + found.length, value: found };
}

/** A single character, or a run of those that names of files are made of, or white space. Returns where to go on. */
function readWords(text: string, at: number, pieces: Piece[]): number {
  const gap = matchAt(space, text, at);
  if (gap !== undefined) {
    // Rules may skip white space in several places; of a long run each of them would try every part.
    pieces.push({ shown: gap.includes("\n") ? "\n" : " ", from: at, to: at + gap.length });
    return at + gap.length;
  }
  const found = matchAt(run, text, at);
  if (found === undefined) {
    const character = text[at] ?? "";
    pieces.push({ shown: toShown(character), from: at, to: at + 1 });
    return at + 1;
  }
  const name = found.replace(/[.\-~=%]{1,9}$/, "");
  const before = pieces.slice(-40).map(({ shown, value = "" }) => (shown === "F" && value.endsWith("/") ? "/" : shown));
  const file = findFileName(name, before.join(""));
  const end = at + name.length;
  if (file !== undefined) {
    const own = pieces.splice(pieces.length - file.before, file.before);
    const from = own[0]?.from ?? at;
    pieces.push({ shown: "F", from, to: end, value: text.slice(from, end) });
    return end;
  }
  if (isAddress(name)) {
    pieces.push({ shown: "U", from: at, to: end, value: `https://${name}` });
    return end;
  }
  for (const [index, character] of Array.from(found.slice(0, maxRequestLength)).entries())
    pieces.push({ shown: toShown(character), from: at + index, to: at + index + 1 });
  return at + found.length;
}

/** Maps each character to exactly one: full width made half, never a capital. */
function toShown(character: string): string {
  const plain =
    /[！-～]/.test(character) && !/[，；：！？（）]/.test(character) ? character.normalize("NFKC") : character;
  const small = plain.toLowerCase();
  return small.length === 1 ? small : character;
}

function matchAt(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}
