import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { AskedCall, Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import { describePlaces, describeWhy, type FindVoice, type QuestionView } from "../tools/persona-wrapper.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { canGrant } from "../gate/make-grants.ts";
import { describePattern } from "./describe-grants.ts";
import { describeTerms } from "./render-status.ts";
import type { Choice } from "../../channels/types.ts";

/** `zone` is the time zone of the person who reads it. Default: the configured one. */
export type RenderQuestion = (question: Question, session: SessionRow, language: Language, zone?: string) => string;

interface RenderParts {
  readonly registry: Pick<ToolRegistry, "find">;
  /** Seconds a command may run when its call sets no timeout. */
  readonly defaultSeconds: () => number;
  /** IANA time zone of people whose own is not known. */
  readonly zone: () => string;
}

/**
 * Words a question in the persona's voice. The calls are rendered from the same bytes that the approval is bound to.
 */
export function createRenderQuestion(parts: RenderParts & { readonly voice: FindVoice }): RenderQuestion {
  const view = createViewQuestion(parts);
  return (question, session, language, zone) =>
    parts.voice(session.id).question(view(question, session, language, zone));
}

/** The fixed words of a question, for a page that shows the calls itself. */
export type ExplainQuestion = (
  question: Question,
  session: SessionRow,
  language: Language,
) => {
  /** Why it asks and whose approval it needs, in whole sentences. */
  readonly why: readonly string[];
  /** Where the calls act and what they reach. */
  readonly places: readonly string[];
};

export function createExplainQuestion(parts: RenderParts): ExplainQuestion {
  const viewFor = createViewQuestion(parts);
  return (question, session, language) => {
    const view = viewFor(question, session, language);
    return { why: describeWhy(view), places: describePlaces(view) };
  };
}

function createViewQuestion(
  parts: RenderParts,
): (question: Question, session: SessionRow, language: Language, zone?: string) => QuestionView {
  const goesOnFor = ({ tool, arguments: given }: AskedCall) => parts.registry.find(tool)?.goesOnFor?.(given);
  const secondsOf = (call: AskedCall): number => {
    const { timeout } = call.arguments;
    const usual = typeof timeout === "number" ? timeout : parts.defaultSeconds();
    return (goesOnFor(call) ?? usual * 1000) / 1000;
  };
  const explainGoingOn = ({ calls }: Question, { approval, duration }: Words): readonly string[] => {
    const longest = Math.max(0, ...calls.map((call) => goesOnFor(call) ?? 0));
    return longest > 0 ? [approval.whyGoesOn({ term: duration(longest) })] : [];
  };
  const describeUntil = ({ code, createdAt, deadline }: Question, language: Language, zone = parts.zone()) => {
    const open = deadline - createdAt;
    // A short deadline needs seconds on the clock.
    const timeStyle = open < 60_000 ? "medium" : "short";
    const time = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, timeStyle }).format(deadline);
    const words = wordsFor(language);
    return words.approval.validUntil({ code, term: words.duration(open), time });
  };
  return (question, session, language, zone) => ({
    chat: session.id,
    language,
    calls: question.calls.map(({ tool, detail }) => ({
      tool,
      detail,
      place: parts.registry.find(tool)?.place ?? "gateway",
    })),
    sandbox: {
      seconds: Math.max(...question.calls.map(secondsOf)),
      network: [...new Set(question.calls.flatMap((call) => call.network))].toSorted(),
    },
    preview: question.calls.some(({ tool }) => parts.registry.find(tool)?.onCopy !== undefined),
    code: question.code,
    readSources: nameSources(listSources(question), wordsFor(language)),
    readEarlier: question.calls
      .flatMap(listReasons)
      .every((reason) => reason.kind !== "taint" || reason.earlier === true),
    why: [...explainGoingOn(question, wordsFor(language)), ...explainWhy(question, session, wordsFor(language))],
    until: describeUntil(question, language, zone),
    more: explainMore(question, session, wordsFor(language)),
    ...(question.agent !== null && { agent: question.agent }),
    // With terms of its own, other people answer too; the reasons name them.
    ...(session.chat_kind === "group" && question.terms === null && { asker: question.askerName }),
  });
}

