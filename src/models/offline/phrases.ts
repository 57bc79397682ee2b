import { z } from "zod";
import { neutralPhrases } from "./neutral-phrases.ts";

/** What each sentence may mention; a `{word}` that is not listed for its key is a fault in the persona file. */
const placeholders = {
  introduction: [],
  greeting: [],
  farewell: [],
  thanks: [],
  praise: [],
  identity: [],
  help: ["tools"],
  question: [],
  smallTalk: [],
  noted: [],
  waiting: [],
  shellDone: ["command"],
  shellSilent: ["command"],
  shellFailed: ["command", "exitCode"],
  shellTimedOut: ["command"],
  shortened: [],
  fileRead: ["path", "lines"],
  fileEmpty: ["path"],
  fileHasMore: ["path", "lines"],
  fileWritten: ["path", "bytes"],
  time: ["local", "zone"],
  toolDone: ["tool"],
  toolFailed: ["tool", "reason"],
  denied: ["tool", "reason"],
  rejected: ["tool"],
  expired: ["tool"],
  unknown: ["tool"],
  shellMissing: [],
  toolMissing: ["tool"],
  argumentsFaulty: ["tool"],
} as const satisfies Record<string, readonly string[]>;

export type PhraseKey = keyof typeof placeholders;

function variants(key: PhraseKey) {
  // How a command of ours is typed may be said anywhere.
  const allowed: readonly string[] = [...placeholders[key], "kurisu"];
  const names = allowed.map((name) => `{${name}}`).join(", ");
  return z
    .array(
      z
        .string()
        .min(1)
        .refine((text) => listPlaceholders(text).every((name) => allowed.includes(name)), `${key} knows ${names}`),
    )
    .min(1)
    .readonly();
}

function listPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** The sentences of one language; what is left out is said in the neutral words. */
function languageSchema(neutral: Record<PhraseKey, readonly string[]>) {
  return z
    .strictObject({
      introduction: variants("introduction").default(neutral.introduction),
      greeting: variants("greeting").default(neutral.greeting),
      farewell: variants("farewell").default(neutral.farewell),
      thanks: variants("thanks").default(neutral.thanks),
      praise: variants("praise").default(neutral.praise),
      identity: variants("identity").default(neutral.identity),
      help: variants("help").default(neutral.help),
      question: variants("question").default(neutral.question),
      smallTalk: variants("smallTalk").default(neutral.smallTalk),
      noted: variants("noted").default(neutral.noted),
      waiting: variants("waiting").default(neutral.waiting),
      shellDone: variants("shellDone").default(neutral.shellDone),
      shellSilent: variants("shellSilent").default(neutral.shellSilent),
      shellFailed: variants("shellFailed").default(neutral.shellFailed),
      shellTimedOut: variants("shellTimedOut").default(neutral.shellTimedOut),
      shortened: variants("shortened").default(neutral.shortened),
      fileRead: variants("fileRead").default(neutral.fileRead),
      fileEmpty: variants("fileEmpty").default(neutral.fileEmpty),
      fileHasMore: variants("fileHasMore").default(neutral.fileHasMore),
      fileWritten: variants("fileWritten").default(neutral.fileWritten),
      time: variants("time").default(neutral.time),
      toolDone: variants("toolDone").default(neutral.toolDone),
      toolFailed: variants("toolFailed").default(neutral.toolFailed),
      denied: variants("denied").default(neutral.denied),
      rejected: variants("rejected").default(neutral.rejected),
      expired: variants("expired").default(neutral.expired),
      unknown: variants("unknown").default(neutral.unknown),
      shellMissing: variants("shellMissing").default(neutral.shellMissing),
      toolMissing: variants("toolMissing").default(neutral.toolMissing),
      argumentsFaulty: variants("argumentsFaulty").default(neutral.argumentsFaulty),
    })
    .prefault({});
}

/**
 * What the offline model says, by language: one or more variants per key, with {placeholders}.
 * `parse({})` gives the neutral set; a persona file overrides any keys under `offline:`.
 */
export const offlinePhrasesSchema = z
  .strictObject({
    zh: languageSchema(neutralPhrases.zh),
    en: languageSchema(neutralPhrases.en),
    ja: languageSchema(neutralPhrases.ja),
  })
  .prefault({});

export type OfflinePhrases = z.infer<typeof offlinePhrasesSchema>;
