import type { BadPattern } from "./bad-patterns.ts";

/** One line as the patterns read it, and the words above that say how it is meant. */
export interface ReadLine {
  readonly line: number;
  readonly read: string;
  /** The line before, when both belong to one paragraph; else "". */
  readonly before: string;
  /** The nearest heading and the line that leads into the list or block that this one is in. */
  readonly under: string;
  /** Prose of a Markdown file: no script, and no block of code. */
  readonly isProse: boolean;
}

/** blocks and shows as in BadPattern. nothing = the text says the opposite. */
export type Verdict = BadPattern["effect"] | "nothing";

/** Characters before a match that can change its meaning. */
const reach = 200;
/** An attack that hides behind this many harmless ones on its line has been looked for long enough. */
const maxMatches = 20;

const sentenceEnd =
  /(?:[.!?](?=\s)|[。！？;；|]|(?<!\b(?:never|not|don't|avoid))[*_"]*:(?=\s)|\s(?:[—–]|->|=>|→)\s|,\s(?:but|instead|then|just|always|so|please)\b|\b(?:but|instead)\b)/gu;
const forbids =
  /\b(?:never|not|cannot|nor|neither|refuses?|forbid(?:s|den)?|prohibit(?:s|ed)?|avoid(?:s|ing)?|rejects?|prevents?|without|rather than|instead of|no (?:skill|agent|tool|command|one|step))\b|n't\b|\bdont\b|不要|不得|不能|不可|禁止|切勿|严禁|绝不|别|勿/u;
/** Words that look like a "no" and are none. */
const encourages =
  /\bnever (?:mind|fail|forget|hesitate)|\b(?:not|n't) (?:hesitate|forget|fail|worry|bother|only|wait|ask|just|need|have to|be afraid)\b|\bno (?:problem|need|worries)\b|without (?:delay|hesitation|fail|waiting|asking)|不要(?:犹豫|忘记|担心|等待|询问|问)/u;
const forbidsAfter =
  /^[^\n.。!?]{0,60}(?:\b(?:is|are|was) (?:never|not|forbidden|prohibited)\b|\bis an? (?:bug|violation|mistake|red flag)\b|ない(?:こと|で)|禁止|いけない|いけません|てはならない|ではなく)/u;
const isCondition =
  /\b(?:if(?! (?:asked|questioned|(?:the|a|any) (?:user|person|human) asks))|unless|until|when(?! asked)|whenever|only|read-only|in case|trivial|low-risk|additional|further|once the)\b|只读|只有|如果|若|仅|除非|查询类/u;
/** What stands under such words are things not to do, or things to watch for. */
const lists =
  /\b(?:never|not|avoid|anti-?patterns?|red flags?|forbidden|prohibited|mistakes?|violations?|pitfalls?|rationalizations?|threats?|attacks?|malicious|injections?|dark patterns?|constraints?|dangers?|failure modes?|bad|wrong|incorrect|guardrails?|safety|security|non-interactive|headless|detect\w*|risks?)\b|n't\b|❌|🚫|✗|禁止|不要|避免|反模式|攻击|注入|风险/u;
const speaksOfAttacks =
  /\b(?:attack(?:s|er|ers)?|inject\w*|malicious|adversar\w*|suspicious|untrusted|phish\w*|jailbreak\w*|detect\w*|flag(?:s|ged)?|watch for|look for|refus\w*|reject\w*|scan\w*|sanitiz\w*|vulnerab\w*|hijack\w*|threats?|dangerous|block(?:s|ed)?|not_rejected|toxic|exploit\w*)\b|攻击|注入|检测|警惕|恶意|攻撃|悪意/u;
const speaksOfExamples = /\b(?:such as|e\.?g\.?|for example|like|says?|claims?|phrases?|patterns?)\b|例如|比如|例えば/u;
const orders = /\b(?:run|execute|paste|install|type|use|source|start|launch|运行|执行)\b[^\n`"]{0,20}[`"]$/u;

/** The worst that a pattern finds on the line. */
export function judgeLine(line: ReadLine, bad: BadPattern, path: string): Verdict {
  bad.pattern.lastIndex = 0;
  let worst: Verdict = "nothing";
  for (let tries = 0; tries < maxMatches; tries += 1) {
    const match = bad.pattern.exec(line.read);
    if (match === null) return worst;
    const verdict = judgeMatch(line, bad, { from: match.index, to: match.index + match[0].length }, path);
    if (verdict === bad.effect) return verdict;
    if (verdict === "shows") worst = verdict;
    bad.pattern.lastIndex = match.index + 1;
  }
  return bad.effect;
}

/** The meaning of an option of some program: "`--yes`: skip the confirmation". */
const describesOption =
  /(?:^|[\s`|/(])--?[a-z][\w-]{0,40}`?(?:\s*[|:—–,-]|\s+to)?(?:\s*flag\s*\|)?\s*(?:would |will )?$/u;

interface Place {
  readonly from: number;
  readonly to: number;
}

function judgeMatch(line: ReadLine, { kind, effect }: BadPattern, { from, to }: Place, path: string): Verdict {
  const ahead = cutSentence(line.read.slice(Math.max(0, from - reach), from), line.before);
  const match = line.read.slice(from, to);
  const after = line.read.slice(to, to + reach);
  const isForbidden = (forbids.test(ahead) && !encourages.test(ahead)) || forbidsAfter.test(after);
  const isOption = describesOption.test(line.read.slice(Math.max(0, from - reach), from));
  const softer = effect === "blocks" ? "shows" : effect;
  if (kind === "command") {
    const isNamed = isQuoted(line.read, from) && speaksOfAttacks.test(around(line)) && !orders.test(ahead);
    const isTest = /(?:^|\/)(?:tests?\/|test_)/.test(path) && isNamed;
    const isComment = /^\s*(?:#|\/\/|\*)/.test(line.read) && speaksOfAttacks.test(around(line));
    return (line.isProse && (isForbidden || isNamed)) || isTest || isComment ? softer : effect;
  }
  if (kind === "breach" && (isForbidden || (line.isProse && lists.test(line.under)))) return "nothing";
  if (isForbidden || isOption || lists.test(line.under)) return softer;
  if (isQuoted(line.read, from) && (speaksOfAttacks.test(around(line)) || speaksOfExamples.test(ahead))) return softer;
  const rest = /^[^\n.。!?]{0,60}/u.exec(after)?.[0] ?? "";
  return isCondition.test(`${ahead}${match}${rest}`) ? softer : effect;
}

function around({ before, read, under }: ReadLine): string {
  return `${under} ${before} ${read.slice(0, 2000)}`;
}

/** The part of the sentence that is ahead of a place; one that began on the line before is read from there. */
function cutSentence(ahead: string, lineBefore: string): string {
  const own = afterLastEnd(ahead);
  return own === ahead && ahead.length < reach ? `${afterLastEnd(lineBefore.slice(-reach))} ${own}` : own;
}

function afterLastEnd(text: string): string {
  let end = 0;
  for (const match of text.matchAll(sentenceEnd)) end = match.index + match[0].length;
  return text.slice(end);
}

/** Between two of the same marks, or between marks that open and close. */
function isQuoted(text: string, at: number): boolean {
  const ahead = text.slice(0, at);
  const isOpen = (mark: string) => ahead.split(mark).length % 2 === 0;
  return (
    isOpen("`") ||
    isOpen('"') ||
    (isOpen("'") && /[\s(,[=]'[^']*$/.test(ahead.slice(-reach))) ||
    ahead.lastIndexOf("“") > ahead.lastIndexOf("”") ||
    ahead.lastIndexOf("「") > ahead.lastIndexOf("」")
  );
}
