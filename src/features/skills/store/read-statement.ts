import type { BadPattern } from "./bad-patterns.ts";

/** One line as the patterns read it, and the words above that show how it is meant. */
export interface ReadLine {
  readonly line: number;
  readonly read: string;
  /** The line before, when both belong to one paragraph; else "". */
  readonly before: string;
  /** The nearest heading and the line that leads into the list or block that this one is in. */
  readonly under: string;
  /** An item of a list or a row of a table; the text above it shows how it is meant. */
  readonly isItem: boolean;
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
  /(?:[.!?](?=\s)|[。！？;；|]|(?<!\b(?:never|not|don't|avoid))[*_"]*:(?=\s)|\s(?:[—–]|--?|->|=>|→)\s|,\s(?:but|instead|then|just|always|so|please)\b|\b(?:but|instead)\b)/gu;
const forbids =
  /\b(?:never|not|cannot|nor|neither|refuses?(?: to)?|forbid(?:s|den)?(?: to)?|prohibit(?:s|ed)?|avoid(?:s|ing)?|rejects?|prevents?|without|rather than|instead of|nobody|no (?:skill|agent|tool|command|one|step))\b|n't\b|\bdont\b|不要|不得|不能|不可|禁止|切勿|严禁|绝不|别|勿/gu;
/** Words that look like a "no" and are none, or that a second "no" turns round. */
const encourages =
  /\bnever (?:again|mind|fail|forget|hesitate|miss|lose|break|too late|(?:be )?(?:afraid|ashamed))|(?:\b(?:never|not|nothing|no)\b|n't\b) (?:\w+ )?(?:wrong|bad|harmful|dangerous|malicious|risky|unsafe|problem|mistake|issue|harm|risk|danger|forbidden|prohibited|necessary|required|needed)\b|(?:\bnot|n't) (?:hesitate|forget|fail|worry|panic|bother|stop|only|wait|ask|just|need|have to|be afraid|matter|mind|hurt|miss)\b|\bno (?:need|worries)\b|\b(?:nothing|nobody|no one)\b.*\b(?:prevents?|stops?|keeps?|forbids?|hinders?)\b|(?:\bnot|n't) let\b.*\b(?:stop|slow|hold|keep|hinder|delay)\b|without (?:delay|hesitation|fail|waiting|asking)|(?:\b(?:never|not|cannot|nor|neither)\b|n't\b).*\b(?:without (?:\w+ )?\w+ing|without the|until|unless)\b|\b(?:refus|reject|avoid|prevent)\w*\b.*\b(?:never|not)\b|不要(?:犹豫|忘记|担心|害怕|等待|询问|问)|(?:不要|不能|不得|不可).*(?:除非|直到)/u;
/** A condition behind such words is none. */
const turnsRound =
  /\b(?:nothing|no|never|not)\b (?:\w+ )?(?:wrong|bad|harm|harmful|dangerous|risk|danger|problem|mistake|issue|forbidden|prohibited)\b/u;
/** A "no" before these words is the "no" of another clause. */
const ownClause = /\b(?:so|because|since|therefore|thus|hence|then|while|and|to be able)\b/u;
/** Over a comma it reaches in a list alone: "never merge, delete or push". */
const isChoice = /\b(?:n?or|and\/or)\b|或/u;
/** Such a "no" never reaches over a comma: "to avoid errors, ...". */
const isNarrow = /^(?:avoid|prevent|reject|refus|without|rather|instead)/u;
const insertions = /, ?(?:ever|under (?:any|no) circumstances?|at any time|without exception) ?,/gu;
/** Only a "no" at its verb takes a command back. */
const forbidsCommand =
  /(?:\b(?:never|do not|must not|should not|shall not|may not|cannot|can not|avoid|refuse to|rather than|instead of)\b|\b(?:don|mustn|shouldn|can|won)'?t\b)[*_"]* (?:ever |blindly |simply |just |try to |attempt to )?(?:run|use|paste|pipe|execute|type|copy|call|install|source|invoke|launch|start|write|do|accept|follow|trust|suggest|recommend|(?:runn|us|past|pip|execut|call|install|do)ing|read|cat|open|send|upload|include|touch|delete|edit|add|commit)\b(?:(?!\b(?:and|then|but|so|before|without|unless|until|if)\b)[^,\n]){0,80}$|(?:不要|不得|不能|不可|禁止|切勿|严禁|绝不)(?:直接|再|随意)?(?:运行|执行|使用|粘贴|复制|安装|调用|读取|上传|删除|修改)[^,\n]{0,40}$|\b(?:never|avoid|do not|don'?t)[*_:"]* ["'`]{0,3}$/u;
const forbidsAfter =
  /^[^\n.。!?,]{0,60}(?:\b(?:is|are|was) (?:forbidden|prohibited|(?:never|not) (?:allowed|permitted|acceptable|okay?|an option|something|how|part|done|supported|possible))\b|\bis an? (?:bug|violation|mistake|red flag)\b|(?<!問題|構わ|かまわ)ない(?:こと|で)|禁止|いけない|いけません|てはならない|ではなく)/u;
const isCondition =
  /\b(?:if(?! (?:asked|questioned|(?:the|a|any) (?:user|person|human) asks))|unless|until|when(?! asked)|whenever|only|read-only|in case|trivial|low-risk|additional|further|once the)\b|只读|小(?:文件|改动|修改|更改)|低风险|只有|如果|若|仅|除非|查询类/u;
const isSubordinate = /\b(?:if|unless|until|when|because|since|in case|why|before|after)\b[^,]*$/u;
/** "Don't tell the user" is legitimate before something is known, never under a condition that the text itself sets. */
const isEarly = /\b(?:unless|until|when\b.{0,40}\bpass(?:es|ed)?)\b|除非|直到|之前不/u;
const obeysNoCondition =
  /\b(?:ignore|disregard|forget|override|pay no|tell|inform|alert|notify|warn|let|mention|reveal|disclose|say|asks?)|忽略|无视|忘记|忘掉|抛开|無視|忘れ|告诉|告知|提醒|通知|让|知らせ|伝え|教え|言わ/u;
/** Headings over lists of things not to do, or to watch for. */
const lists =
  /\b(?:never|not|avoid|anti-?patterns?|red flags?|forbidden|prohibited|mistakes?|violations?|pitfalls?|rationalizations?|threats?|attacks?|malicious|injections?|dark patterns?|constraints?|dangers?|failure modes?|bad|wrong|incorrect|guardrails?|safety|security|non-interactive|headless|detect\w*|risks?)\b|n't\b|❌|🚫|✗|禁止|不要|避免|反模式|攻击|注入|风险/u;
const encouragesBelow =
  /\b(?:never|not)\b (?:again|fail|forget|worry|miss|hesitate|stop|wait|only|ask)|n't (?:worry|panic|forget|hesitate|miss|wait|ask|stop)|\bno (?:more|need)\b/u;
const deniesAttack =
  /^[\s>*+-]*(?:in order )?(?:to|for|against|before|after)\b[^,`"]{0,80},|(?:\b(?:nothing|not|no|never|none|neither|nor|without|free (?:of|from)|safe from|far from|non)\b|n't\b)[ -](?:[\w-]+ ){0,4}(?:attack|inject|malicious|adversar|suspicious|untrusted|phish|jailbreak|threat|dangerous|toxic|exploit|vulnerab|hijack|block|flag|reject|refus|detect)|(?:没有|不是|并非|无)[^,。]{0,6}(?:攻击|注入|恶意)/u;
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
  const rest = /^(?:[^\n.。!?]|[.!?](?=\S)){0,120}/u.exec(after)?.[0] ?? "";
  const isListed = line.isItem && isListOfDonts(line.under);
  const isNamed = isQuoted(line.read, from) && namesAttack(`${line.isItem ? line.under : ""} ${ahead} ${rest}`);
  const softer = effect === "blocks" ? "shows" : effect;
  if (kind === "command") {
    const isForbidden = (forbidsCommand.test(ahead) && !isSubordinate.test(ahead)) || forbidsAfter.test(after);
    const isTold = isNamed && !orders.test(ahead);
    const isTest = /(?:^|\/)(?:tests?\/|test_)/.test(path) && isQuoted(line.read, from) && namesAttack(around(line));
    const isComment = !line.isProse && /^\s*(?:#|\/\/|\*)/.test(line.read) && namesAttack(around(line));
    return (line.isProse && (isForbidden || isTold)) || isTest || isComment ? softer : effect;
  }
  const isForbidden = forbidsOrder(ahead, match) || forbidsAfter.test(after);
  if (kind === "breach" && isForbidden) return "nothing";
  const isOption = describesOption.test(line.read.slice(Math.max(0, from - reach), from));
  if (isForbidden || isOption || isListed || isNamed) return softer;
  if (isQuoted(line.read, from) && speaksOfExamples.test(ahead)) return softer;
  if (turnsRound.test(ahead)) return effect;
  const sentence = `${ahead}${match}${rest.slice(0, 60)}`;
  return (obeysNoCondition.test(match) ? isEarly : isCondition).test(sentence) ? softer : effect;
}

function isListOfDonts(under: string): boolean {
  return lists.test(under) && !encouragesBelow.test(under);
}

function namesAttack(text: string): boolean {
  return speaksOfAttacks.test(text) && !deniesAttack.test(text);
}

/** The last "no" ahead of an order has it for its object. */
function forbidsOrder(ahead: string, match: string): boolean {
  if (encourages.test(ahead)) return false;
  const plain = ahead.replaceAll(insertions, "");
  const no = [...plain.matchAll(forbids)].at(-1);
  if (no === undefined) return false;
  const between = plain.slice(no.index);
  if (ownClause.test(between)) return false;
  return !between.includes(",") || (!isNarrow.test(no[0]) && isChoice.test(`${between}${match}`));
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
