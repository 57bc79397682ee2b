import { asksForDeed } from "./asks-for-deed.ts";
import { disclosesAi } from "./find-disclosure.ts";
import { findLeaks, isToolCallFence, isToolCallJson, leakOfTag } from "./find-leaks.ts";
import { createPromptOverlap, type PromptIndex } from "./find-prompt-overlap.ts";
import { claimsDeed, claimsOtherDeed } from "./find-claims.ts";
import { createOwnNames, type OwnNames } from "./find-own-names.ts";
import { createHonorificFinder, createWordFinder } from "./find-own-words.ts";
import { toneKinds } from "./tone/reply-table.ts";
import { createToneFinder } from "./tone/tone-finder.ts";
import { holdsEmoji, withoutEmoji } from "./emoji.ts";
import { createLanguageCheck } from "./find-wrong-language.ts";
import { holdsPlaceholder } from "./find-placeholders.ts";
import { soundsLikeService } from "./find-service-tone.ts";
import type { Persona } from "./persona.ts";
import { repeatsOpening, withoutOpening } from "./repeated-opening.ts";
import type { ReplyTurn } from "./reply-turn.ts";
import { blankInlineCode, blankQuotations, stripInvisible, toPlainText } from "./plain-text.ts";
import type { Segment } from "./split-reply.ts";
import { splitReply } from "./split-reply.ts";

export const breakKinds = [
  ...toneKinds,
  "prompt-leak",
  "reasoning-leak",
  "tool-json",
  "empty",
  "forbidden-word",
  "placeholder",
  "honorific",
  "emoji",
  "repeated-opening",
  "wrong-language",
] as const;
export type BreakKind = (typeof breakKinds)[number];

/** Part of a reply that breaks the role; offsets in UTF-16 units. */
interface BreakSpan {
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly BreakKind[];
}

export type ReplyVerdict =
  | { readonly verdict: "ok" }
  | { readonly verdict: "break"; readonly kinds: readonly BreakKind[]; readonly spans: readonly BreakSpan[] };

/** Judges a reply. No kinds = it may be shown. Pure. */
export interface ReplyJudge {
  /** Judges one segment, given everything accepted before it. */
  readonly ofSegment: (segment: Segment, accepted: string) => readonly BreakKind[];
  /** All of it, once it is there: some tones show in no single sentence. */
  readonly ofReply: (text: string) => readonly BreakKind[];
}

/** A request is read as far as here. */
const maxRequestLength = 1_000;

/** The patterns of a persona's own words, made once for all of its replies: compiling them takes milliseconds. */
export interface OwnWords {
  readonly holdsForbidden: (plain: string) => boolean;
  readonly holdsHonorific: (plain: string) => boolean;
  readonly names: OwnNames;
}

export function compileOwnWords(persona: Persona): OwnWords {
  return {
    holdsForbidden: createWordFinder(persona.forbidden),
    holdsHonorific: createHonorificFinder(persona.honorifics),
    names: createOwnNames(persona),
  };
}

/** The judge of one reply. Code is only checked for copies of the prompt: what it says is payload. */
export function createReplyJudge(
  persona: Persona,
  index: PromptIndex,
  turn: ReplyTurn,
  own = compileOwnWords(persona),
): ReplyJudge {
  const overlap = createPromptOverlap(index);
  const { language, last = "", openings = [], wishes = "" } = turn;
  const asked = asksForDeed(toPlainText(last.slice(0, maxRequestLength)));
  const isWrongLanguage = language === undefined ? () => false : createLanguageCheck({ language, last, wishes });
  const tone = createToneFinder(persona, turn);
  const { holdsForbidden, holdsHonorific, names } = own;

  const ofSegment = (segment: Segment, accepted: string): readonly BreakKind[] => {
    const kinds = new Set<BreakKind>();
    const { kind, text } = segment;
    if (kind === "tag") kinds.add(leakOfTag(text.slice(0, 60)));
    if (kind === "thought") kinds.add("reasoning-leak");
    if (kind === "json" && isToolCallJson(text)) kinds.add("tool-json");
    if (kind === "code" && isToolCallFence(text)) kinds.add("tool-json");
    if (overlap.copies(accepted, text)) kinds.add("prompt-leak");
    if (kind === "sentence") {
      for (const leak of findLeaks(stripInvisible(blankInlineCode(text)))) kinds.add(leak);
      const unquoted = blankQuotations(text);
      const plain = toPlainText(unquoted);
      if (holdsPlaceholder(stripInvisible(unquoted))) kinds.add("placeholder");
      if (holdsHonorific(plain)) kinds.add("honorific");
      if (names.acceptsName(plain)) kinds.add("accepted-nickname");
      if (names.admitsLabel(plain)) kinds.add("admitted-label");
      const claims = turn.acted
        ? turn.did !== undefined && claimsOtherDeed(plain, asked, turn.did)
        : claimsDeed(plain, { asked, looked: turn.looked === true });
      if (claims) kinds.add("unsupported-claim");
      if (!persona.emoji && holdsEmoji(unquoted)) kinds.add("emoji");
      if (repeatsOpening(text, openings) && isBlank(accepted.slice(0, 100))) kinds.add("repeated-opening");
      if (isWrongLanguage(`${accepted.slice(0, 200)}${text}`)) kinds.add("wrong-language");
      if (disclosesAi(plain)) kinds.add("ai-self-disclosure");
      if (holdsForbidden(plain)) kinds.add("forbidden-word");
      if (soundsLikeService(plain)) kinds.add("assistant-ese");
      for (const kind of tone.ofSentence(text)) kinds.add(kind);
    }
    return [...kinds];
  };
  return { ofSegment, ofReply: tone.ofReply };
}

/** Breaks that are only decoration: without it the sentence stays. */
const decorations: Readonly<Partial<Record<BreakKind, (text: string) => string>>> = {
  emoji: withoutEmoji,
  "repeated-opening": withoutOpening,
};

/**
 * The sentence without what is wrong with it; undefined when more than decoration is wrong, or nothing would be left.
 */
export function takeOutDecoration(text: string, kinds: readonly BreakKind[]): string | undefined {
  let rest = text;
  for (const kind of kinds) {
    const takeOut = decorations[kind];
    if (takeOut === undefined) return undefined;
    rest = takeOut(rest);
  }
  return isBlank(rest) ? undefined : rest;
}

/** Judges a finished reply as a whole. */
export function judgeReply(text: string, judge: ReplyJudge): ReplyVerdict {
  if (isBlank(text))
    return { verdict: "break", kinds: ["empty"], spans: [{ start: 0, end: text.length, kinds: ["empty"] }] };
  const spans: BreakSpan[] = [];
  let accepted = "";
  let start = 0;
  for (const segment of splitReply(text)) {
    const end = start + segment.text.length;
    const kinds = judge.ofSegment(segment, accepted);
    if (kinds.length > 0) spans.push({ start, end, kinds });
    else accepted += segment.text;
    start = end;
  }
  const ofWhole = spans.length === 0 ? judge.ofReply(text) : [];
  if (ofWhole.length > 0) spans.push({ start: 0, end: text.length, kinds: ofWhole });
  if (spans.length === 0) return { verdict: "ok" };
  return {
    verdict: "break",
    kinds: breakKinds.filter((kind) => spans.some((span) => span.kinds.includes(kind))),
    spans,
  };
}

/** A text without anything visible: white space, controls and invisible characters only. 「……」 is an answer. */
export function isBlank(text: string): boolean {
  return /^[\s\p{C}]*$/u.test(stripInvisible(text));
}
