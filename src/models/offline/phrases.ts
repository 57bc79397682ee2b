import { z } from "zod";
import { dropUnset } from "../../core/drop-unset.ts";
import { placeholder, placeholders } from "./phrase-keys.ts";
import type { NeutralPhrases, PhraseKey } from "./phrase-keys.ts";
import { enPhrases } from "./neutral/en.ts";
import { jaPhrases } from "./neutral/ja.ts";
import { zhPhrases } from "./neutral/zh.ts";

function createVariants(own: readonly string[]) {
  // How a command of ours is typed may be said anywhere.
  const allowed: readonly string[] = [...own, "kurisu"];
  const names = allowed.map((name) => `{${name}}`).join(", ");
  const text = z
    .string()
    .min(1)
    .refine((written) => listPlaceholders(written).every((name) => allowed.includes(name)), `it knows only ${names}`);
  return z.array(text).min(1).readonly().optional();
}

function listPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? "");
}

/** Keys with the same placeholders share a schema: each takes a few kilobytes, and there are hundreds of keys. */
const variants = Object.groupBy(Object.keys(placeholders) as PhraseKey[], (key) => placeholders[key].join());
const writtenSchema = z.strictObject(
  Object.fromEntries(
    Object.values(variants).flatMap((keys = []) => {
      const [first] = keys;
      const schema = first && createVariants(placeholders[first]);
      return keys.map((key) => [key, schema]);
    }),
  ) as Record<PhraseKey, ReturnType<typeof createVariants>>,
);

/** The sentences of one language; what is left out is said in the neutral words. */
function languageSchema(neutral: NeutralPhrases) {
  return writtenSchema
    .transform((written): Readonly<Record<PhraseKey, readonly string[]>> => ({ ...neutral, ...dropUnset(written) }))
    .prefault({});
}

/**
 * The sentences of the offline model, by language: one or more variants per key, with {placeholders}.
 * `parse({})` gives the neutral set; a persona file overrides any keys under `offline:`.
 */
export const offlinePhrasesSchema = z
  .strictObject({ zh: languageSchema(zhPhrases), en: languageSchema(enPhrases), ja: languageSchema(jaPhrases) })
  .prefault({});

export type OfflinePhrases = z.infer<typeof offlinePhrasesSchema>;
