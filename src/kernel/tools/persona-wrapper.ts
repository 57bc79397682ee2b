import type { Language } from "../../core/conversation.ts";
import type { Persona, Phrases, ProgressKind, Situation, ToldSituation } from "../../core/persona/persona.ts";
import { createPhrasePicker } from "../../core/persona/phrase-picker.ts";
import { makeVisible, showName, showPayload } from "../../core/persona/show-payload.ts";
import { joinSentences } from "../../core/words/join-sentences.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Tool } from "./types.ts";

/**
 * The gateway's sentences about tools, in the persona's voice. Commands, paths and numbers are never woven into a
 * sentence.
 */

interface WrappedCall {
  readonly tool: string;
  /** Byte-exact from `Tool.detail`. */
  readonly detail: string;
  readonly place: Tool["place"];
}

export interface QuestionView {
  readonly chat: string;
  readonly language: Language;
  readonly calls: readonly WrappedCall[];
  /** One of the calls can be previewed. */
  readonly preview?: boolean;
  /** `network` lists hosts that the calls may reach. */
  readonly sandbox: { readonly seconds: number; readonly network: readonly string[] };
  readonly code: string;
  /** In a group: the person who must answer. */
  readonly asker?: string;
  /** The sub-agent that requests the calls. */
  readonly agent?: string;
  /** Why it asks and whose approval it needs, in whole sentences; one line below the calls. */
  readonly why?: readonly string[];
  /** The line about the deadline. */
  readonly until: string;
  /** The other answers: phrases for the line that explains how to answer. */
  readonly more?: readonly string[];
  /** Untrusted sources read in this turn, which are the reason for the question. */
  readonly readSources?: readonly string[];
  /** They were read before this turn. */
  readonly readEarlier?: boolean;
}

interface ReplyContext {
  readonly chat: string;
  readonly language: Language;
}

export interface PersonaWrapper {
  /** One short sentence while a tool runs; the channel shows the key argument next to it. */
  progress(context: ReplyContext, kind?: ProgressKind): string;
  /** The whole text of a question: the exact calls, where, limits, duration, code, and the two answer words. */
  question(view: QuestionView): string;
  /** A sentence for a situation. */
  outcome(context: ReplyContext, situation: Situation): string;
  /** The words before the text of a reminder. Returns undefined when the persona has none and the fixed words apply. */
  due(context: ReplyContext): string | undefined;
  /** A fixed text below the persona's own words for the situation; alone when the persona has none in that language. */
  tell(context: ReplyContext, situation: ToldSituation, text: string): string;
  /** A failure whose reason is one sentence for people; the reason follows unchanged. */
  error(context: ReplyContext, reason: string): string;
}

/** `random` returns a number from 0 up to, but not including, 1. */
export function createPersonaWrapper(persona: Persona, random?: () => number): PersonaWrapper {
  const picker = createPhrasePicker(random);

  const phrasesFor = (language: Language): Phrases => {
    const native = persona.languages[0] ?? "zh";
    const phrases = persona.phrases[language] ?? persona.phrases[native];
    // The schema requires phrases for every listed language, so this happens only with a hand-made persona.
    if (phrases === undefined) throw new TypeError(`persona ${persona.id} has no phrases`);
    return phrases;
  };
  const say = (context: ReplyContext, situation: Situation): string =>
    picker.pick(context.chat, `${context.language} ${situation}`, phrasesFor(context.language)[situation]);

  // In a language without persona phrases, the fixed words apply.
  const sayOwn = (context: ReplyContext, situation: ToldSituation | "due"): string | undefined => {
    const own = persona.phrases[context.language]?.[situation];
    return own && picker.pick(context.chat, `${context.language} ${situation}`, own);
  };

  return {
    progress(context, kind = "other") {
      return picker.pick(
        context.chat,
        `${context.language} progress ${kind}`,
        phrasesFor(context.language).progress[kind],
      );
    },
    question(view) {
      const { question } = wordsFor(view.language);
      const agent = view.agent === undefined ? [] : [question.askedByAgent(showName(view.agent))];
      return [say(view, "question"), ...agent, ...describeCalls(view), ...describeTerms(view)].join("\n");
    },
    outcome: say,
    due: (context) => sayOwn(context, "due"),
    tell(context, situation, text) {
      const own = sayOwn(context, situation);
      return own === undefined ? text : `${own}\n${text}`;
    },
    error(context, reason) {
      return `${say(context, "failed")}\n${makeVisible(reason)}`;
    },
  };
}

