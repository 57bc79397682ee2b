import { foldText } from "../../store/search/fold-text.ts";
import { listContentWords } from "./extract-topics.ts";
import { askedThings, questionWords, type AskedThing } from "./question-words.ts";

export interface ExpandedQuestion {
  /** The question's own words first, then those that people use in answers. */
  readonly keywords: readonly string[];
  /** The words of the question that called for more. */
  readonly because: readonly string[];
}

const maxKeywords = 28;
const maxRead = 500;

/** Words of a question turned into words of a log, by a table: 生日 finds 出生, 住 finds 搬到. */
export function expandQuestion(question: string): ExpandedQuestion {
  const text = foldText(question.slice(0, maxRead));
  const found = askedThings.flatMap((thing) => {
    const asked = [...thing.asked, ...listClear(thing)].find((word) => names(text, word));
    return asked === undefined ? [] : [{ asked, thing }];
  });
  const own = listContentWords(question.slice(0, maxRead)).filter((word) => !questionWords.has(foldText(word)));
  const told = sortByLanguage(
    found.map(({ thing }) => thing),
    detectScript(question),
  );
  const keywords = [...new Map([...own, ...told].map((word) => [foldText(word), word])).values()];
  return { keywords: keywords.slice(0, maxKeywords), because: found.map(({ asked }) => asked) };
}

/** People also ask with words of the answers; short ones of these are too ambiguous. */
function listClear({ told }: AskedThing): readonly string[] {
  return Object.values(told).flatMap((words) =>
    words.map(foldText).filter((word) => word.length >= (/^[a-z]/.test(word) ? 4 : 2)),
  );
}

/** A word of letters has to stand alone, one of Chinese or Japanese stands anywhere. */
function names(text: string, word: string): boolean {
  if (!/^[a-z]/.test(word)) return text.includes(word);
  let at = text.indexOf(word);
  while (at >= 0) {
    const isLetter = (letter: string) => /[a-z0-9]/.test(letter);
    if (!isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(at + word.length))) return true;
    at = text.indexOf(word, at + 1);
  }
  return false;
}

type Script = "zh" | "en" | "ja";

/** The words of the question's language, all of them, before those of the others: people mix them. */
function sortByLanguage(things: readonly AskedThing[], script: Script): readonly string[] {
  const others = (["zh", "en", "ja"] as const).filter((one) => one !== script);
  const first = interleave(things.map(({ told }) => told[script]));
  return [...first, ...interleave(things.flatMap(({ told }) => others.map((one) => told[one].slice(0, 3))))];
}

/** Takes one item of each list in turn, so that no list takes all the room. */
function interleave(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function detectScript(text: string): Script {
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  return /[\u3400-\u9fff]/.test(text) ? "zh" : "en";
}
