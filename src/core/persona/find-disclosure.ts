import { chineseDisclosures, chineseDoubts, chineseQuestion } from "./disclosure-zh.ts";
import { englishDisclosures, englishDoubts, englishQuestion } from "./disclosure-en.ts";
import { japaneseDisclosures, japaneseDoubts, japaneseQuestion } from "./disclosure-ja.ts";

const families = [
  { patterns: chineseDisclosures.map(findEvery), doubts: chineseDoubts, question: chineseQuestion },
  { patterns: englishDisclosures.map(findEvery), doubts: englishDoubts, question: englishQuestion },
  { patterns: japaneseDisclosures.map(findEvery), doubts: japaneseDoubts, question: japaneseQuestion },
];

function findEvery(pattern: RegExp): RegExp {
  return new RegExp(pattern, "gu");
}

/**
 * True when the speaker says of herself that she is an AI, a program or some vendor's product. Talking about AI,
 * denying it, asking, supposing and citing are fine. `plain` comes from `toPlainText`.
 */
export function disclosesAi(plain: string): boolean {
  return families.some(({ patterns, doubts, question }) =>
    patterns.some((pattern) =>
      [...plain.matchAll(pattern)].some((match) => {
        const before = plain.slice(0, match.index);
        const after = plain.slice(match.index + match[0].length);
        return !doubts.test(before) && !question.test(after);
      }),
    ),
  );
}
