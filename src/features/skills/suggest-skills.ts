import type { Logger } from "pino";
import { raceAbort } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { EmbedTexts } from "../../models/embed-texts.ts";
import type { Skill } from "./loader/types.ts";

/** Ids of skills that may be meant though nothing called for them, the nearest first. Never throws. */
export type SuggestSkills = (utterance: string, skills: readonly Skill[]) => Promise<readonly string[]>;

/** There is no endpoint for embeddings. */
export const suggestNothing: SuggestSkills = () => Promise.resolve([]);

/** A reply does not wait longer than this for a hint; while skills are new, once more as long. */
const patienceMs = 1500;
/** Learning what the skills are about goes on behind the turn that began it. */
const learningMs = 30_000;
/** After a failure the endpoint is left alone for this long. */
const restMs = 60_000;
/** How much nearer than the average of all skills one must be: absolute nearness differs from model to model. */
const margin = 0.08;
const maxSuggested = 3;
/** Texts whose vectors are kept; of more the oldest go. */
const maxKnown = 4000;

/**
 * The skills whose description is nearest to an utterance. They are only named to the model, which decides by `find_skill`:
 * nothing is switched on by a likeness. A description is embedded once, until it changes.
 */
export function createSuggestSkills(parts: {
  readonly embed: EmbedTexts;
  readonly clock: Clock;
  readonly log: Logger;
}): SuggestSkills {
  const { embed, clock, log } = parts;
  const known = new Map<string, readonly number[]>();
  let learning: Promise<void> | undefined;
  let failedAt: number | undefined;

  async function learn(texts: readonly string[]): Promise<void> {
    const vectors = await embed(texts, learningMs);
    texts.forEach((text, index) => known.set(text, vectors[index] ?? []));
    for (const text of [...known.keys()].slice(0, Math.max(0, known.size - maxKnown))) known.delete(text);
  }

  function startLearning(texts: readonly string[]): Promise<void> {
    const fresh = [...new Set(texts.filter((text) => !known.has(text)))];
    if (fresh.length === 0 || learning !== undefined) return learning ?? Promise.resolve();
    learning = learn(fresh).finally(() => (learning = undefined));
    // Awaiting callers see the error; the others have logged their timeout.
    learning.catch(() => undefined);
    return learning;
  }

  return async (utterance, skills) => {
    if (utterance.trim() === "" || skills.length < 2) return [];
    if (failedAt !== undefined && clock.now() - failedAt < restMs) return [];
    try {
      const texts = skills.map(({ name, description }) => `${name}: ${description}`.slice(0, 1000));
      const learnt = startLearning(texts);
      const [said = []] = await embed([utterance.slice(0, 1000)], patienceMs);
      await raceAbort(learnt, AbortSignal.timeout(patienceMs));
      const vectors = texts.map((text) => known.get(text));
      if (vectors.some((vector) => vector !== undefined && vector.length !== said.length)) {
        // Another model answers there now, so the old vectors are useless.
        known.clear();
        throw new Error("vectors of different lengths");
      }
      if (failedAt !== undefined) log.info("the endpoint for embeddings answers again");
      failedAt = undefined;
      return pickNearest(skills.map(({ id }, index) => ({ id, near: compare(said, vectors[index]) })));
    } catch (error) {
      if (failedAt === undefined)
        log.warn({ err: error }, "the endpoint for embeddings did not answer; skills are found without it");
      failedAt = clock.now();
      return [];
    }
  };
}

function pickNearest(all: readonly { readonly id: string; readonly near: number }[]): readonly string[] {
  const average = all.reduce((sum, one) => sum + one.near, 0) / all.length;
  return all
    .filter((one) => one.near >= average + margin)
    .sort((a, b) => b.near - a.near)
    .slice(0, maxSuggested)
    .map(({ id }) => id);
}

/** The cosine; 0 where there is nothing to compare. */
function compare(one: readonly number[], other: readonly number[] = []): number {
  if (one.length !== other.length) return 0;
  const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const length = Math.hypot(...one) * Math.hypot(...other);
  return length === 0 ? 0 : product / length;
}
