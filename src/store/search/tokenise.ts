import { foldText } from "./fold-text.ts";

/** Stored in the database. Another number makes the index rebuild: raise it with every change of the tokens. */
export const tokeniserVersion = 1;

/**
 * Letters of scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Burmese, Khmer) are the group. Else a run is
 * letters and digits of others, or one emoji.
 */
const runs =
  /([\u0e01-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\u{1b000}-\u{1b16f}\u{20000}-\u{3ffff}]+)|[[\p{L}\p{N}\p{M}]--[\u0e01-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\u{1b000}-\u{1b16f}\u{20000}-\u{3ffff}]]+|\p{Extended_Pictographic}|\p{Regional_Indicator}/gv;
/** The index takes no token that is longer; a longer word is several in a row. */
const piece = /.{1,64}/gsu;

/**
 * The tokens a text is found by, in order. A run of Chinese (and its like) gives each pair of neighbouring letters and its
 * last letter; a run of other letters and digits is one, and so is an emoji. Signs are nothing.
 */
export function listTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [run, wide] of foldText(text).matchAll(runs)) {
    if (wide !== undefined) pushPairs(tokens, wide, true);
    else tokens.push(...(run.match(piece) ?? []));
  }
  return tokens;
}

function pushPairs(tokens: string[], run: string, hasLast: boolean): void {
  const letters = /[\ud800-\udbff]/.test(run) ? Array.from(run) : run;
  const end = letters.length - 1;
  for (let at = 0; at < end; at += 1) tokens.push(`${letters[at]}${letters[at + 1]}`);
  if (hasLast) tokens.push(letters[end] ?? "");
}

/** A phrase to look for: these tokens one after the other. `isOpen` = of the last only its beginning is known. */
export interface Phrase {
  readonly tokens: readonly string[];
  readonly isOpen: boolean;
}

/** Undefined when it has no letter, digit or emoji. */
export function readPhrase(word: string): Phrase | undefined {
  const found = [...foldText(word).matchAll(runs)];
  const tokens: string[] = [];
  let isOpen = false;
  for (const [index, [run, wide]] of found.entries()) {
    if (wide === undefined) tokens.push(...(run.match(piece) ?? []));
    else {
      // The letters after the last one may go on: of a single letter a pair begins with it, and longer runs end with a pair.
      const isLast = index === found.length - 1;
      const before = tokens.length;
      pushPairs(tokens, run, !isLast);
      isOpen = isLast && tokens.length === before;
      if (isOpen) tokens.push(run);
    }
  }
  return tokens.length === 0 ? undefined : { tokens, isOpen };
}

/** Whether the tokens of a text hold a phrase: what each engine's index answers, by itself. */
export function holdsPhrase(tokens: readonly string[], { isOpen, tokens: sought }: Phrase): boolean {
  return ` ${tokens.join(" ")} `.includes(` ${sought.join(" ")}${isOpen ? "" : " "}`);
}
