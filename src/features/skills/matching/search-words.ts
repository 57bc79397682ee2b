import { foldText } from "../../../store/search/fold-text.ts";
import { englishStopWords, isWeak, toStem } from "../../../store/search/english-words.ts";
import { listTokens } from "../../../store/search/tokenise.ts";
import { taskBridges } from "./task-bridges.ts";

/** Words that nearly every description of a skill holds. */
const ordinary = new Set(
  (
    "use user skill trigger request include including any anything whenever also file files way work working task support provide guide guidance " +
    "existing specific help helper using used need please let lets something someone thing wants asks tool tools toolkit new via based them " +
    "before after while without within across into onto between during until unless"
  )
    .split(" ")
    .map(toStem),
);

/** Pairs of Chinese letters that occur in every second sentence. */
const ordinaryPairs = new Set(
  foldText(
    "帮我 我帮 请帮 一下 这个 那个 这些 那些 这份 这张 一个 一份 我的 我们 你们 他们 怎么 什么 可以 能不 不能 有没 没有 是不 不是 想要 我想 " +
      "需要 现在 今天 明天 昨天 已经 还是 就是 一起 里面 里的 所有 全部 还有 如果 因为 所以 但是 知道 觉得",
  ).split(" "),
);

const maxWords = 20_000;
const maxWordLength = 40;
const isLatin = (token: string): boolean => /^[a-z0-9]/.test(token);

/** The words that a text is found by, by the tokens of the chat log: stems of Latin words, pairs of Chinese letters. */
export function listSearchWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const token of listTokens(text)) {
    if (words.length >= maxWords) break;
    if (isLatin(token)) {
      if (token.length < 2 || englishStopWords.has(token)) continue;
      const stem = toStem(token.slice(0, maxWordLength));
      if (!ordinary.has(stem)) words.push(stem);
    } else if (token.length > 1 && !ordinaryPairs.has(token)) words.push(token);
  }
  return words;
}

/** Words that mean little alone: they affect the order of results, and never find anything. */
export function isWeakWord(word: string): boolean {
  return isWeak(word) || /^\d+$/.test(word);
}

/**
 * The concepts of a query, each as the words of which any expresses it: its own words one by one, then the English names
 * of Chinese and Japanese ones.
 */
export function listConcepts(query: string): readonly (readonly string[])[] {
  const own = [...new Set(listSearchWords(query))].map((word) => [word]);
  const folded = foldText(query);
  const bridged = taskBridges.flatMap(({ english, words }) =>
    words.some((word) => folded.includes(word)) ? [english] : [],
  );
  return [...own, ...bridged];
}
