/** A fraction of two whole numbers, so that 0.1 + 0.2 is 0.3. The denominator is positive. */
export interface ExactNumber {
  readonly top: bigint;
  readonly bottom: bigint;
}

export function fraction(top: bigint, bottom = 1n): ExactNumber {
  let [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
  while (b !== 0n) [a, b] = [b, a % b];
  const sign = bottom < 0n ? -1n : 1n;
  return a === 0n ? { top: 0n, bottom: 1n } : { top: (sign * top) / a, bottom: (sign * bottom) / a };
}

/** `text` is digits with at most one point; 1e-9 is written out. */
export function readExact(text: string): ExactNumber {
  const [whole = "0", decimals = ""] = text.replaceAll(",", "").split(".");
  return fraction(BigInt(`${whole}${decimals}` || "0"), 10n ** BigInt(decimals.length));
}

export const add = (one: ExactNumber, other: ExactNumber): ExactNumber =>
  fraction(one.top * other.bottom + other.top * one.bottom, one.bottom * other.bottom);
export const negate = (one: ExactNumber): ExactNumber => ({ top: -one.top, bottom: one.bottom });
export const multiply = (one: ExactNumber, other: ExactNumber): ExactNumber =>
  fraction(one.top * other.top, one.bottom * other.bottom);
/** The divisor is not 0. */
export const divide = (one: ExactNumber, other: ExactNumber): ExactNumber =>
  fraction(one.top * other.bottom, one.bottom * other.top);

export const toNumber = (one: ExactNumber): number => Number(one.top) / Number(one.bottom);

/** As people say a measure: two decimals, or four significant digits where that is more; ≈ when that is not all. */
export function writeMeasure(value: ExactNumber): string {
  const size = Math.abs(toNumber(value));
  if (!Number.isFinite(size) || size === 0 || size < 1e-6 || size >= 1e15) return writeExact(value);
  const digits = Math.max(4, Math.floor(Math.log10(size)) + 3);
  const short = String(Number(toNumber(value).toPrecision(digits)));
  return short === writeExact(value) ? short : `≈ ${short}`;
}

/** All digits where they end, else ten significant ones after ≈. */
export function writeExact(value: ExactNumber): string {
  let rest = value.bottom;
  while (rest % 10n === 0n) rest /= 10n;
  while (rest % 2n === 0n) rest /= 2n;
  while (rest % 5n === 0n) rest /= 5n;
  const size = Math.abs(toNumber(value));
  if (rest === 1n && value.bottom <= 10n ** 15n) return writeDecimals(value);
  if (!Number.isFinite(size) || size === 0 || size < 1e-6 || size >= 1e15)
    return `≈ ${toNumber(value).toPrecision(10)}`;
  return `≈ ${Number(toNumber(value).toPrecision(10))}`;
}

function writeDecimals({ top, bottom }: ExactNumber): string {
  const sign = top < 0n ? "-" : "";
  const size = top < 0n ? -top : top;
  let [decimals, left] = ["", size % bottom];
  while (left !== 0n) {
    left *= 10n;
    decimals += String(left / bottom);
    left %= bottom;
  }
  return `${sign}${size / bottom}${decimals === "" ? "" : `.${decimals}`}`;
}
