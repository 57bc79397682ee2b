import { foldCharacters } from "./normalize-utterance.ts";

/** Lists of alternatives that a skill's patterns name as `{name}`. */
export type PatternWords = Readonly<Record<string, readonly string[]>>;

/** What every skill may name. A gap never leaves its clause. */
const commonWords: Readonly<Record<string, string>> = {
  near: "[^,。!?;\\n]{0,4}",
  gap: "[^,。!?;\\n]{0,10}",
  far: "[^,。!?;\\n]{0,22}",
  // How a request begins: 「麻烦你帮我」, "could you please".
  ask: "(?:请|麻烦|劳烦|劳驾|拜托|帮个忙|帮忙|帮我们|帮我|帮|替我|给我|为我|你|您|能不能|可不可以|能否|可否|能|可以|可|会不会|要不|快点|赶紧|快|先|再|去|来|我想让|我想|我要|想|要|得|需要|顺便|现在|马上|直接|就|把|please|pls|plz|can|could|would|will|you|kindly|just|now|go|and|then|also|let's|let|me|help|i|want|need|to|like|hey|ok|okay| )*",
  start: "(?:^|[,。!?;:、\\n]\\s*)",
  end: "\\s*(?:[,。!?;~…\\n)]|$)",
  soft: "(?:一下子|一下儿|一下|下儿|下|一遍|一次|一个|个|些|点|一点)?",
};

/** By their lists of words: each is asked for when its file is checked, and again when it is looked for. */
const expanded = new WeakMap<PatternWords, Map<string, RegExp | undefined>>();
const noWords: PatternWords = {};

/** The regular expression that a pattern stands for; undefined = it is none, or names words that are not there. */
export function expandPattern(source: string, words: PatternWords = noWords): RegExp | undefined {
  const known = expanded.get(words) ?? new Map<string, RegExp | undefined>();
  expanded.set(words, known);
  if (!known.has(source)) known.set(source, compile(source, words));
  return known.get(source);
}

function compile(source: string, words: PatternWords): RegExp | undefined {
  const expand = (text: string, depth: number): string | undefined => {
    let missing = depth > 4;
    const result = text.replaceAll(/(?<!\\[pP])\{([a-z][a-z-]*)\}/g, (_, name: string) => {
      const own = words[name];
      const filled = own === undefined ? commonWords[name] : expand(`(?:${own.join("|")})`, depth + 1);
      if (filled === undefined) missing = true;
      return filled ?? "";
    });
    return missing ? undefined : result;
  };
  const whole = expand(source, 0);
  if (whole === undefined) return undefined;
  try {
    return new RegExp(foldCharacters(whole), "gu");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
