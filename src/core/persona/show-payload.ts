import { createHash } from "node:crypto";
import type { Language } from "../conversation.ts";
import { wordsFor } from "../words/words.ts";

/** Shows a command, a path or a text exactly, so that it cannot pretend to be anything else in a chat. */

/** Longest payload shown whole, in characters. */
export const payloadLimit = 1500;
const keptAtEachEnd = 700;

/** White space other than the ordinary, controls and unassigned characters, and letters that are drawn as nothing. */
const hidden =
  /[^\P{Z} \u3000]|[^\P{C}\n\t]|\p{Variation_Selector}|\u034F|[\u115F\u1160\u2800\u3164\uFFA0]|[\u17B4\u17B5]/gu;
const emojiBefore = /\p{Extended_Pictographic}\uFE0F?$/u;

/** Control, direction and invisible characters as `⟨U+202E⟩`; line feeds, tabs and the joints of an emoji stay. */
export function makeVisible(text: string): string {
  return text.replace(hidden, (character, offset: number) => {
    const joint = character === "\u200D" || character === "\uFE0F";
    if (joint && emojiBefore.test(text.slice(Math.max(0, offset - 3), offset))) return character;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

const marks: Readonly<Record<string, string>> = {
  "`": "'",
  "[": "［",
  "]": "］",
  "<": "‹",
  ">": "›",
  "*": "＊",
  "~": "～",
};

/** A name that others chose, in a sentence of ours: one line that reads as itself and is no Markdown. */
export function showName(name: string): string {
  const line = makeVisible(name.replaceAll(/\s+/gu, " "));
  return line.replaceAll(/[`[\]<>~]|\*(?=\*)|(?<=\*)\*/g, (mark) => marks[mark] ?? mark);
}

/** A fenced block that the text cannot close from inside. */
export function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/**
 * The payload in a fence. A long one is cut in the middle; the note about it stands outside the fences, where no payload
 * can write, with the whole length and the first 12 digits of the SHA-256 of the whole.
 */
export function showPayload(text: string, language: Language): string {
  const { payload } = wordsFor(language);
  const characters = Array.from(text);
  const shown: string[] = [];
  if (characters.length <= payloadLimit) shown.push(fence(makeVisible(text)));
  else {
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
    const omitted = characters.length - 2 * keptAtEachEnd;
    shown.push(fence(makeVisible(characters.slice(0, keptAtEachEnd).join(""))));
    shown.push(payload.cut({ omitted, total: characters.length, digest }));
    shown.push(fence(makeVisible(characters.slice(-keptAtEachEnd).join(""))));
  }
  if (makeVisible(text) !== text) shown.push(payload.hiddenCharacters);
  return shown.join("\n");
}
