import { z } from "zod";
import { factCategories, type PlainFact } from "../../../language/facts/plain-fact.ts";
import { memoryLimits } from "../people/remember.ts";
import { findWords } from "../../../store/search/find-words.ts";
import { parseStrictJson } from "../../../models/parse-strict-json.ts";
import { foldText } from "../../../store/search/fold-text.ts";
import type { FactSource } from "../queries/fact-sources.ts";

interface ExtractedFact extends PlainFact {
  readonly source: FactSource;
}

/** Why a fact of a model was not kept. */
type DroppedFact = "form" | "message" | "foreign" | "order" | "many";

export interface ReadFacts {
  readonly facts: readonly ExtractedFact[];
  readonly dropped: Readonly<Partial<Record<DroppedFact, number>>>;
}

export const maxFacts = 12;
const maxContentLength = 200;

/**
 * The keys that a model may use: a person has several values of each, so a model's answer alone replaces none. Facts
 * with a single value are found by the rules for sentences.
 */
export const factKeys = ["likes", "dislikes", "allergy", "pet", "hobby", "language", "skill"] as const;

const factForm = z.strictObject({
  message: z.int().positive(),
  category: z.enum(factCategories),
  content: z.string().trim().min(1).max(maxContentLength),
  key: z.string().max(memoryLimits.key).nullish(),
  value: z.string().trim().max(memoryLimits.value).nullish(),
});

/** Keeps the facts of a model's answer that the message they cite supports, and counts the others. */
export function readExtracted(answer: string, batch: readonly FactSource[]): ReadFacts {
  const dropped: Partial<Record<DroppedFact, number>> = {};
  const drop = (why: DroppedFact): void => void (dropped[why] = (dropped[why] ?? 0) + 1);
  const facts: ExtractedFact[] = [];
  for (const given of listGiven(answer)) {
    const read = factForm.safeParse(given);
    if (!read.success) {
      drop("form");
      continue;
    }
    const { category, content, key, message, value } = read.data;
    const source = batch[message - 1];
    const what = value ?? "";
    if (source === undefined) drop("message");
    else if (ordersOrClaims.test(foldText(`${content}\n${what}`))) drop("order");
    else if (!standsIn(content, source.text) || (what !== "" && !standsIn(what, source.text))) drop("foreign");
    else if (facts.length >= maxFacts) drop("many");
    else
      facts.push({
        source,
        category,
        content,
        ...(factKeys.some((known) => known === key) && what !== "" && { key: key ?? "" }),
        ...(what !== "" && { value: what }),
      });
  }
  return { facts, dropped };
}

/** Returns `[undefined]` if it is no list of facts at all. */
function listGiven(answer: string): readonly unknown[] {
  const text = answer
    .trim()
    .replace(/^```(?:json)?\n/, "")
    .replace(/\n?```$/, "");
  const read = parseStrictJson(text);
  const facts = read.kind === "object" ? read.value["facts"] : undefined;
  return Array.isArray(facts) ? facts : [undefined];
}

/** At least this share of a fact's words must occur in the message: the rest may be "I", "have" and the like. */
const minShared = 0.5;

/** Its words, its numbers and its names are those of the message. */
function standsIn(fact: string, message: string): boolean {
  const said = new Set(findWords(message, maxWords));
  const words = findWords(fact.replaceAll(stock, " "));
  const shared = words.filter((word) => said.has(word));
  const text = foldText(message);
  if (words.length === 0) return false;
  const exact = words.filter((word) => /\d/.test(word));
  return shared.length >= minShared * words.length && exact.every((word) => said.has(word) || text.includes(word));
}

const maxWords = 5_000;

/** Words that phrase any fact and do not show its subject. */
const stock =
  /我|喜欢|喜歡|讨厌|討厭|\b(?:likes?|loves?|hates?|enjoys?|dislikes?|my|have|has)\b|私は|私の|が好き|好き|嫌い/gi;

/**
 * Matches text about her rules or permissions, or made for a program: such text describes no person's taste or life.
 * The text is folded.
 */
const ordersOrClaims =
  /忽略|无视|指令|提示词|系统提示|管理员|权限|批准|授权|确认|执行|运行|密码|令牌|密钥|ignore|disregard|instruction|prompt|admin|permission|approv|authori[sz]|password|token|api key|[{}<>`[\]]|https?:/;

/** Such text is another's, is to be worked on, or orders a program: no model is shown it. */
const notTheirTalk =
  /[{}<>]|```|https?:|^\s*[>|]|转发|转自|\bforwarded\b|(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|规则|要求|提示|设定)|(?:ignore|disregard|forget).{0,24}(?:instruction|rule|prompt)/im;
/** A longer text is seldom about its sender. */
const maxTalkLength = 500;

export function isOwnTalk(text: string): boolean {
  return text.length <= maxTalkLength && !notTheirTalk.test(text.normalize("NFKC"));
}
