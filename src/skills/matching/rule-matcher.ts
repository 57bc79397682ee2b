import { asideKinds, findAsides, type AsideKind } from "./cut-asides.ts";
import { expandPattern } from "./expand-pattern.ts";
import { findNeededTexts } from "./find-needed-texts.ts";
import { normalizeUtterance } from "./normalize-utterance.ts";
import { createTextIndex } from "./text-index.ts";
import type { Trigger } from "./trigger-schema.ts";
import { writePair } from "./write-pair.ts";

/**
 * Which skills an utterance calls for, by rules alone: keywords, patterns and exclusions of the skills' own files. Best
 * first; a tie goes by id. Everything is compiled once; an utterance only tries the patterns that could match it.
 */
export type RuleMatcher = (utterance: string) => SkillMatch[];

/** The part of a skill that the rules look at. */
export interface MatchedSkill {
  readonly id: string;
  readonly type: "knowledge" | "tool" | "hybrid";
  readonly effects: boolean;
  readonly trigger: Trigger;
}

/** A skill that could help with an utterance. */
interface SkillMatch {
  readonly skill: MatchedSkill;
  /** Higher is surer; only the order means anything. */
  readonly score: number;
  /** What was found: keywords and intents. */
  readonly reasons: readonly string[];
}

/** A word or a pattern of one skill. */
type Cue =
  | { readonly kind: "keyword" | "topic" | "hint"; readonly skill: MatchedSkill; readonly word: string }
  | {
      readonly kind: "intent";
      readonly skill: MatchedSkill;
      readonly name: string;
      readonly asked: boolean;
      readonly pattern: RegExp;
    };

interface FoundMatch {
  readonly match: SkillMatch;
  readonly cues: readonly Cue[];
  /** What the skill reads of the utterance. */
  readonly text: string;
}

export function createRuleMatcher(skills: readonly MatchedSkill[]): RuleMatcher {
  const cues = skills.flatMap(listCues);
  const indexed: (readonly [string, Cue])[] = [];
  const always: Cue[] = [];
  for (const cue of cues) {
    const needed = cue.kind === "intent" ? findNeededTexts(cue.pattern.source) : new Set([cue.word]);
    if (needed === undefined) always.push(cue);
    else for (const text of needed) indexed.push([text, cue]);
  }
  const index = createTextIndex(indexed);
  const exclusions = new Map<MatchedSkill, readonly RegExp[]>();

  /** An excluded part leaves a gap that no pattern reaches across; the rest of the utterance still counts. */
  function exclude(skill: MatchedSkill, text: string): string {
    const patterns = exclusions.get(skill) ?? skill.trigger.exclusions.flatMap((one) => compile(skill, one));
    exclusions.set(skill, patterns);
    return patterns.reduce((left, pattern) => left.replace(pattern, "\n"), text);
  }

  /** Of the steps in which a skill is found that outranks this one, nothing counts: a file of a commit is no file to open. */
  function isFree({ match: { skill }, cues, text }: FoundMatch, found: readonly FoundMatch[]): boolean {
    const above = found.filter((other) => other.match.skill.trigger.outranks.includes(skill.id));
    if (above.length === 0) return true;
    const free = splitSteps(text)
      .filter((step) => !above.some((other) => other.cues.some((cue) => holds(step, cue))))
      .map((step) => exclude(skill, step));
    return (
      score(
        skill,
        cues.filter((cue) => free.some((step) => holds(step, cue))),
      ).score > 0
    );
  }

  return (utterance) => {
    const asides = findAsides(cutQuoted(shorten(normalizeUtterance(shorten(utterance)))));
    const sure = matchIn(asides.cut, asides.isAsked ? isSure : isSureUnasked);
    if (sure.length > 0 || !asides.isAsked) return sure;
    const topics = matchIn(asides.cut, isTopic);
    if (topics.length > 0 || !asides.cutLess) return topics;
    const background = matchIn(asides.cutLess, isSure);
    return background.length > 0 ? background : matchIn(asides.cutLess, isTopic);
  };

  function matchIn(cut: (read: readonly AsideKind[]) => string, counts: (cue: Cue) => boolean): SkillMatch[] {
    const texts = new Map<string, string>();
    const readFor = ({ trigger, type }: MatchedSkill): string => {
      // What only knows something may be called for by whoever mentions it.
      const read = type === "knowledge" ? asideKinds : trigger.asides;
      const key = read.join();
      const text = texts.get(key) ?? addSqueezed(cut(read));
      texts.set(key, text);
      return text;
    };
    const tried = new Map<MatchedSkill, Cue[]>();
    for (const cue of [...index.find(addSqueezed(cut(asideKinds))), ...always]) {
      if (!counts(cue)) continue;
      const known = tried.get(cue.skill);
      if (known) known.push(cue);
      else tried.set(cue.skill, [cue]);
    }
    const found: FoundMatch[] = [];
    for (const [skill, candidates] of tried) {
      const text = readFor(skill);
      if (!candidates.some((cue) => holds(text, cue))) continue;
      const rest = exclude(skill, text);
      const cues = candidates.filter((cue) => holds(rest, cue));
      const match = score(skill, cues);
      if (match.score > 0) found.push({ match, cues, text });
    }
    return found
      .filter((one) => isFree(one, found))
      .map(({ match }) => match)
      .sort((a, b) => b.score - a.score || (a.skill.id < b.skill.id ? -1 : 1));
  }
}