function describeCalls(view: QuestionView): string[] {
  const { question } = wordsFor(view.language);
  const several = view.calls.length > 1;
  const lines: string[] = several ? [question.heading(view.calls.length)] : [];
  for (const [index, call] of view.calls.entries()) {
    // The tool's name comes from a registry, but an MCP server may have chosen it.
    const name = makeVisible(call.tool).replaceAll("`", "'");
    lines.push(`${several ? `${index + 1}. ` : ""}\`${name}\``, showPayload(call.detail, view.language));
  }
  return [...lines, ...describePlaces(view)];
}

/** Where the calls act and what they reach, in whole sentences. */
export function describePlaces(view: QuestionView): readonly string[] {
  const { question } = wordsFor(view.language);
  const places = new Set(view.calls.map((call) => describePlace(call.place, view)));
  const { network: hosts } = view.sandbox;
  const reach =
    hosts.length > 0 ? [question.canReach({ hosts: hosts.map(showName), calls: countSandboxed(view) })] : [];
  return [...[...places].map((place) => `${place}${view.language === "en" ? "." : "。"}`), ...reach];
}

function countSandboxed({ calls }: QuestionView): number {
  return calls.filter(({ place }) => place === "sandbox").length;
}

function describePlace(place: Tool["place"], view: QuestionView): string {
  const { question } = wordsFor(view.language);
  const places: Readonly<Record<Tool["place"], string>> = {
    sandbox: question.placeSandbox({ ...view.sandbox, network: view.sandbox.network.length > 0 }),
    workspace: question.placeWorkspace,
    network: question.placeNetwork,
    gateway: question.placeGateway,
  };
  return places[place];
}

const maxNamed = 2;

function describeTerms(view: QuestionView): string[] {
  const { question } = wordsFor(view.language);
  const why = describeWhy(view);
  const answer =
    view.asker === undefined
      ? question.howToAnswer
      : question.howToAnswerInGroup({ asker: showName(view.asker), code: view.code });
  return [
    ...(why.length > 0 ? [joinSentences(why, view.language)] : []),
    view.until,
    question.waysToAnswer([answer, ...(view.preview ? [question.howToPreview] : []), ...(view.more ?? [])]),
  ];
}

/** Why it asks and whose approval it needs, in whole sentences. */
export function describeWhy(view: QuestionView): readonly string[] {
  const { question } = wordsFor(view.language);
  const sources = (view.readSources ?? []).map(showName);
  const read = { sources: sources.slice(0, maxNamed), more: Math.max(0, sources.length - maxNamed) };
  const told = view.readEarlier === true ? question.afterEarlier(read) : question.afterReading(read);
  return [...(sources.length > 0 ? [told] : []), ...(view.why ?? [])];
}

/** Finds the wrapper of the persona that speaks in a session. */
export type FindVoice = (session: string) => PersonaWrapper;

/** The wrappers of the current personas; a changed persona gets a new one. */
export function createPhrases(personaOf: (session: string) => Persona): FindVoice {
  const cache = new WeakMap<Persona, PersonaWrapper>();
  return (session) => {
    const current = personaOf(session);
    const wrapper = cache.get(current) ?? createPersonaWrapper(current);
    cache.set(current, wrapper);
    return wrapper;
  };
}
