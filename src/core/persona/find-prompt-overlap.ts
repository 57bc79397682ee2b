import { toLetters } from "./plain-text.ts";

/** Finds runs of the system prompt in a reply, whatever spacing, punctuation or case they were given. */

/** A run this heavy is a copy. A Chinese character weighs 1, a Latin letter 0.35: 20 characters or about 10 words. */
const heaviestRun = 20;
/** How much of what was said before is looked at, so that a copy cut into short sentences is still one run. */
const lookBack = 120;
const seed = 8;

export interface PromptOverlap {
  /** True when `text`, following `before`, goes on or makes up a copied run. */
  copies(before: string, text: string): boolean;
}

export function createPromptOverlap(systemPrompt: string): PromptOverlap {
  const prompt = toLetters(systemPrompt);
  const seeds = new Set(
    Array.from({ length: Math.max(0, prompt.length - seed + 1) }, (_, at) => prompt.slice(at, at + seed)),
  );

  return {
    copies(before, text) {
      const own = toLetters(text);
      const tail = toLetters(before.slice(-lookBack * 2)).slice(-lookBack);
      const whole = tail + own;
      for (let start = 0; start + seed <= whole.length; start += 1) {
        if (!seeds.has(whole.slice(start, start + seed))) continue;
        let end = start + seed;
        while (end < whole.length && prompt.includes(whole.slice(start, end + 1))) end += 1;
        const ownPart = end - Math.max(start, tail.length);
        if (ownPart >= Math.min(seed, own.length) && weigh(whole.slice(start, end)) >= heaviestRun) return true;
      }
      return false;
    },
  };
}

function weigh(text: string): number {
  let weight = 0;
  for (const letter of text) weight += /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(letter) ? 1 : 0.35;
  return weight;
}
