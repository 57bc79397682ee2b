import { z } from "zod";
import { placeholder, placeholders } from "./phrase-keys.ts";
import type { NeutralPhrases, PhraseKey } from "./phrase-keys.ts";
import { enPhrases } from "./neutral/en.ts";
import { jaPhrases } from "./neutral/ja.ts";
import { zhPhrases } from "./neutral/zh.ts";

function variants(key: PhraseKey) {
  // How a command of ours is typed may be said anywhere.
  const allowed: readonly string[] = [...placeholders[key], "kurisu"];
  const names = allowed.map((name) => `{${name}}`).join(", ");
  const text = z
    .string()
    .min(1)
    .refine((written) => listPlaceholders(written).every((name) => allowed.includes(name)), `${key} knows ${names}`);
  return z.array(text).min(1).readonly();
}

function listPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? "");
}

/** The sentences of one language; what is left out is said in the neutral words. */
function languageSchema(neutral: NeutralPhrases) {
  const keys = Object.keys(placeholders) as PhraseKey[];
  const shape = Object.fromEntries(keys.map((key) => [key, variants(key).default([...neutral[key]])]));
  return z.strictObject(shape as Record<PhraseKey, z.ZodDefault<ReturnType<typeof variants>>>).prefault({});
}

/**
 * The sentences of the offline model, by language: one or more variants per key, with {placeholders}.
 * `parse({})` gives the neutral set; a persona file overrides any keys under `offline:`.
 */
export const offlinePhrasesSchema = z
  .strictObject({ zh: languageSchema(zhPhrases), en: languageSchema(enPhrases), ja: languageSchema(jaPhrases) })
  .prefault({});

export type OfflinePhrases = z.infer<typeof offlinePhrasesSchema>;
