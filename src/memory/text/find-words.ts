import { stemmer } from "stemmer";
import { foldText } from "../../store/search/fold-text.ts";

/** Words of one text at most; a memory is shorter than that. */
const mostWords = 600;
const longestWord = 40;

/** Single letters that stand in every second sentence. */
const filling = new Set(
  "的了是在我你他她它们不有这那就也都和与很吗呢吧啊什么怎哪谁个一上下来去到说要会能没还又再把被让给对从以为于其但而或如所及并着过得地之只才用户方",
);

/** Words that stand in every second sentence: they find nothing. */
const common = new Set(
  (
    "什么 怎么 多少 哪里 哪个 为什 这个 那个 我们 你们 他们 是不 不是 有没 没有 可以 知道 一下 一个 记得 还记 告诉 诉我 " +
    "请问 么时 时候 是什 叫什 我的 你的 是多 的是 一点 了吗 是哪 过的 我说 说过 用户 对方 ました です ます から した って この その " +
    "the and for you are was were what when where who how why did does that this with have has had can could would from about my me is it in on at to of do we be or an if she he they i a am user not"
  ).split(" "),
);

/**
 * The words a memory is found by, each once: two neighbouring letters of Chinese, Japanese and Korean, the single letters
 * of Chinese that say something, the stems of other words.
 */
export function findWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [run] of foldText(text).matchAll(runs)) {
    if (words.size >= mostWords) break;
    if (wide.test(run)) addLetters(words, run);
    else if (run.length > 1 && !common.has(run)) words.add(toStem(run));
  }
  return [...words];
}

/** A single letter of Chinese: it says less than a word. */
export const isLetter = (word: string): boolean => word.length === 1;

function addLetters(words: Set<string>, run: string): void {
  for (let at = 0; at < run.length && words.size < mostWords; at += 1) {
    const pair = run.slice(at, at + 2);
    if (pair.length === 2 && !common.has(pair)) words.add(pair);
    const letter = run.charAt(at);
    if (/^[\u3400-\u9fff]$/.test(letter) && !filling.has(letter)) words.add(letter);
  }
}

function toStem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word.slice(0, longestWord)) : word.slice(0, longestWord);
}

const wide = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const runs = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[a-z0-9\u00c0-\u024f\u0370-\u05ff]+/g;
