import { toSender } from "../../core/name-with-tag.ts";
import { findWords } from "../../store/search/find-words.ts";
import type { PlacedMessage } from "../../store/queries/transcript.ts";
import { toModelSender } from "../../kernel/agent/model-text.ts";
import { isBinding } from "./is-binding.ts";
import { listNames } from "../../kernel/agent/context/list-names.ts";
import { splitSentences } from "../../kernel/agent/context/split-sentences.ts";

/** The items and sentences that a summary must still hold. */
export interface MustKeep {
  /** Items to keep verbatim: numbers, times, paths, addresses, codes, names, speakers. */
  readonly items: readonly string[];
  /** By their words: decisions, promises, what holds of a person. */
  readonly sentences: readonly string[];
}

const maxItemLength = 200;
/** The share of a sentence's words that must come back. */
const sharedWords = 0.5;
const maxOfSentence = 90;

/** Reads the people's words and hers, all of them. Tool results are kept elsewhere, whole. */
export function listMustKeep(messages: readonly Pick<PlacedMessage, "message">[], inGroup = false): MustKeep {
  const items = new Set<string>();
  const sentences = new Set<string>();
  const names = new Set<string>();
  for (const { message } of messages) {
    if (message.role === "tool") continue;
    if (message.role === "user") names.add(inGroup ? toModelSender(toSender(message)) : message.senderName.trim());
    for (const item of listItems(message.text)) items.add(item);
    for (const sentence of splitSentences(message.text)) if (isBinding(sentence)) sentences.add(sentence);
  }
  // In a talk of two, one of them is Kurisu.
  const said = names.size > 1 ? [...names].filter((name) => name !== "") : [];
  return { items: [...new Set([...said, ...items])], sentences: [...sentences] };
}

/** The items and sentences that a text has lost. */
export function findLost(text: string, { items, sentences }: MustKeep): readonly string[] {
  const whole = simplify(text);
  const numbers = new Set(evenDigits(text).match(/\d+(?:[.:]\d+)*/g) ?? []);
  const words = new Set(findWords(text, Number.POSITIVE_INFINITY));
  return [
    ...items.filter((item) => {
      const wanted = simplify(item);
      // "12" is not in "2012".
      return /^\d+(?:[.:]\d+)*$/.test(wanted) ? !numbers.has(wanted) : !whole.includes(wanted);
    }),
    ...sentences.filter((sentence) => {
      const own = findWords(sentence, maxOfSentence);
      const kept = own.filter((term) => words.has(term)).length;
      return kept < own.length * sharedWords;
    }),
  ];
}

/** Spaces, thousands and the width of letters are a matter of taste. */
function simplify(text: string): string {
  return evenDigits(text).toLowerCase().replaceAll(/\s/g, "");
}

function evenDigits(text: string): string {
  return text.normalize("NFKC").replaceAll(/(?<=\d),(?=\d{3})/g, "");
}

/** Numbers, paths, addresses and codes are what stands between spaces and wide letters and looks like one. */
export function listItems(text: string): readonly string[] {
  const found: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(/[!-~\u00c0-\u024f]+/g)) {
    const item = trimMarks(run).slice(0, maxItemLength);
    const isNumber = /\d/.test(item);
    const isPath = item.length > 2 && /[/\\]|\w\.[a-z]/i.test(item) && /[a-z]{2}/i.test(item);
    const isCode = /^[A-Z][A-Z_-]*[A-Z]$/.test(item) && item.length > 2;
    if (isNumber || isPath || isCode || item.includes("@")) found.push(item);
  }
  for (const [, quoted = ""] of text.matchAll(/[「『“《]([^「『“《」』”》\n]{1,40})[」』”》]/g))
    found.push(quoted.trim());
  for (const [amount] of text.matchAll(/[零〇一二三四五六七八九十百千万两半]{1,12}[点月号日元块岁年斤]/g))
    if (!/^(?:一点|半年|半点|一块|一日)$/.test(amount)) found.push(amount);
  found.push(...listNames(text));
  return found.filter((item) => item !== "");
}

const opening = new Set(`([{<"'\`*_~`);
const closing = new Set(`)]}>"'\`*_~.,;:!?`);

function trimMarks(run: string): string {
  let [from, to] = [0, run.length];
  while (from < to && opening.has(run.charAt(from))) from += 1;
  while (to > from && closing.has(run.charAt(to - 1))) to -= 1;
  return run.slice(from, to);
}
