import type { ToldSituation } from "../../src/core/persona/persona.ts";

/** Where a fixed text is told with the persona's own words before it: `file` below src, `by` what carries it there. */
export interface ToldText {
  readonly situation: ToldSituation;
  readonly file: string;
  readonly by?: string;
}

export const tell = (situation: ToldSituation, file: string, by?: string): ToldText => ({
  situation,
  file,
  ...(by !== undefined && { by }),
});
/** Why a fixed text stands alone. */
export const reasons = {
  within: "a part of a text that has the persona's words before it: a question, a reminder, an error, her own reply",
  list: "a list, a table or a line of one",
  help: "help: how something is called or said",
  receipt: "a receipt: what now holds, in her first person",
  skipped: "a report that begins like a reminder: what fell due, and that it is skipped this time",
  stillOpen: "the question or the form stays open: her words for a refusal or a failure would be untrue",
  button: "a button, a card that changes in place, or a toast of a press",
  terminal: "for the terminal or an editor, not for a chat",
  machine: "a notice to owners about this machine, with names, files and codes",
  model: "for the model or a record, never sent by itself",
  correction: "says which word of a command was not understood, and how to say it",
  pairing: "a pairing code or a first greeting, to somebody she does not know yet",
} as const;
