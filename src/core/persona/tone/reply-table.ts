import { blankQuotations, stripInvisible } from "../plain-text.ts";
import type { LabelledText } from "../../learning/learn-labels.ts";

/** Tones that a persona may avoid, which examples teach. Their names are those of the verdict. */
export const avoidableTones = [
  "ai-self-disclosure",
  "assistant-ese",
  "report-style",
  "lecture",
  "confession",
  "cuteness",
  "superstition",
] as const;
/** Beside them, what breaks every role: it follows from the turn, or from the persona's names. */
export const toneKinds = [...avoidableTones, "unsupported-claim", "accepted-nickname", "admitted-label"] as const;
export type ToneKind = (typeof toneKinds)[number];

/** The label of a reply that stays in character. */
export const inCharacter = "none";

export type LabelledReply = { readonly kind: ToneKind | typeof inCharacter; readonly text: string };

export type ReplyTable =
  | { readonly kind: "read"; readonly replies: readonly LabelledReply[] }
  /** `line` counts from 1. */
  | { readonly kind: "faulty"; readonly line: number; readonly problem: string };

/** Reads lines of label, tab, reply; `\n` in a reply is a line break, `#` begins a comment. */
export function readReplyTable(table: string): ReplyTable {
  const replies: LabelledReply[] = [];
  for (const [at, line] of table.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const tab = line.indexOf("\t");
    const kind = line.slice(0, Math.max(0, tab)).trim();
    const text = line
      .slice(tab + 1)
      .replaceAll("\\n", "\n")
      .trim();
    if (tab < 0 || text === "") return { kind: "faulty", line: at + 1, problem: "needs a label, a tab and a sentence" };
    if (!isLabel(kind)) {
      const known = [inCharacter, ...toneKinds].join(", ");
      return { kind: "faulty", line: at + 1, problem: `has the label ${kind}; there are ${known}` };
    }
    replies.push({ kind, text });
  }
  return { kind: "read", replies };
}

function isLabel(given: string): given is LabelledReply["kind"] {
  return given === inCharacter || toneKinds.some((kind) => kind === given);
}

/** As they are learnt and judged: without what a reply only cites. */
export function labelReplies(replies: readonly LabelledReply[]): readonly LabelledText[] {
  return replies.map(({ kind, text }) => ({ labels: [kind], text: prepareReply(text) }));
}

export function prepareReply(text: string): string {
  return blankQuotations(stripInvisible(text));
}
