import { readCount } from "./read-count.ts";
import type { TimeToken } from "./time-words.ts";

/** The place in the words of a text; what does not fit is left where it was. */
export interface TokenReader {
  place(): number;
  goTo(place: number): void;
  peek(ahead?: number): TimeToken | undefined;
  take<Kind extends TimeToken["kind"]>(...kinds: readonly Kind[]): Extract<TimeToken, { kind: Kind }> | undefined;
  sign(signs: string): string | undefined;
  /** Takes the first signs of a number; the rest of it is read next. */
  cut(signs: number): void;
  /** The character before the next word. */
  before(): string;
}

/** Reads, or goes back to where it began. */
export function attempt<Result>(reader: TokenReader, read: () => Result | undefined): Result | undefined {
  const start = reader.place();
  const result = read();
  if (result === undefined) reader.goTo(start);
  return result;
}

export function createTokenReader(tokens: readonly TimeToken[], start: number, text: string): TokenReader {
  let at = start;
  /** The rest of a number that was taken in part, and its place. */
  let rest: { readonly at: number; readonly token: TimeToken } | undefined;
  const look = (place: number): TimeToken | undefined => (rest?.at === place ? rest.token : tokens[place]);
  return {
    place: () => at,
    goTo: (place) => {
      at = place;
      if (rest && place < rest.at) rest = undefined;
    },
    peek: (ahead = 0) => look(at + ahead),
    cut: (signs) => {
      const token = tokens[at];
      if (token?.kind !== "number") return;
      const left = token.text.slice(signs);
      rest = { at, token: { ...token, text: left, value: readCount(left) ?? 0, from: token.from + signs } };
    },
    take: (...kinds) => {
      const token = look(at);
      if (token === undefined || !(kinds as readonly string[]).includes(token.kind)) return undefined;
      at += 1;
      return token as never;
    },
    sign: (signs) => {
      const token = tokens[at];
      if (token?.kind !== "sign" || !signs.includes(token.sign)) return undefined;
      at += 1;
      return token.sign;
    },
    before: () => text.charAt((tokens[at]?.from ?? 0) - 1),
  };
}
