import { readCorrection } from "../../language/facts/read-correction.ts";
import { readPlainFacts } from "../../language/facts/read-plain-facts.ts";
import { readRequest } from "./read-request.ts";
import type { Request } from "./read-request.ts";
import { applyRule, say } from "./rule.ts";
import type { Clause, Rule, Wish } from "./rule.ts";
import { calculationRules } from "./rules/calculation.ts";
import { clockRules } from "./rules/clock.ts";
import { fileRules } from "./rules/files.ts";
import { readNamedTools } from "./rules/named-tools.ts";
import { chatLogRules } from "./rules/chat-log.ts";
import { memoryRules } from "./rules/memory.ts";
import { dateOf, recallAnything } from "./rules/recall.ts";
import { missedRules } from "./rules/missed.ts";
import { reminderRules } from "./rules/reminders.ts";
import { shellRules } from "./rules/shell.ts";
import { findTopic, missingRules } from "./rules/talk.ts";
import { todoRules } from "./rules/todo.ts";
import { webRules } from "./rules/web.ts";
import { writingRules } from "./rules/writing.ts";

/** The narrow ones first: in each clause the first that fits is followed. */
const rules: readonly Rule[] = [
  ...reminderRules,
  ...chatLogRules,
  ...missedRules,
  ...memoryRules,
  ...missingRules,
  dateOf,
  ...clockRules,
  ...calculationRules,
  ...writingRules,
  ...shellRules,
  ...fileRules,
  ...todoRules,
  ...webRules,
  recallAnything,
];

