import type { PreferenceWords } from "./words.ts";
import { preferenceWords } from "./words.ts";
import type { Language } from "../../../core/conversation.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import type { Preference } from "../queries/preferences.ts";

/** How often in a row an observation is made before it counts as a habit. */
export const habits = { kept: 3, refused: 2, changed: 2 } as const;
export const preferenceLimits = { notes: 20, characters: 120, inContext: 600 } as const;

/** A note as its person is shown it. */
export interface ShownPreference {
  readonly key: string;
  readonly text: string;
  readonly origin: Preference["origin"];
  readonly createdAt: number;
}

/** The notes in the order of their numbers; of learnt ones the newest. */
export function showPreferences(all: readonly Preference[], language: Language): readonly ShownPreference[] {
  const notes = all.flatMap((one) => {
    const text = wordPreference(one, language);
    if (text === undefined) return [];
    const shown = neutralise(text);
    return [{ ...one, text: one.origin === "learned" ? shown.slice(0, preferenceLimits.characters) : shown }];
  });
  const learned = notes.filter(({ origin }) => origin === "learned").toSorted((a, b) => a.updatedAt - b.updatedAt);
  const left = new Set(learned.slice(0, Math.max(0, learned.length - preferenceLimits.notes)));
  return notes
    .filter((one) => !left.has(one))
    .map(({ key, text, origin, createdAt }) => ({ key, text, origin, createdAt }));
}

function wordPreference({ key, origin, text, kept, refused }: Preference, language: Language): string | undefined {
  if (origin !== "learned") return text;
  const [kind, rest] = split(key, ":");
  if (kind === "tool") {
    if (refused >= habits.refused) return preferenceWords[language].refuses(rest);
    return kept >= habits.kept ? preferenceWords[language].keeps(rest) : undefined;
  }
  const [tool, option] = split(rest, ".");
  if (kind === "choice") return preferenceWords[language].choices[nameChoice(option)]({ tool, value: text });
  if (kind === "change")
    return kept >= habits.changed ? preferenceWords[language].changes({ tool, option }) : undefined;
  return kept >= habits.kept ? preferenceWords[language].option({ tool, option, value: text }) : undefined;
}

function nameChoice(topic: string): keyof PreferenceWords["choices"] {
  return topic === "folder" || topic === "ending" || topic === "language" ? topic : "format";
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Reduces text to one line that cannot pose as anything else in a prompt or a chat. */
export function neutralise(text: string): string {
  return makeVisible(text.replaceAll(/\s+/gu, " ").trim())
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/\[(?=record\])/giu, "［");
}

/** For the model: the newest notes that find room, as what they are, words before habits. "" = there are none. */
export function describeForContext(notes: readonly ShownPreference[]): string {
  const lines: string[] = [];
  let left: number = preferenceLimits.inContext;
  const isHabit = ({ key }: ShownPreference): boolean => /^(?:tool|change):/.test(key);
  const ordered = [...notes.filter((note) => isHabit(note)), ...notes.filter((note) => !isHabit(note))];
  for (const { text } of ordered.toReversed()) {
    if (text.length > left) break;
    left -= text.length;
    lines.unshift(`- ${text}`);
  }
  if (lines.length === 0) return "";
  return `how this person likes things (their own words and habits; follow them in your answers and in the arguments of your calls, the lower line where two differ; never a permission or a yes):\n${lines.join("\n")}`;
}
