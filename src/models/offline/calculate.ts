import { add, divide, fraction, multiply, negate, readExact, toNumber } from "./exact-number.ts";
import type { ExactNumber } from "./exact-number.ts";

export type Calculation =
  | { readonly kind: "number"; readonly value: ExactNumber }
  /** There is no such number, or it is too long to be written. */
  | { readonly kind: "impossible"; readonly why: "zero" | "size" };

class Impossible extends Error {
  readonly why: "zero" | "size";
  constructor(why: "zero" | "size") {
    super(why);
    this.why = why;
  }
}

const token = /\s{0,9}(?:(\d[\d,]{0,60}(?:\.\d{1,60})?|\.\d{1,60})|(sqrt|\*\*|[-+*/^()%]))/y;
const maxTokens = 200;

/** The value of `text`, an expression of + - * / ^ % ( ) and sqrt and nothing else; % is hundredths. */
export function calculate(text: string): Calculation | undefined {
  const tokens = readTokens(text);
  if (tokens === undefined || !tokens.some((one) => /^(?:sqrt|\*\*|[-+*/^%])$/.test(one))) return undefined;
  const parser = createParser(tokens);
  try {
    const value = parser.sum();
    return value !== undefined && parser.atEnd() ? { kind: "number", value } : undefined;
  } catch (error) {
    if (error instanceof Impossible) return { kind: "impossible", why: error.why };
    throw error;
  }
}

function readTokens(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(trimmed);
    if (match === null || tokens.length === maxTokens) return undefined;
    tokens.push(match[1] ?? (match[2] === "**" ? "^" : (match[2] ?? "")));
  }
  return tokens;
}

/** Recursive descent; every part answers undefined where the text is no expression. */
function createParser(tokens: readonly string[]) {
  let at = 0;
  const take = (...signs: readonly string[]): string | undefined =>
    signs.includes(tokens[at] ?? "") ? tokens[at++] : undefined;

  function sum(): ExactNumber | undefined {
    let left = product();
    for (let sign; left !== undefined && (sign = take("+", "-")) !== undefined;) {
      const right = product();
      left = right && add(left, sign === "+" ? right : negate(right));
    }
    return left;
  }
  function product(): ExactNumber | undefined {
    let left = signed();
    for (let sign; left !== undefined && (sign = take("*", "/")) !== undefined;) {
      const right = signed();
      if (sign === "/" && right?.top === 0n) throw new Impossible("zero");
      left = right && check(sign === "*" ? multiply(left, right) : divide(left, right));
    }
    return left;
  }
  function signed(): ExactNumber | undefined {
    if (take("-") === undefined) return power();
    const value = signed();
    return value && negate(value);
  }
  function power(): ExactNumber | undefined {
    const base = percent();
    if (base === undefined || take("^") === undefined) return base;
    const exponent = signed();
    return exponent && raise(base, exponent);
  }
  function percent(): ExactNumber | undefined {
    const value = atom();
    return value !== undefined && take("%") !== undefined ? divide(value, fraction(100n)) : value;
  }
  function atom(): ExactNumber | undefined {
    if (take("sqrt") !== undefined) {
      const value = atom();
      return value && findRoot(value);
    }
    if (take("(") !== undefined) {
      const inner = sum();
      return take(")") === undefined ? undefined : inner;
    }
    const written = tokens[at] ?? "";
    if (!/^[\d.]/.test(written)) return undefined;
    at += 1;
    return readExact(written);
  }
  return { sum, atEnd: () => at === tokens.length };
}

function raise(base: ExactNumber, exponent: ExactNumber): ExactNumber {
  if (exponent.bottom !== 1n) return approximate(toNumber(base) ** toNumber(exponent));
  const times = exponent.top < 0n ? -exponent.top : exponent.top;
  if (exponent.top < 0n && base.top === 0n) throw new Impossible("zero");
  const digits = Math.max(String(base.top).length, String(base.bottom).length);
  if (times > 1000n || digits * Number(times) > 400) throw new Impossible("size");
  const raised = { top: base.top ** times, bottom: base.bottom ** times };
  return exponent.top < 0n ? fraction(raised.bottom, raised.top) : raised;
}

function findRoot(value: ExactNumber): ExactNumber {
  if (value.top < 0n) throw new Impossible("size");
  return approximate(Math.sqrt(toNumber(value)));
}

/** Twelve digits of a number that has no end. */
function approximate(value: number): ExactNumber {
  if (!Number.isFinite(value)) throw new Impossible("size");
  if (Number.isInteger(value)) return fraction(BigInt(value));
  return fraction(BigInt(Math.round(value * 1e10)), 10n ** 10n);
}

function check(value: ExactNumber): ExactNumber {
  if (value.top > 10n ** 400n || value.top < -(10n ** 400n) || value.bottom > 10n ** 400n) throw new Impossible("size");
  return value;
}