/** Every rule is held against each of them and what follows it. */
const maxClauses = 20;
const clauseEnd =
  /[，。；！？、\n,;!?]|\.(?=\s|$)|(?:然后|接着|之后再|\band then\b|\bthen\b|\band(?=\s(?:what time|what(?:'s|s| is) the time|tell me (?:the time|what time)))|\bbut\b|\bso\b|それから|その後)/g;
const link =
  /(?:^|[，。；、,;\s])(?:再|并|然后|接着|之后再|and then|then|それから|その後|次に|and)$|^\s*(?:再|并且?|and\s|then\s)/;

/** 「小明: 运行 whoami」 is how another person is quoted in a group. */
const speaker =
  /^(?!运行|执行|実行|run|搜|查|算|记|待办|任务|todo|task|calc|记住|记得|覚え|remember|note)\S{1,12}[:：][^\S\n]/;
const courtesy =
  /^(?:[\s"@：:]+|@\S+\s|请|麻烦|劳驾|拜托|帮我|帮忙|帮|给我(?!看)|能不能|可不可以|可以|能(?=帮|给)|你能|你|我想(?:要|让|知道)*|我要|哎+|呃+|嗯+|喂|那个|那(?=[，\s])|红莉栖|牧濑|kurisu|再|然后|接着|顺便|快|赶紧|先(?!别|不|週|周|月|日|生|輩)|现在(?=读|打开|运行)|去|来(?=[读看])|替我|(?:hey|hi|hello|ok|okay|so|yo|well|um|uh|please|pls|plz|kindly|just|now|then|and|also|maybe|like|quickly|actually|can|could|would|will|you|u|let's|help me|go ahead and|try to|i was wondering|i (?:want|need|would like)(?: you)? to|i'd like(?: you)? to|i wanna|check(?= how))(?![\w']))\s*/;

/** 要不要, 能不能 and 特别 forbid nothing. */
const forbids =
  /(?<!要)不要(?!了)|不用|不必|不许|不准|(?<!能)不能(?!$)|先不|(?<![特分区个级类识辨离告])别(?!的|处|人|忘)|勿|禁止|没必要|\b(?:don[’']?t|do not|never|no need|without|not)\b|ないで(?!す)|なくて|な(?:く|い)ていい|するな|禁止/;
const asksOrTells =
  /怎么(?!这么|那么)|怎样|如何|为什么|为啥|如果|要是|假如|万一|谁|会发生|会怎|有人|以前|曾经|[我你他她它们人](?:昨天|前天|刚才|刚刚|已经|之前|早就|上次|自己)(?!.{0,8}的)|\bif\b(?! (?:you|u) (?:can|could|don)| possible)|\bhow (?:do|can|would|to|should|does)\b|\bwhy\b|what (?:would|will|happens)|\bshould i\b|\b(?:did|have|has) (?:you|i|he|she)\b|もし|たら(?:どう|何)|どう(?:すれば|やって|したら|なる)|なぜ|どうして|方法/;
const yesOrNo = /(?:吗|没|没有)[?？。\s]*$/;
const asksNicely = /能|可以|可不可以|好吗|行吗|帮/;

/** Every wish of a message, in its order: the first, and those that are said to come after it. */
export function findWishes(written: string): readonly Wish[] {
  const named = readNamedTools(written);
  if (named !== undefined) return [named];
  const request = readRequest(written);
  const wishes: Wish[] = [];
  let first: Rule["kind"] | undefined;
  for (const clause of splitClauses(request)) {
    const isLinked = link.test(request.text.slice(0, clause.start)) || link.test(clause.whole);
    if (wishes.length > 0 && !isLinked && first !== "look") continue;
    const allowed = whatIsAllowed(request, clause.whole);
    const candidates = rules.filter(
      ({ kind }) => kind === "ask" || allowed === "all" || (allowed === "looking" && kind === "look"),
    );
    for (const candidate of candidates) {
      const wish = applyRule(candidate, clause);
      if (wish === undefined) continue;
      // When several orders cannot be told apart, none is followed.
      if (wish.kind === "say" && wish.key === "oneAtATime") return [wish];
      // 「看看里面有什么，运行 ls」 names two things; what only looks is not looked at twice.
      if (wishes.length === 0 || isLinked || candidate.kind === "act") wishes.push(wish);
      first ??= candidate.kind;
      break;
    }
  }
  return wishes;
}

/** The kind of talk when there is nothing to do; `earlier` = what the person said just before, the newest first. */
export function describeTalk(written: string, earlier: readonly string[] = []): Wish {
  const told = () => earlier.flatMap(readPlainFacts).map((one) => ({ ...one, value: one.value ?? null }));
  const fact = readPlainFacts(written)[0] ?? readCorrection(written, told())?.fact;
  return fact === undefined ? findTopic(readRequest(written).text) : say("factHeard", { text: fact.content });
}

interface WholeClause extends Clause {
  readonly whole: string;
  /** Where it begins in the request, courtesies included. */
  readonly start: number;
}

function splitClauses(request: Request): readonly WholeClause[] {
  const { text } = request;
  const ends = [...text.matchAll(clauseEnd)].map((match) => ({
    end: match.index,
    next: match.index + match[0].length,
  }));
  const starts = [0, ...ends.map(({ next }) => next)];
  const clauses = starts.flatMap((start, index) => {
    const end = ends[index]?.end ?? text.length;
    if (text.slice(start, end).trim() === "") return [];
    let at = start + (speaker.exec(text.slice(start, start + 14))?.[0].length ?? 0) * (start === 0 ? 1 : 0);
    for (let word; at < end && (word = courtesy.exec(text.slice(at, at + 40))?.[0]);) at += word.length;
    return [{ start, at, text: text.slice(at), length: Math.max(1, end - at), request, whole: text.slice(start, end) }];
  });
  return clauses.slice(0, maxClauses);
}

function whatIsAllowed(request: Request, whole: string): "all" | "looking" | "asking" {
  if (forbids.test(whole)) return "asking";
  // A condition holds for what comes after it, too.
  if (/如果|要是|假如|\bif\b(?! (?:you|u) (?:can|could|don)| possible)|もし/.test(request.text)) return "asking";
  if (asksOrTells.test(whole) || (yesOrNo.test(whole) && !asksNicely.test(whole))) return "looking";
  return "all";
}
