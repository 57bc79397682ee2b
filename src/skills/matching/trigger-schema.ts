import { z } from "zod";
import { asideKinds } from "./cut-asides.ts";
import { expandPattern } from "./expand-pattern.ts";
import { writePair } from "./write-pair.ts";

/** When a skill is called for: the `trigger` of skill.yaml. All of it is read over the normalised utterance. */

const pattern = z.string().min(1).max(1000);

/** A label for people and the catalogue, or a label with the sentences that mean it. */
const intent = z.union([
  z.string().min(1),
  z
    .strictObject({
      name: z.string().min(1),
      /** It counts only in a message that asks for something. */
      asked: z.boolean().default(false),
      patterns: z.array(pattern).readonly().default([]),
      /** Two lists of `words` each: a word of both in one clause, in whichever order. */
      pairs: z
        .array(z.tuple([z.string(), z.string()]).readonly())
        .readonly()
        .default([]),
    })
    .refine(({ patterns, pairs }) => patterns.length + pairs.length > 0, "needs patterns or pairs"),
]);

export const triggerSchema = z
  .strictObject({
    /** Words as people write them; Latin ones match whole words only. */
    keywords: z.array(z.string().min(1)).readonly().default([]),
    /** Words that count only in a message that asks for something. */
    topics: z.array(z.string().min(1)).readonly().default([]),
    /** Weak words: two of them together make a skill without effects a candidate. */
    hints: z.array(z.string().min(1)).readonly().default([]),
    /** Lists of alternatives for the patterns, which name them as `{name}`. */
    words: z.record(z.string().regex(/^[a-z][a-z-]*$/), z.array(z.string().min(1)).min(1).readonly()).default({}),
    intents: z.array(intent).readonly().default([]),
    /** What only looks like a trigger: these parts of an utterance are not looked at. */
    exclusions: z.array(pattern).readonly().default([]),
    /** Kinds of what people say without asking for anything that this skill is about all the same. */
    asides: z.array(z.enum(asideKinds)).readonly().default([]),
    /** Skills with more general words: where a message calls for this one, they do not count in the same step. */
    outranks: z.array(z.string().min(1)).readonly().default([]),
  })
  .superRefine(({ words, intents, exclusions }, context) => {
    const check = (source: string, path: (string | number)[]): void => {
      if (expandPattern(source, words)) return;
      context.addIssue({
        code: "custom",
        path,
        message: "is no valid regular expression, or names words that are not there",
      });
    };
    exclusions.forEach((source, index) => check(source, ["exclusions", index]));
    for (const [index, one] of intents.entries()) {
      if (typeof one === "string") continue;
      one.patterns.forEach((source, at) => check(source, ["intents", index, "patterns", at]));
      one.pairs.forEach((pair, at) => check(writePair(pair, words) ?? "{", ["intents", index, "pairs", at]));
    }
  });

export type Trigger = z.output<typeof triggerSchema>;
