import { showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { AskedCall, Question } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import { canGrant } from "../../policy/make-grants.ts";
import { describePattern } from "./describe-grants.ts";
import { describeTerms } from "./describe-status.ts";

/** What the turn had read, of all calls of a question. */
export function listSources({ calls }: Question): readonly string[] {
  return unique(calls.flatMap(listReasons).flatMap((reason) => (reason.kind === "taint" ? reason.sources : [])));
}

/** Why it is asked now, when the reason is more than that this tool always asks, and whose yes it needs. Sources are named elsewhere (`listSources`). */
export function explainWhy(question: Question, session: SessionRow, words: Words): readonly string[] {
  const { approval } = words;
  const reasons = question.calls.flatMap(listReasons);
  const isRead = reasons.some(({ kind }) => kind === "taint") && listSources(question).length === 0;
  const reach = new Set(question.calls.flatMap(({ network }) => network));
  const hosts = reasons.flatMap((reason) => (reason.kind === "network" ? reason.hosts : []));
  const named = unique(hosts).filter((host) => !reach.has(host));
  const strange = unique(reasons.flatMap((reason) => (reason.kind === "address" ? reason.hosts : [])));
  const isRouted = session.id !== question.session;
  const origin = { asker: showName(question.askerName), chat: showName(question.session) };
  return [
    ...(isRouted ? [approval.askedIn(origin)] : []),
    ...(isRead ? [approval.whyRead] : []),
    ...(strange.length > 0 ? [approval.whyAddress({ hosts: strange.map(showName) })] : []),
    ...(named.length > 0 ? [approval.whyNetwork({ hosts: named.map(showName) })] : []),
    ...describeTerms(question.terms, words),
  ];
}

/** What can be said besides yes and no. A grant is never offered without what it would cover. */
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

const listReasons = ({ because }: AskedCall) => because;

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
