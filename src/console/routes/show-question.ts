import type { Language } from "../../core/conversation.ts";
import { makeVisible, showExactly, showName } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { KnownTool } from "../../kernel/gate/types.ts";
import { canGrant } from "../../kernel/gate/make-grants.ts";
import { describePattern } from "../../kernel/questions/describe-grants.ts";
import { listPlaces } from "../../kernel/questions/question-cards.ts";
import type { ConsoleDecisions } from "../../kernel/questions/decide-at-console.ts";
import type { ExplainQuestion } from "../../kernel/questions/render-question.ts";
import type { Store } from "../../store/open-store.ts";
import { findNames } from "../../store/queries/people.ts";
import type { AskedCall, Question } from "../../store/queries/questions.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { nameSessions } from "../names/name-sessions.ts";
import type { CardPreviews } from "./card-previews.ts";
import type { AskedCallView, DiffView, GrantWish, QuestionEnd, QuestionView } from "../views/question-views.ts";

export interface ShowParts {
  readonly store: Pick<Store, "main">;
  readonly mayApprove: (question: Question) => Promise<boolean>;
  readonly supportsPreview: ConsoleDecisions["supportsPreview"];
  readonly findPreview: CardPreviews["find"];
  readonly explain: ExplainQuestion;
  readonly findTool: (name: string) => KnownTool | undefined;
}

export interface Reader {
  readonly person: string;
  readonly language: Language;
}

/** As the words 「确认 30分钟」 and 「确认 本任务」 give them. */
const grants: readonly GrantWish[] = [{ kind: "time", ms: 30 * 60_000 }, { kind: "task" }];

export async function showQuestions(
  parts: ShowParts,
  questions: readonly Question[],
  reader: Reader,
): Promise<readonly QuestionView[]> {
  const closers = questions.flatMap(({ closedBy }) => (closedBy === null ? [] : [closedBy]));
  const askers = questions.map(({ asker, askerName }) => [asker, askerName] as const);
  const names = new Map([...askers, ...(await findNames(parts.store.main, [...new Set(closers)]))]);
  const sessions = [...new Set(questions.map(({ session }) => session))];
  const chats = await nameSessions(parts.store.main, await findListedSessions(parts.store.main, sessions));
  return Promise.all(questions.map((question) => showQuestion(parts, question, { names, chats }, reader)));
}

async function showQuestion(
  parts: ShowParts,
  question: Question,
  { names, chats }: { readonly names: ReadonlyMap<string, string>; readonly chats: ReadonlyMap<string, string> },
  reader: Reader,
): Promise<QuestionView> {
  const { agent, asker, askerName, calls, code, createdAt, deadline, id, terms, votes } = question;
  const session = await findSession(parts.store.main, question.session);
  const { why, places } = session ? parts.explain(question, session, reader.language) : { why: [], places: [] };
  const end = showEnd(question, names, reader);
  const isOpen = question.state === "open";
  const yours = isOpen && (await parts.mayApprove(question));
  const preview = parts.findPreview(question);
  return {
    id,
    code,
    session: question.session,
    chat: {
      platform: question.session.split(":")[0] ?? "",
      kind: session?.chat_kind === "group" ? "group" : "private",
      name: chats.get(question.session) ?? showName(session?.chat ?? question.session),
    },
    asker: { name: showName(askerName), you: asker === reader.person },
    ...(agent !== null && { agent: showName(agent) }),
    state: question.state === "decided" ? (question.decision ?? "rejected") : question.state,
    ...(end && { end }),
    created: createdAt,
    deadline,
    votes: {
      have: votes.length,
      need: terms?.votes ?? 1,
      yours: votes.some(({ person }) => person === reader.person),
    },
    yours,
    why: why.map(makeVisible),
    effects: places.map(makeVisible),
    calls: calls.map((call) => showCall(call, parts.findTool(call.tool), reader.language)),
    grants: isOpen && canGrant(question) ? grants : [],
    canPreview: yours && parts.supportsPreview(question),
    ...(preview && { preview }),
    shownIn: [...new Set(listPlaces(question).map((place) => place.session.split(":")[0] ?? ""))],
  };
}

function showCall(asked: AskedCall, tool: KnownTool | undefined, language: Language): AskedCallView {
  const { call, detail, hash, network, scope, state, summary } = asked;
  const words = wordsFor(language);
  const names: Readonly<Record<string, string>> = words.toolNames;
  const diff = showDiff(asked, tool, language);
  return {
    call,
    hash,
    tool: showName(asked.tool),
    name: names[asked.tool] ?? showName(asked.tool),
    summary: showExactly(summary),
    detail: showExactly(detail),
    ...(diff && { diff }),
    network: network.map(showName),
    ...(scope && { pattern: describePattern({ tool: asked.tool, pattern: scope }, words).trim() }),
    state,
  };
}

/** From the arguments that the approval is bound to. For a tool that overrides another, the detail says more. */
function showDiff({ arguments: given }: AskedCall, tool: KnownTool | undefined, language: Language) {
  if (tool?.diff === undefined || tool.override !== undefined) return undefined;
  const input = tool.input.safeParse(given);
  if (!input.success) return undefined;
  const { file, lines, note } = tool.diff(input.data, language);
  const shown: DiffView = {
    file: showExactly(file),
    note,
    lines: lines.map(({ sign, text }) => ({ sign, text: showExactly(text) })),
  };
  return shown;
}

export function showEnd(
  { closedAt, closedBy, closedHow }: Question,
  names: ReadonlyMap<string, string>,
  reader: Reader,
): QuestionEnd | undefined {
  if (closedAt === null || closedBy === null || closedHow === null) return undefined;
  return {
    by: showName(names.get(closedBy) ?? closedBy),
    you: closedBy === reader.person,
    platform: showName(closedBy.split(":")[0] ?? ""),
    how: closedHow,
    at: closedAt,
  };
}
