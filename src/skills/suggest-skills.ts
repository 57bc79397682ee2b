import type { Logger } from "pino";
import type { EmbedTexts } from "../models/embed-texts.ts";
import type { Skill } from "./types.ts";

/** Ids of skills that may be meant though no rule says so, the nearest first. Never throws. */
export type SuggestSkills = (utterance: string, skills: readonly Skill[]) => Promise<readonly string[]>;

/** Without an endpoint for embeddings the rules are all there is. */
export const suggestNothing: SuggestSkills = () => Promise.resolve([]);

/** A reply does not wait longer than this for a hint. */
const patienceMs = 1500;
/** How much nearer than the average of all skills one must be: absolute nearness differs from model to model. */
const margin = 0.08;
const most = 3;

/**
 * The skills whose description is nearest to an utterance. They are only named to the model, which decides by `find_skill`:
 * nothing is switched on by a likeness.
 */
export function createSuggestSkills(parts: { readonly embed: EmbedTexts; readonly log: Logger }): SuggestSkills {
  const known = new Map<string, readonly number[]>();
  return async (utterance, skills) => {
    if (utterance.trim() === "" || skills.length < 2) return [];
    try {
      const texts = skills.map(({ name, description }) => `${name}: ${description}`.slice(0, 1000));
      const asked = [utterance.slice(0, 1000), ...new Set(texts.filter((text) => !known.has(text)))];
      const vectors = await parts.embed(asked, AbortSignal.timeout(patienceMs));
      asked.slice(1).forEach((text, index) => known.set(text, vectors[index + 1] ?? []));
      const near = skills.map(({ id }, index) => ({
        id,
        near: compare(vectors[0] ?? [], known.get(texts[index] ?? "") ?? []),
      }));
      const average = near.reduce((sum, one) => sum + one.near, 0) / near.length;
      return near
        .filter((one) => one.near >= average + margin)
        .sort((a, b) => b.near - a.near)
        .slice(0, most)
        .map(({ id }) => id);
    } catch (error) {
      parts.log.warn({ err: error }, "the endpoint for embeddings did not answer; skills are chosen by rules alone");
      return [];
    }
  };
}

/** The cosine; 0 where there is nothing to compare. */
function compare(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return 0;
  const product = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  const length = Math.hypot(...one) * Math.hypot(...other);
  return length === 0 ? 0 : product / length;
}
