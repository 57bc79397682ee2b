import { foldText } from "../../../store/search/fold-text.ts";
import { listTokens } from "../../../store/search/tokenise.ts";
import { saysSomething } from "../../../store/search/find-words.ts";
import { englishStopWords, isWeak, listForms, toStem } from "../../../store/search/english-words.ts";
import { readPastTime, type TimeRange } from "./past-time.ts";

/** One thing that a question asks for. */
export interface Term {
  /** Tokens of the index, each of which counts as it. */
  readonly forms: readonly string[];
  /** Its only form is a letter that words begin with. */
  readonly isOpen: boolean;
  /** 1 = an ordinary word. */
  readonly weight: number;
  /** Words that may be people's names. */
  readonly name?: string;
}

export interface Question {
  /** Folded, without what says a time. */
  readonly text: string;
  readonly terms: readonly Term[];
  readonly ranges: readonly TimeRange[];
  /** It asks for a time: messages that mention one are likelier. */
  readonly asksWhen: boolean;
  /** It asks for the last time: among equals the later one wins. */
  readonly asksLatest: boolean;
}

const maxRead = 500;
const maxTerms = 16;
/** In a question with few words single letters count, too: 「猫叫什么」 is about 猫. */
const fewTerms = 3;
const letterWeight = 0.3;

/** Words that a question in Chinese or Japanese is made of; between them stands what it is about. Folded. */
const asking = new RegExp(
  (
    "什么时候|是什么|为什么|有什么|什么|怎么样|怎么|哪里|哪儿|哪个|哪些|哪天|哪|多少|几个|几点|几次|是不是|有没有|能不能|还记不记得|还记得|记不记得|记得|知道|告诉|" +
    "请问|一下|我们|你们|他们|她们|咱们|我|你|您|他|她|它|的|了|吗|呢|吧|啊|呀|嘛|是|这个|那个|这些|那些|这|那|就|都|也|很|谁|说过|聊过|提过|提到过|提到|讲过|" +
    "谈过|聊到|说到|上次|那次|来着|时候|之前|以前|关于|一些|一个|没有|有过|最近一次|" +
    "ですか|でした|です|ますか|ました|ます|について|という|したっけ|だっけ|っけ|どこ|どれ|どんな|どう|いつ|だれ|誰|なに|何|なぜ|この|その|あの|こと|もの|から|まで|って"
  )
    .split("|")
    .map(foldText)
    .toSorted((one, other) => other.length - one.length)
    .join("|"),
  "g",
);

const when = /什么时候|哪天|几号|几月|何时|哪年|いつ|\bwhen\b|what (?:date|year|month|day|time)|how long/;
const latest = /上次|最近一次|最后一次|前回|最後|\b(?:last|latest|most recent) time\b|\blast (?:talk|mention|discuss)/;
const kana = /^[\u3041-\u309f]+$/;
const letters = /^[a-z]+$/;
const isWide = /^[\u3005-\u3007\u3041-\u9fff\uac00-\ud7ff\u{20000}-\u{3ffff}]/u;

export function readQuestion(
  asked: string,
  told: readonly string[],
  at: { readonly now: number; readonly zone: string },
): Question {
  const folded = foldText(asked.slice(0, maxRead));
  const { ranges, rest } = readPastTime(folded, at);
  const subject = rest.replaceAll(asking, " ");
  const own = [...listTerms(subject, 1)];
  if (own.length <= fewTerms)
    for (const letter of subject)
      if (saysSomething(letter)) own.push({ forms: [letter], isOpen: true, weight: letterWeight });
  // 「上周聊过什么」 asks for everything of a time: words that name a subject would bring other times in.
  const asksTime = own.length === 0 && ranges.length > 0;
  const others = (asksTime ? [] : told)
    .flatMap((word) => listTerms(foldText(word), 0.35))
    .filter(({ isOpen }) => !isOpen);
  const known = new Set<string>();
  const terms = [...own, ...others].filter(({ forms: [first = ""] }) => !known.has(first) && known.add(first));
  return {
    text: rest,
    terms: terms.slice(0, maxTerms),
    ranges,
    asksWhen: when.test(folded),
    asksLatest: latest.test(folded),
  };
}

function listTerms(text: string, weight: number): readonly Term[] {
  const runs = text.split(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/u).flatMap((run) => run.split(borders));
  const all = runs.flatMap((run): readonly Term[] =>
    isWide.test(run) ? listPairs(run, weight) : listWords(run, weight),
  );
  const telling = all.filter(({ forms: [first = ""] }) => !kana.test(first));
  return telling.length > 0 ? telling : all;
}

/** Between letters of scripts with spaces and those without. */
const borders =
  /(?<=[\u3005-\u3007\u3041-\u9fff\uac00-\ud7ff])(?![\u3005-\u3007\u3041-\u9fff\uac00-\ud7ff])|(?<![\u3005-\u3007\u3041-\u9fff\uac00-\ud7ff])(?=[\u3005-\u3007\u3041-\u9fff\uac00-\ud7ff])/;

function listPairs(run: string, weight: number): readonly Term[] {
  const tokens = listTokens(run);
  const pairs = tokens.slice(0, -1);
  if (pairs.length === 0) return [{ forms: [run], isOpen: true, weight: weight * 0.5 }];
  // A long word is many pairs, and still one word.
  return pairs.map((pair) => ({ forms: [pair], isOpen: false, weight: weight / Math.sqrt(pairs.length) }));
}

function listWords(run: string, weight: number): readonly Term[] {
  return listTokens(run).flatMap((word): readonly Term[] => {
    if (englishStopWords.has(word)) return [];
    if (!letters.test(word) || word.length > 30) return [{ forms: [word], isOpen: false, weight, name: word }];
    return [{ forms: listForms(word), isOpen: false, weight: weight * (isWeak(toStem(word)) ? 0.5 : 1), name: word }];
  });
}
