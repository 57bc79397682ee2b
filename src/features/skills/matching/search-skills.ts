import type { SearchedSkill } from "../loader/types.ts";
import { isWeakWord, listConcepts, listSearchWords } from "./search-words.ts";

export interface FoundSkill {
  readonly id: string;
  readonly score: number;
  /** The words of the query that its name, description, keywords or sentences hold, the rarest first. */
  readonly named: readonly string[];
  /** The share of the query that these words make up, from 0 to 1: rare words count more. */
  readonly share: number;
  /** Whether the words alone show that the skill is meant; small talk never does. */
  readonly isSure: boolean;
}

/** The score of BM25 above which a skill may be meant, and the part of the best score that it needs. */
export const minSureScore = 2.4;
const minOfBest = 0.75;
/** One word alone suffices only if it makes up this share of the query. */
const minShareOfOne = 0.45;

/** Skills in which some word of the query stands, the best first. */
export type SearchSkills = (query: string) => readonly FoundSkill[];

/** The fields of a skill, and how much a word in each of them counts. */
const weights = { name: 4, description: 2, text: 0.4 } as const;
type Field = keyof typeof weights;
const fields = Object.keys(weights) as readonly Field[];

/**
 * The default parameters of BM25: how soon repetitions of a word stop counting, and how much a long text is held back.
 */
const saturation = 1.2;
const lengthWeight = 0.7;
/** With fewer skills no word would be rare, and every score would stay below the threshold, which was chosen with this many. */
const minSkills = 27;
const maxQuery = 2000;
/** Characters of a skill's text that are read: a text says at its beginning what it is about. */
const maxText = 4000;

interface Indexed {
  readonly id: string;
  readonly counts: Readonly<Record<Field, ReadonlyMap<string, number>>>;
  readonly lengths: Readonly<Record<Field, number>>;
}

/** An index of names, descriptions, keywords, sentences and texts (BM25 over three weighted fields). */
export function createSkillSearch(skills: readonly SearchedSkill[]): SearchSkills {
  const all = skills.map(indexSkill);
  const average = (field: Field): number =>
    Math.max(1, all.reduce((sum, { lengths }) => sum + lengths[field], 0) / Math.max(1, all.length));
  const averages = { name: average("name"), description: average("description"), text: average("text") };
  const holders = new Map<string, number>();
  for (const { counts } of all)
    for (const word of new Set(fields.flatMap((field) => [...counts[field].keys()])))
      holders.set(word, (holders.get(word) ?? 0) + 1);

  /** Words of few skills weigh more. */
  const rarity = (word: string): number => {
    const held = holders.get(word) ?? 0;
    return Math.log(1 + (Math.max(all.length, minSkills) - held + 0.5) / (held + 0.5)) * (isWeakWord(word) ? 0.3 : 1);
  };

  const scoreWord = ({ counts, lengths }: Indexed, word: string): number => {
    const times = fields.reduce((sum, field) => {
      const count = counts[field].get(word) ?? 0;
      const norm = 1 - lengthWeight + lengthWeight * (lengths[field] / averages[field]);
      return sum + (weights[field] * count) / norm;
    }, 0);
    return rarity(word) * (times / (saturation + times));
  };

  return (query) => {
    const concepts = listConcepts(query.slice(0, maxQuery));
    const weigh = (words: readonly string[]): number => Math.max(...words.map(rarity));
    const found = all
      .map((skill) => {
        const score = concepts.reduce(
          (sum, words) => sum + Math.max(...words.map((word) => scoreWord(skill, word))),
          0,
        );
        const inHead = (word: string): boolean => skill.counts.name.has(word) || skill.counts.description.has(word);
        const named = concepts.flatMap((words) =>
          words.filter((word) => inHead(word) && !isWeakWord(word)).slice(0, 1),
        );
        const known = concepts.filter((words) => words.some((word) => holders.has(word)));
        const whole = known.reduce((sum, words) => sum + weigh(words), 0);
        const held = concepts.filter((words) => words.some(inHead)).reduce((sum, words) => sum + weigh(words), 0);
        return {
          id: skill.id,
          score,
          named: [...new Set(named)].toSorted((a, b) => rarity(b) - rarity(a)),
          share: whole === 0 ? 0 : held / whole,
        };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const least = Math.max(minSureScore, minOfBest * (found[0]?.score ?? 0));
    return found.map((one) => {
      const isNamed = one.named.length > 1 || (one.named.length === 1 && one.share >= minShareOfOne);
      return { ...one, isSure: isNamed && one.score >= least };
    });
  };
}

const indexes = new WeakMap<readonly SearchedSkill[], SearchSkills>();

/** The index of a registry's list, made with the first question. */
export function searchSkills(skills: readonly SearchedSkill[], query: string): readonly FoundSkill[] {
  const search = indexes.get(skills) ?? createSkillSearch(skills);
  indexes.set(skills, search);
  return search(query);
}

function indexSkill({ id, name, description, context, sentences, trigger }: SearchedSkill): Indexed {
  const texts = {
    name: `${id} ${name}`,
    description: [dropExclusions(description), ...trigger.keywords, ...sentences].join("\n"),
    // A topic alone calls for nothing.
    text: `${trigger.topics.join("\n")}\n${context.slice(0, maxText)}`,
  };
  const words = {
    name: listSearchWords(texts.name),
    description: listSearchWords(texts.description),
    text: listSearchWords(texts.text),
  };
  const count = (field: Field): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const word of words[field]) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  };
  return {
    id,
    counts: { name: count("name"), description: count("description"), text: count("text") },
    lengths: { name: words.name.length, description: words.description.length, text: words.text.length },
  };
}

/** "Do NOT use for PDFs" names what another skill is for. */
function dropExclusions(description: string): string {
  return description
    .split(/(?<=[.!?。！？])/)
    .filter(
      (sentence) =>
        !/^\s*(?:do not|don't|never|not for)\b/i.test(sentence) && !/^\s*(?:不要|不用于|不适用)/.test(sentence),
    )
    .join("");
}
