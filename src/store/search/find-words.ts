import { stemmer } from "stemmer";
import { foldText } from "./fold-text.ts";
import { listTokens, tokeniserVersion } from "./tokenise.ts";

/** Stored in the database. Raise the last part with every change of the words of a memory: they are rebuilt then. */
export const wordsVersion = tokeniserVersion * 1000 + 1;

/** Words of one text at most, unless told otherwise. */
const usualMost = 600;
const maxWordLength = 40;

/** Single letters that occur in every second sentence. */
const filling = new Set(
  "的了是在我你他她它们不有这那就也都和与很吗呢吧啊什么怎哪谁个一上下来去到说要会能没还又再把被让给对从以为于其但而或如所及并着过得地之只才用户方",
);

/** Words that occur in every second sentence: they find nothing. */
const common = new Set(
  foldText(
    "什么 怎么 多少 哪里 哪个 为什 这个 那个 我们 你们 他们 是不 不是 有没 没有 可以 知道 一下 一个 记得 还记 告诉 诉我 " +
      "请问 么时 时候 是什 叫什 我的 你的 是多 的是 一点 了吗 是哪 过的 我说 说过 用户 对方 ました です ます から した って この その " +
      "the and for you are was were what when where who how why did does that this with have has had can could would from about my me is it in on at to of do we be or an if she he they i a am user not",
  ).split(" "),
);

/**
 * The words a text is found by, each once: two neighbouring letters of Chinese, Japanese and Korean and the stems of other
 * words, then the single letters of Chinese that say something. By the tokens of the chat log.
 */
export function findWords(text: string, most = usualMost): readonly string[] {
  const words = new Set<string>();
  const letters = new Set<string>();
  for (const token of listTokens(text)) {
    if (words.size >= most) break;
    if (wide.test(token)) {
      const [letter = ""] = token;
      if (token.length > letter.length && !common.has(token)) words.add(token);
      if (saysSomething(letter)) letters.add(letter);
    } else if (/[\p{L}\p{N}]/u.test(token) && token.length > 1 && !common.has(token)) words.add(toStem(token));
  }
  return [...words, ...letters].slice(0, most);
}

/** The words that a memory is found by. */
export function listMemoryWords({
  content,
  value,
}: {
  readonly content: string;
  readonly value?: string | null | undefined;
}): readonly string[] {
  return findWords(value === undefined || value === null ? content : `${content} ${value}`);
}

/** A single letter of Chinese: it says less than a word. */
export const isLetter = (word: string): boolean => word.length === 1;

/** A Chinese letter that does not occur in every second sentence. */
export function saysSomething(letter: string): boolean {
  return /^[\u3400-\u9fff]$/.test(letter) && !filling.has(letter);
}

function toStem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word.slice(0, maxWordLength)) : word.slice(0, maxWordLength);
}

const wide =
  /^[\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\u{20000}-\u{3ffff}]/u;
