import { toLetters } from "./plain-text.ts";
import { revealEncoded, reverse, rotate } from "./reveal-encoded.ts";

/** Finds runs of the system prompt in a reply, whatever spacing, punctuation, case or encoding they were given. */

/** A run this heavy is a copy. A Chinese character weighs 1, a Latin letter 0.35: 20 characters or about 10 words. */
const heaviestRun = 20;
/** Runs that weigh as much as a short line; so much of the prompt in such runs, each part counted once, is a copy in pieces. */
const lightestRun = 5;
const heaviestSum = 40;
/** How much of what was said before is looked at, so that a copy cut into short sentences is still one run. */
const lookBack = 120;
/** Characters that an encoded stretch of that many letters takes. */
const lookBackEncoded = 1_200;
const seed = 5;
const minOwn = 8;

export interface PromptOverlap {
  /** True when `text`, following `before`, goes on or makes up a copied run, or one piece too many. */
  copies(before: string, text: string): boolean;
}

interface Run {
  readonly start: number;
  readonly end: number;
  /** Where it stands in the prompt. */
  readonly place: number;
}

/** The index of a prompt, made once for all replies under it. */
export interface PromptIndex {
  readonly prompt: string;
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly weights: Float64Array;
}

export function indexPrompt(systemPrompt: string): PromptIndex {
  const prompt = toLetters(systemPrompt);
  return { prompt, places: indexSeeds(prompt), weights: sumWeights(prompt) };
}

/** Time grows with the length of the text: what was read before is remembered, since replies only grow. */
export function createPromptOverlap({ prompt, places, weights }: PromptIndex): PromptOverlap {
  const weigh = ({ start, end, place }: Run): number => (weights[place + end - start] ?? 0) - (weights[place] ?? 0);
  const known = { text: "", covered: new Uint8Array(prompt.length), weight: 0 };

  /** The longest run from each place on; the next one is looked for where this one could overlap it. */
  function listRuns(letters: string): readonly Run[] {
    const runs: Run[] = [];
    for (let start = 0; start + seed <= letters.length;) {
      let best: Run | undefined;
      for (const place of places.get(letters.slice(start, start + seed)) ?? []) {
        let length = seed;
        while (start + length < letters.length && letters[start + length] === prompt[place + length]) length += 1;
        if (best === undefined || start + length > best.end) best = { start, end: start + length, place };
      }
      if (best) runs.push(best);
      start += best ? Math.max(1, best.end - start - seed + 1) : 1;
    }
    return runs;
  }

  /** The runs that end in `text`, in each of the forms that it can be read in. */
  function readRuns(before: string, text: string): readonly (Run & { readonly own: number; readonly least: number })[] {
    const revealed = revealEncoded(text);
    const isEncoded = revealed !== text;
    const forms = [
      [before.slice(-lookBack * 2), text],
      ...(isEncoded ? [[revealEncoded(before.slice(-lookBackEncoded)), revealed]] : []),
      ["", reverse(text)],
      ...(/[a-z]{4}/i.test(text) ? [[rotate(before.slice(-lookBack * 2)), rotate(text)]] : []),
    ] as const;
    return forms.flatMap(([former = "", now = ""]) => {
      const tail = toLetters(former).slice(-lookBack);
      const own = toLetters(now);
      return listRuns(tail + own).map((run) => ({
        ...run,
        own: run.end - Math.max(run.start, tail.length),
        least: own.length,
      }));
    });
  }

  /** Marks what short lines of the prompt these runs are, and answers how much of it is new. */
  function cover(runs: readonly Run[], covered: Uint8Array): number {
    let added = 0;
    for (const run of runs) {
      if (weigh(run) < lightestRun) continue;
      for (let at = run.place; at < run.place + run.end - run.start; at += 1) {
        if (covered[at] === 1) continue;
        covered[at] = 1;
        added += (weights[at + 1] ?? 0) - (weights[at] ?? 0);
      }
    }
    return added;
  }

  function catchUp(before: string): void {
    if (!before.startsWith(known.text))
      Object.assign(known, { text: "", weight: 0 }, { covered: new Uint8Array(prompt.length) });
    if (before.length > known.text.length)
      known.weight += cover(readRuns(known.text, before.slice(known.text.length)), known.covered);
    known.text = before;
  }

  return {
    copies(before, text) {
      catchUp(before);
      const runs = readRuns(before, text).filter(({ own, least }) => own >= Math.min(seed, least));
      if (runs.some((run) => run.own >= Math.min(minOwn, run.least) && weigh(run) >= heaviestRun)) return true;
      const added = cover(runs, known.covered.slice());
      return added > 0 && known.weight + added >= heaviestSum;
    },
  };
}

function indexSeeds(prompt: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + seed <= prompt.length; at += 1) {
    const letters = prompt.slice(at, at + seed);
    const found = places.get(letters);
    if (found) found.push(at);
    else places.set(letters, [at]);
  }
  return places;
}

/** The sum of the letters' weights before each place. */
function sumWeights(prompt: string): Float64Array {
  const sums = new Float64Array(prompt.length + 1);
  for (let at = 0; at < prompt.length; at += 1) {
    const isWide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(prompt[at] ?? "");
    sums[at + 1] = (sums[at] ?? 0) + (isWide ? 1 : 0.35);
  }
  return sums;
}
