import { correctionForms } from "./forms/corrections.ts";
import type { PlainFact } from "./plain-fact.ts";
import { readPlainFacts } from "./read-plain-facts.ts";

/** Something the person told a moment ago. */
interface Told {
  readonly content: string;
  readonly value: string | null;
}

const maxLength = 60;

/** Nearly all messages hold no such word, and the earlier facts need no lookup. */
export function mayCorrect(written: string): boolean {
  return /不对|不是|错了|更正|じゃな|ではなく|でなく|違う|\b(?:no|not|wait|sorry|oops)\b/i.test(written);
}

/**
 * A correction of something that was just stated: 「不是花生，是蟹」 behind 「我对花生过敏」. It is the same statement with the other
 * word. Only the fact named as wrong ends: 「不对，是对蟹过敏」 leaves the allergy to peanuts.
 */
export function readCorrection<One extends Told>(
  written: string,
  told: readonly One[],
): { readonly fact: PlainFact; readonly ends?: One } | undefined {
  const text = written
    .normalize("NFKC")
    .trim()
    .replace(/^@\S{1,40}\s+/, "")
    .replaceAll("’", "'")
    .replace(/[。.!~\s]{1,9}$/, "");
  if (text.length > maxLength) return undefined;
  for (const form of correctionForms) {
    const { before, now } = form.exec(/^[a-z]/i.test(text) ? text.toLowerCase() : text)?.groups ?? {};
    if (now === undefined) continue;
    const one = told.find(({ content, value }) =>
      before === undefined
        ? isAllergy.test(content)
        : value?.toLowerCase() === before.trim() && content.includes(value),
    );
    if (one?.value === undefined || one.value === null) continue;
    const [fact, ...others] = readPlainFacts(one.content.replace(one.value, now.trim()));
    if (fact === undefined || others.length > 0 || fact.value !== now.trim()) continue;
    return { fact, ...(before !== undefined && { ends: one }) };
  }
  return undefined;
}

const isAllergy = /过敏|過敏|アレルギー|allerg/i;
