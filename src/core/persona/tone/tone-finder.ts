import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../project-folder.ts";
import type { Persona } from "../persona.ts";
import type { ReplyTurn } from "../reply-turn.ts";
import { splitReply } from "../split-reply.ts";
import { inCharacter, readReplyTable, type LabelledReply, type ToneKind } from "./reply-table.ts";
import { findToneJudge } from "./tone-judge.ts";

/**
 * The examples of claims teach what is not a break of tone; find-claims.ts judges them, because a claim and a true
 * report are in the same words.
 */
type JudgedTone = Exclude<ToneKind, "unsupported-claim">;

/**
 * The chances of all avoided tones together from which on a reply breaks the role, by the likeliest of them. They are set so
 * that about 3 in 100 replies in character are taken for breaks when the examples are held back in turn (scripts/measure-tone.mjs).
 */
export const minSums: Readonly<Record<JudgedTone, number>> = {
  "ai-self-disclosure": 0.85,
  "assistant-ese": 0.6,
  "report-style": 0.5,
  lecture: 0.55,
  confession: 0.7,
  cuteness: 0.5,
  superstition: 0.75,
  "accepted-nickname": 0.7,
  "admitted-label": 0.6,
};
/**
 * A sentence alone shows less than a reply, and only it is removed: it must be clearer. After tools she drifts most.
 */
const sentenceMargin = 0.3;
const workMargin = -0.05;

export interface ToneFinder {
  /** A single sentence, before the others are known. */
  ofSentence(text: string): readonly JudgedTone[];
  /** A whole reply. */
  ofReply(text: string): readonly JudgedTone[];
}

/** Finds the tones that a persona avoids, by the examples of replies.tsv and its own voice.tsv. */
export function createToneFinder(persona: TonePersona, turn: ReplyTurn): ToneFinder {
  const avoided = listAvoided(persona, turn);
  const nameWasSpoken = isSpokenOf(persona.rejectedNames, turn.last ?? "");
  const labelWasSpoken = isSpokenOf(persona.deniedLabels, turn.last ?? "");
  const pick = (text: string, margin: number): readonly JudgedTone[] => {
    if (avoided.length === 0 || weigh(text) < minWeight) return [];
    const chances = judgeOf(persona).judge(text);
    const possible = avoided.filter(
      (kind) =>
        (kind !== "accepted-nickname" || nameWasSpoken || isSpokenOf(persona.rejectedNames, text)) &&
        (kind !== "admitted-label" || labelWasSpoken || isSpokenOf(persona.deniedLabels, text)),
    );
    const [likeliest] = possible.toSorted((one, other) => chances[other] - chances[one]);
    const sum = possible.reduce((total, kind) => total + chances[kind], 0);
    return likeliest === undefined || sum < Math.min(0.95, minSums[likeliest] + margin) ? [] : [likeliest];
  };
  return {
    ofSentence: (text) => pick(text, sentenceMargin),
    ofReply: (text) => pick(keepProse(text), turn.worked === true ? workMargin : 0),
  };
}

type TonePersona = Pick<Persona, "avoids" | "deniedLabels" | "offline" | "phrases" | "rejectedNames" | "voice">;

/** Too short a text has no tone. A Latin letter says about half of what a character does. */
const minWeight = 4;

function weigh(text: string): number {
  const letters = text.slice(0, 100).match(/\p{L}/gu) ?? [];
  return letters.reduce((sum, letter) => sum + (/\p{sc=Latin}/u.test(letter) ? 1 / 2 : 1), 0);
}

/** Code and data are payload. */
function keepProse(text: string): string {
  return splitReply(text)
    .map((segment) => (segment.kind === "sentence" ? segment.text : "\n"))
    .join("");
}

function listAvoided({ avoids, deniedLabels, rejectedNames }: TonePersona, turn: ReplyTurn): readonly JudgedTone[] {
  return [
    // A report is the right form after tools, and when the person asks for a list or an explanation.
    ...avoids.filter((kind) => kind !== "report-style" || (turn.worked !== true && !wantsReport(turn))),
    ...(rejectedNames.length === 0 ? [] : (["accepted-nickname"] as const)),
    ...(deniedLabels.length === 0 ? [] : (["admitted-label"] as const)),
  ];
}

/** A name or a label can be accepted only where one of the two has said it. */
function isSpokenOf(words: readonly string[], said: string): boolean {
  const plain = said.toLowerCase();
  return words.some((word) => plain.includes(word.toLowerCase()));
}

function wantsReport({ last = "" }: ReplyTurn): boolean {
  return (
    last.length > 200 ||
    /步骤|列(?:出|一|个)|清单|总结|对比|比较|区别|优缺点|利弊|方案|计划|报告|表格|大纲|整理|分析|解释|讲讲|怎么(?:做|用|装|配|写|实现)|为什么|原理|\b(?:lists?|steps?|summar\w+|compare|comparison|differences?|pros and cons|plan|report|table|outline|explain|analy[sz]e|how (?:do|does|to|can)|why)\b|一覧|手順|まとめ|比較|違い|計画|報告|表にして|説明|解説|分析|なぜ|どうやって|仕組み/iu.test(
      last,
    )
  );
}

let shipped: readonly LabelledReply[] | undefined;
const judges = new WeakMap<readonly LabelledReply[], ReturnType<typeof findToneJudge>>();

/** Resolves when the persona's own examples are learnt; its tone can be judged before, by the shipped ones. */
export function learnTone(persona: TonePersona): Promise<void> {
  return judgeOf(persona).whole;
}

function judgeOf(persona: TonePersona): ReturnType<typeof findToneJudge> {
  const judge =
    judges.get(persona.voice) ?? findToneJudge({ shipped: (shipped ??= readShipped()), own: listOwnReplies(persona) });
  judges.set(persona.voice, judge);
  return judge;
}

/** The persona's own examples, and everything that it says without a model: that is in character. */
export function listOwnReplies({
  offline,
  phrases,
  voice,
}: Pick<TonePersona, "offline" | "phrases" | "voice">): readonly LabelledReply[] {
  const said = [...Object.values(phrases), ...Object.values(offline)].flatMap((lines) => listTexts(lines));
  return [...voice, ...new Set(said)].map((one) => (typeof one === "string" ? { kind: inCharacter, text: one } : one));
}

function listTexts(lines: unknown): readonly string[] {
  if (typeof lines === "string") return [lines];
  return typeof lines === "object" && lines !== null ? Object.values(lines).flatMap(listTexts) : [];
}

/** The replies that every persona's tone is learnt from. */
function readShipped(): readonly LabelledReply[] {
  const file = join(projectFolder, "config", "personas", "replies.tsv");
  const table = readReplyTable(readFileSync(file, "utf8"));
  if (table.kind === "faulty") throw new Error(`${file}:${table.line} ${table.problem}`);
  return table.replies;
}