/** The sources that tainted the turn, over all calls of a question. */
export function listSources({ calls }: Question): readonly string[] {
  return unique(calls.flatMap(listReasons).flatMap((reason) => (reason.kind === "taint" ? reason.sources : [])));
}

/** Named in words that people know, instead of tool names. */
function nameSources(sources: readonly string[], { sources: words }: Words): readonly string[] {
  const named = sources.map((source) => {
    if (logTools.has(source)) return words.chatLog;
    if (source === "web_search") return words.webSearch;
    return source === "/workspace" ? words.workspace : source;
  });
  return unique(named);
}

/**
 * Explains why the call needs approval now, unless its tool always asks, and whose approval it needs. `listSources`
 * names the sources.
 */
export function explainWhy(question: Question, session: SessionRow, words: Words): readonly string[] {
  const { approval } = words;
  const reasons = question.calls.flatMap(listReasons);
  const isRead = reasons.some(({ kind }) => kind === "taint") && listSources(question).length === 0;
  const reach = new Set(question.calls.flatMap(({ network }) => network));
  const hosts = reasons.flatMap((reason) => (reason.kind === "network" ? reason.hosts : []));
  const named = unique(hosts).filter((host) => !reach.has(host));
  const strange = unique(reasons.flatMap((reason) => (reason.kind === "address" ? reason.hosts : [])));
  const resting = unique(reasons.flatMap((reason) => (reason.kind === "grant" ? [reason.code] : [])));
  const isRouted = session.id !== question.session;
  const origin = { asker: showName(question.askerName), chat: showName(question.session) };
  return [
    ...(isRouted ? [approval.askedIn(origin)] : []),
    ...(isRead ? [approval.whyRead] : []),
    ...(strange.length > 0 ? [approval.whyAddress({ hosts: strange.map(showName) })] : []),
    ...resting.map((code) => approval.whyGrantRests({ code })),
    ...(named.length > 0 ? [approval.whyNetwork({ hosts: named.map(showName) })] : []),
    ...describeTerms(question.terms, words),
  ];
}

/** The other answers besides approve and reject. A grant is never offered without its scope. */
export function explainMore(question: Question, session: SessionRow, words: Words): readonly string[] {
  const { approval } = words;
  const { calls, terms } = question;
  const isShared = (terms?.votes ?? 1) > 1;
  const patterns = calls.flatMap(({ scope, tool }) =>
    scope ? [describePattern({ tool, pattern: scope }, words)] : [],
  );
  return [
    ...(calls.length > 1 && !isShared ? [approval.howToChoose({ last: calls.length })] : []),
    ...(canGrant(question) ? [approval.howToStand({ pattern: unique(patterns).join(approval.and) })] : []),
    ...(session.id === question.session ? [approval.howToChange] : []),
  ];
}

const logTools: ReadonlySet<string> = new Set([
  "get_chatlog_stats",
  "search_person",
  "list_topics",
  "search_by_topics",
  "search_by_keywords",
  "search_semantic",
  "filter_by_person",
  "filter_by_time",
  "load_messages",
  "format_messages",
]);

const listReasons = ({ because }: AskedCall) => because;

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The buttons of a prompt. The first one counts approvals where several are needed. */
export function buildChoices(
  { id, terms, votes }: Question,
  { approval, question }: Words,
  canPreview: boolean,
): readonly Choice[] {
  const needed = terms?.votes ?? 1;
  const approve = needed > 1 ? approval.voteButton({ count: votes.length, needed }) : question.approveButton;
  return [
    { label: approve, data: `a:${id}:y`, style: "approve" },
    ...(canPreview ? [{ label: question.previewButton, data: `a:${id}:p`, style: "plain" } as const] : []),
    { label: question.rejectButton, data: `a:${id}:n`, style: "reject" },
  ];
}
