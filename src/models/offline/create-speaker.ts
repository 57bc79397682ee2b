import type { Language } from "../../core/conversation.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { placeholder } from "./phrase-keys.ts";
import type { PhraseKey } from "./phrase-keys.ts";
import type { OfflinePhrases } from "./phrases.ts";

/** Says one of the variants of a phrase with its placeholders filled. */
export type Speaker = (key: PhraseKey, values?: Readonly<Record<string, string | number>>) => string;

interface SpeakerOptions {
  readonly phrases: OfflinePhrases;
  readonly language: Language;
  /** The same seed picks the same variants, so a repeated turn says the same words. */
  readonly seed: string;
  /** The last reply; a variant that occurs in it is passed over. */
  readonly previous: string;
}

export function createSpeaker({ phrases, language, seed, previous }: SpeakerOptions): Speaker {
  return (key, values = {}) => {
    const variants = phrases[language][key].map((text) => fill(text, { kurisu: kurisuCommand, ...values }));
    const start = hashText(`${seed}\n${key}`) % variants.length;
    const turned = [...variants.slice(start), ...variants.slice(0, start)];
    return turned.find((text) => !previous.includes(text)) ?? turned[0] ?? "";
  };
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(placeholder, (whole: string, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return one === undefined ? String(value) : ((value === 1 ? one : many) ?? "");
  });
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