const isSure = ({ kind }: Cue): boolean => kind !== "topic";
const isSureUnasked = (cue: Cue): boolean => isSure(cue) && !(cue.kind === "intent" && cue.asked);
const isTopic = ({ kind }: Cue): boolean => kind === "topic";

function listCues(skill: MatchedSkill): Cue[] {
  const { keywords, topics, hints, intents } = skill.trigger;
  const words = (kind: "keyword" | "topic" | "hint", list: readonly string[]): Cue[] =>
    list.map((word) => ({ kind, skill, word: normalizeUtterance(word) }));
  const patterns = intents.flatMap((intent): Cue[] =>
    typeof intent === "string"
      ? []
      : [...intent.patterns, ...intent.pairs.flatMap((pair) => writePair(pair, skill.trigger.words) ?? [])].flatMap(
          (source) =>
            compile(skill, source).map((pattern) => ({
              kind: "intent" as const,
              skill,
              name: intent.name,
              asked: intent.asked,
              pattern,
            })),
        ),
  );
  return [...words("keyword", keywords), ...words("topic", topics), ...words("hint", hints), ...patterns];
}

function compile(skill: MatchedSkill, source: string): RegExp[] {
  const pattern = expandPattern(source, skill.trigger.words);
  return pattern ? [pattern] : [];
}

function holds(text: string, cue: Cue): boolean {
  if (cue.kind !== "intent") return containsWord(text, cue.word);
  cue.pattern.lastIndex = 0;
  return cue.pattern.test(text);
}

/** A keyword or a topic counts one, an intent two. Hints count in pairs, and never for a skill whose tools have effects. */
function score(skill: MatchedSkill, cues: readonly Cue[]): SkillMatch {
  const words = new Set(cues.flatMap((cue) => (cue.kind === "keyword" || cue.kind === "topic" ? [cue.word] : [])));
  const hints = new Set(cues.flatMap((cue) => (cue.kind === "hint" ? [cue.word] : [])));
  const intents = new Set(cues.flatMap((cue) => (cue.kind === "intent" ? [cue.name] : [])));
  const hinted = !skill.effects && hints.size > 1 ? [...hints] : [];
  const sum = words.size + 2 * intents.size + (hinted.length > 0 ? 1 : 0);
  return { skill, score: sum, reasons: [...words, ...intents, ...hinted] };
}

/** What somebody wants stands at the beginning or the end; patterns over a pasted megabyte would stop everybody's chats. */
const kept = { first: 2000, last: 1000 } as const;

function shorten(text: string): string {
  return text.length <= kept.first + kept.last ? text : `${text.slice(0, kept.first)}\n${text.slice(-kept.last)}`;
}

/** Some write a space between Chinese and Latin and some do not: both are looked at, as two lines. */
function addSqueezed(text: string): string {
  const squeezed = text.replaceAll(
    /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) | (?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu,
    "",
  );
  return squeezed === text ? text : `${text}\n${squeezed}`;
}

/** Latin words must stand alone, so that 「date」 is not found in 「update」; Chinese and Japanese know no gaps. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    const startsFree = !/^[a-z0-9]/.test(word) || !/[a-z0-9_]/.test(before);
    const endsFree = !/[a-z0-9]$/.test(word) || !/[a-z0-9_]/.test(after);
    if (startsFree && endsFree) return true;
  }
  return false;
}

const translation =
  /翻译|译[成为]|翻成|怎么[说讲念读]|(?:英文|英语|日语|日文|法语|粤语|中文)(?:是|叫|里)|这个(?:词|字|成语|单词)|訳[しすせ]|翻訳|\btranslat(?:e|ion)\b|\bhow (?:do|would) (?:you|i|we) say\b|\bhow to say\b|\bproofread\b|润色/u;
const quotedText = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’|《[^》\n]*》/gu;
const afterColon =
  /((?:翻译|译[成为]|翻成|翻訳|訳[しすせ]|\btranslat(?:e|ion)\b|\bproofread\b|润色)[^:\n]{0,40}):(?!\/\/)[\s\S]*$/u;

const title = /《[^》\n]*》/gu;

/** What somebody wants translated is no request, whatever it says, and neither is a title. The text is normalised; each piece leaves a gap. */
function cutQuoted(text: string): string {
  const untitled = text.replaceAll(title, "《》");
  return translation.test(text) ? untitled.replace(afterColon, "$1\n").replaceAll(quotedText, "\n") : untitled;
}

/** Where one thing asked for ends and the next begins: a clause, 「然后」, "and", 「存到」, 「…して」. */
const between =
  /[,。!?;~…\n]+|(?=然后|之后|接着|再(?:把|帮|给|去|来)|并且?(?!到|发|排)|顺便|同时|存[到进成]|写[到进入]|导出?[到成]|保存[到成])|\b(?:and|then)\b|(?<=[てで])(?=[\p{Script=Han}a-z])/u;

/** 「你查查」: says to do something about what was said before. */
const referring =
  /^(?:你|帮我?|给我|快|赶紧|去|来|麻烦|请|再|先)*[查看搜找瞅瞧解修搞弄理排]+(?:一?[下眼]|个|点|决)?[吧呗啊看]?$/u;

/** What a normalised message asks for, one thing after the other. */
function splitSteps(text: string): readonly string[] {
  const steps: string[] = [];
  for (const part of text.split(between)) {
    if (referring.test(part) && steps.length > 0) steps.push(`${steps.pop() ?? ""} ${part}`);
    else if (part !== "") steps.push(part);
  }
  return steps;
}
