import { createHash } from "node:crypto";
import type { Language } from "../conversation.ts";
import { wordsFor } from "../words/words.ts";
import { markLines } from "./mark-lines.ts";

/** Shows a command, a path or a text exactly, so that it cannot pretend to be anything else in a chat. */

/** The most characters that people are asked to read before they approve, of one call and of all calls of a round. */
export const maxAsked = { call: 12_000, round: 24_000 } as const;
/**
 * Characters from which on a payload is long: its length and digest are shown, output is cut, and a skill's question is
 * refused.
 */
export const payloadLimit = 1500;
const keptAtEachEnd = 700;
/** The width of a common terminal; narrower screens break lines once more (mark-lines.ts). */
const payloadColumns = 76;

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
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/** How long a payload is as people see it, in UTF-16 units. */
export function measurePayload(text: string): number {
  return showExactly(text).length;
}

/**
 * All of a payload, each line behind a mark: what a person approves is never cut. A long one has its length and the
 * first 12 digits of the SHA-256 of it above. Without the marks, and with `⟨U+…⟩` read back, it is the payload exactly.
 */
export function showPayload(text: string, language: Language): string {
  const { payload } = wordsFor(language);
  const visible = showExactly(text);
  const total = Array.from(text).length;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const size = { total, lines: text.split("\n").length, digest };
  return [
    ...(total > payloadLimit ? [payload.whole(size)] : []),
    fence(markLines(visible, payloadColumns)),
    ...(visible === text ? [] : [payload.hiddenCharacters]),
  ].join("\n");
}

/** Text that a person approves, so that it cannot show what looks like our notation for a hidden character. */
export function showExactly(text: string): string {
  return makeVisible(text.replaceAll(/⟨(?=U\+)/g, "⟨U+27E8⟩"));
}

/** Text that needs no approval, such as output: marked like a payload; a long one is cut in the middle, with a note outside the fences. */
export function showExcerpt(text: string, language: Language): string {
  const { payload } = wordsFor(language);
  const characters = Array.from(text);
  const show = (part: string): string => fence(markLines(makeVisible(part), payloadColumns));
  const shown: string[] = [];
  if (characters.length <= payloadLimit) shown.push(show(text));
  else {
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
    const omitted = characters.length - 2 * keptAtEachEnd;
    shown.push(show(characters.slice(0, keptAtEachEnd).join("")));
    shown.push(payload.cut({ omitted, total: characters.length, digest }));
    shown.push(show(characters.slice(-keptAtEachEnd).join("")));
  }
  if (makeVisible(text) !== text) shown.push(payload.hiddenCharacters);
  return shown.join("\n");
}
