import { setImmediate } from "node:timers/promises";
import { foldText } from "../../store/search/fold-text.ts";
import { fillingWords, looseBeginnings, looseEnds, pronouns, verbs } from "./topic-words.ts";

/** `count` = messages that name it. */
export interface Topic {
  readonly name: string;
  readonly count: number;
}

/** A piece of a message: a word, or several that belong together. `key` is compared, `text` is shown. */
interface Word {
  readonly key: string;
  readonly text: string;
  /** It follows the word before directly. */
  readonly joined: boolean;
}

/** A message is judged by its beginning; the words of one that is longer are in its other sentences, too. */
const readOfMessage = 400;
/** After this many messages the event loop gets a turn. */
const batch = 200;
/** A pair of neighbours that occurs at least this often, and mostly together, is one word: 红莉栖, 国庆节. */
const minTogether = 3;
const shareOfRarer = 0.6;
const shareOfCommoner = 0.15;
const maxTopicLength = 12;

/**
 * The words that messages are about, the most frequent first, without a dictionary of our own: those of Intl.Segmenter,
 * neighbours that always come together made one, words of any talk left out (the decision has the measurements).
 */
export async function extractTopics(
  texts: readonly string[],
  limit: number,
  accepts: (name: string) => boolean = () => true,
): Promise<readonly Topic[]> {
  const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
  const messages: (readonly Word[])[] = [];
  for (const [index, text] of texts.entries()) {
    await takeTurns(index);
    messages.push(split(text, segmenter));
  }
  const merged = await joinNeighbours(await joinNeighbours(messages));
  const found = new Map<string, { count: number; forms: Map<string, number> }>();
  for (const words of merged) {
    const seen = new Set<string>();
    for (const { key, text } of words) {
      if (seen.has(key) || !isTopic(key)) continue;
      seen.add(key);
      const entry = found.get(key) ?? { count: 0, forms: new Map<string, number>() };
      entry.count += 1;
      entry.forms.set(text, (entry.forms.get(text) ?? 0) + 1);
      found.set(key, entry);
    }
  }
  const topics = [...found.values()].map(({ count, forms }) => ({ name: findUsual(forms), count }));
  return topics
    .filter(({ name }) => accepts(name))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

/** The words of a question that say what it is about. */
export function listContentWords(text: string): readonly string[] {
  const words = split(text, new Intl.Segmenter("zh", { granularity: "word" }));
  return [...new Map(words.filter(({ key }) => isTopic(key)).map(({ key, text: word }) => [key, word])).values()];
}

function split(text: string, segmenter: Intl.Segmenter): readonly Word[] {
  const words: Word[] = [];
  let end = -1;
  for (const { index, isWordLike, segment } of segmenter.segment(text.slice(0, readOfMessage).toWellFormed())) {
    if (isWordLike !== true) continue;
    words.push({ key: foldText(segment), text: segment, joined: index === end });
    end = index + segment.length;
  }
  return words;
}

/** Neighbours that mostly come together become one word. */
async function joinNeighbours(messages: readonly (readonly Word[])[]): Promise<readonly (readonly Word[])[]> {
  const words = new Map<string, number>();
  const pairs = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [at, message] of messages.entries()) {
    await takeTurns(at);
    for (const [index, word] of message.entries()) {
      add(words, word.key);
      const before = message[index - 1];
      if (before && mayJoin(before, word)) add(pairs, `${before.key}\0${word.key}`);
    }
  }
  const belong = (a: Word, b: Word): boolean => {
    const together = pairs.get(`${a.key}\0${b.key}`) ?? 0;
    if (together < minTogether) return false;
    const counts = [words.get(a.key) ?? 0, words.get(b.key) ?? 0];
    return together >= shareOfRarer * Math.min(...counts) && together >= shareOfCommoner * Math.max(...counts);
  };
  const joined: (readonly Word[])[] = [];
  for (const [at, message] of messages.entries()) {
    await takeTurns(at);
    const result: Word[] = [];
    for (const word of message) {
      const before = result.at(-1);
      if (before && mayJoin(before, word) && belong(before, word))
        result.splice(-1, 1, { key: before.key + word.key, text: before.text + word.text, joined: before.joined });
      else result.push(word);
    }
    joined.push(result);
  }
  return joined;
}

/** Gives the event loop a turn now and then. */
async function takeTurns(at: number): Promise<void> {
  if (at % batch === batch - 1) await setImmediate();
}

/**
 * Words of letters have a space between them, what fills any talk belongs to nothing, and a single letter is the end of a
 * short word or one of a name: before a whole word it is its verb.
 */
function mayJoin(a: Word, b: Word): boolean {
  if (!b.joined || a.key === b.key || a.key.length + b.key.length > maxTopicLength) return false;
  if (a.key.length === 1 ? b.key.length > 1 : b.key.length === 1 && (a.key.length > 2 || verbs.has(b.key)))
    return false;
  return [a, b].every(({ key }) => wide.test(key) && !fillingWords.has(key) && !isLoose(key));
}

function isTopic(key: string): boolean {
  if (key.length < 2 || fillingWords.has(key) || /^[\d\p{P}\p{S}_]+$/u.test(key)) return false;
  if (!wide.test(key)) return key.length > 2 && key.length <= 24 && /\p{L}/u.test(key);
  if (/^[\u3040-\u309fー]+$/.test(key)) return false;
  return !isLoose(key);
}

/** Short ones that begin or end with a letter of grammar are pieces of sentences. */
function isLoose(key: string): boolean {
  if (key.length === 3 && pronouns.has(key.charAt(0))) return true;
  if (key.length > 2 || !/^[\u3400-\u9fff]+$/.test(key)) return false;
  if (key.length === 1) return looseBeginnings.has(key) || looseEnds.has(key);
  return looseBeginnings.has(key.charAt(0)) || looseEnds.has(key.charAt(1));
}

function findUsual(forms: ReadonlyMap<string, number>): string {
  return [...forms].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? "";
}

const wide = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+$/;
