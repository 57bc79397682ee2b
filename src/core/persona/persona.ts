import { z } from "zod";
import type { Lorebook } from "./lorebook/lorebook.ts";
import { avoidableTones, type LabelledReply } from "./tone/reply-table.ts";

/** The shape of config/personas/<id>/persona.yaml, and the persona the rooms work with. */

const variants = z.array(z.string().min(1)).min(1).readonly();

/** A language's wording, by situation. Each is a list of interchangeable variants without placeholders. */
const phrasesSchema = z.strictObject({
  progress: z.strictObject({
    shell: variants,
    read: variants,
    write: variants,
    search: variants,
    fetch: variants,
    time: variants,
    memory: variants,
    send: variants,
    other: variants,
  }),
  /** Opens a question, before what would be done. */
  question: variants,
  approved: variants,
  cancelled: variants,
  expired: variants,
  /** The rules forbid the call. */
  denied: variants,
  failed: variants,
  /** It may or may not have happened. */
  unknown: variants,
  modelDown: variants,
  /** The answer when nothing the model wrote could be used. */
  fallback: variants,
  greeting: variants,
  /** Precedes the text of a reminder, its colon included; absent means the fixed words. */
  due: variants.exactOptional(),
  /** Stands before the reason why a message is not read: too many came within a minute. */
  tooFast: variants.exactOptional(),
  /** All people together write more than it reads. */
  tooBusy: variants.exactOptional(),
  /** A message that it can do nothing with: empty, too long, only files. */
  unreadable: variants.exactOptional(),
  /** A limit of the day is reached. */
  spent: variants.exactOptional(),
  /** Before a text that only another person may decide this. */
  notYours: variants.exactOptional(),
  /** A question is void for a reason that no person chose: the rules have changed, everything is paused. */
  voided: variants.exactOptional(),
  /** The answer to a request made in a group is given in a private chat only. */
  privately: variants.exactOptional(),
  /** Accepted from personas written for earlier versions; no text uses it. */
  noSandbox: variants.exactOptional(),
});

export type Phrases = z.infer<typeof phrasesSchema>;
/** Tools by what they feel like to the person watching. */
export type ProgressKind = keyof Phrases["progress"];
/** Situations in which a persona may have words of its own, and the fixed ones do without. */
type OptionalSituation =
  | "due"
  | "tooFast"
  | "tooBusy"
  | "unreadable"
  | "spent"
  | "notYours"
  | "voided"
  | "privately"
  | "noSandbox";
/** The situations besides progress that every persona has words for. */
export type Situation = Exclude<keyof Phrases, "progress" | OptionalSituation>;
/** The situations for which the gateway has a fixed text. */
export type ToldSituation = Exclude<Situation | OptionalSituation, "due" | "question" | "fallback" | "noSandbox">;

const ownWord = z.string().min(1).max(40);

/** How a persona sounds; what is left out stays as SPEECH_MODEL and SPEECH_VOICE say. */
const soundSchema = z.strictObject({
  /** A voice of the server for speech. */
  voice: z.string().min(1).max(100).optional(),
  model: z.string().min(1).max(100).optional(),
  /** 1 = the voice's own pace. */
  speed: z.number().min(0.25).max(4).optional(),
  /** How to speak, in words; only some models take it. */
  instructions: z.string().min(1).max(1_000).optional(),
});

/** The persona's part of a request for speech (OpenAI, POST /audio/speech). */
export type PersonaSound = Readonly<z.infer<typeof soundSchema>>;

export const personaSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "small letters, digits and hyphens only"),
    name: z.strictObject({ zh: z.string().min(1), en: z.string().min(1), ja: z.string().min(1) }),
    /** Beside its names: what people call it when they speak to it. */
    nicknames: z.array(z.string().min(2)).readonly().default([]),
    /** The languages it speaks, the native one first. */
    languages: z
      .array(z.enum(["zh", "en", "ja"]))
      .min(1)
      .readonly(),
    /** Words that it never says. Sentences in the wrong tone are taught by voice.tsv instead. */
    forbidden: z
      .array(ownWord.regex(/^[^\\^$()[\]|?*+]+$/, "is an expression; write the word, or sentences in voice.tsv"))
      .readonly()
      .default([]),
    /** Tones that break the role; voice.tsv and the shipped replies.tsv teach how they sound. */
    avoids: z.array(z.enum(avoidableTones)).readonly().default(["ai-self-disclosure", "assistant-ese"]),
    /** Names it does not answer to, and what it never admits to be. */
    rejectedNames: z.array(ownWord).readonly().default([]),
    deniedLabels: z.array(ownWord).readonly().default([]),
    /** Forms of address that it does not use: 您, sir. */
    honorifics: z.array(ownWord).readonly().default([]),
    /** A short description of its character and speech: repeated in the prompt in a long talk and after tools. */
    anchor: z.partialRecord(z.enum(["zh", "en", "ja"]), z.string().min(1).max(400)).default({}),
    /** Whether it decorates what it says with emoji. */
    emoji: z.boolean().default(true),
    phrases: z.strictObject({
      zh: phrasesSchema.optional(),
      en: phrasesSchema.optional(),
      ja: phrasesSchema.optional(),
    }),
    sound: soundSchema.optional(),
    /** Lines of the offline model by language and key; checked by the models room. */
    offline: z.partialRecord(z.enum(["zh", "en", "ja"]), z.record(z.string(), variants)).default({}),
  })
  .superRefine((persona, context) => {
    for (const language of persona.languages) {
      if (persona.phrases[language] !== undefined) continue;
      const message = `needs the phrases of every language it lists (${language})`;
      context.addIssue({ code: "custom", path: ["phrases"], message });
    }
  });

type PersonaFile = z.infer<typeof personaSchema>;

/** A persona as loaded: its file, and the texts next to it. */
export interface Persona extends PersonaFile {
  /** soul.md: the character and its way of speaking. */
  readonly soul: string;
  /** voice.tsv: sentences that show how it speaks, and how it does not. */
  readonly voice: readonly LabelledReply[];
  /** lorebook.json: background that comes into the prompt when the talk turns to it. */
  readonly lorebook: Lorebook | undefined;
  /** lore.md: what she knows and remembers of her own life; may be empty. */
  readonly lore: string;
}
