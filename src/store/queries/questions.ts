import type { Kysely, Selectable } from "kysely";
import type { JsonObject, Taint } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

export type QuestionState = "open" | "decided" | "expired" | "cancelled";
export type CallState = "asked" | "approved" | "rejected" | "consumed";
export type QuestionDecision = "approved" | "rejected";
export type ClosedHow =
  | "words"
  | "button"
  | "command"
  | "console"
  | "changed"
  | "expiry"
  | "stop"
  | "new"
  | "worldline"
  | "policy"
  | "pause";

export interface AskedCall {
  readonly call: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly hash: string;
  /** The key argument, for lists. */
  readonly summary: string;
  /** The full effect, as the question shows it. */
  readonly detail: string;
  /** Hosts it may reach, as the skills of the turn declared them; part of the hash. */
  readonly network: readonly string[];
  /** Why it is asked for. */
  readonly because: readonly AskedBecause[];
  /** The scope of a grant for it; null when there can be none. */
  readonly scope: GrantScope | null;
  readonly state: CallState;
}

/** As the gate gave it (kernel/tools/types.ts: AskReason). */
type AskedBecause =
  | { readonly kind: "level" }
  | { readonly kind: "address"; readonly hosts: readonly string[] }
  | { readonly kind: "taint"; readonly sources: readonly string[]; readonly earlier?: true }
  | { readonly kind: "grant"; readonly code: string }
  | { readonly kind: "network"; readonly hosts: readonly string[] };

/** As the gate gave them (kernel/tools/types.ts: ApprovalTerms). */
export interface AskedTerms {
  readonly approvers?: readonly string[];
  readonly votes: number;
  readonly askerMayApprove: boolean;
  readonly ask: "chat" | "owner";
}

/**
 * Calls of the same tool that are alike: those in one folder (not below it), or exactly the same arguments. `definition` =
 * a hash of what the operator set for the tool, if anything.
 */
export type GrantScope = (
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "exact"; readonly hash: string }
) & { readonly definition?: string };

interface Vote {
  readonly person: string;
  readonly name: string;
}

/** The place of a question in a chat other than its own. */
interface RoutedPrompt {
  readonly session: string;
  readonly promptMessage: string | null;
  readonly shownAt: number | null;
}

/** A question of one round of a turn, with every call it asks for. */
export interface Question {
  readonly id: string;
  readonly code: string;
  readonly session: string;
  readonly turn: string;
  /** LangGraph's id of the interrupt that waits for the answer. */
  readonly interrupt: string;
  /** Person id of the one it was asked for. */
  readonly asker: string;
  readonly askerName: string;
  /** The sub-agent that wants to do it; null for the main agent. */
  readonly agent: string | null;
  readonly state: QuestionState;
  readonly decision: QuestionDecision | null;
  readonly policy: string;
  readonly promptMessage: string | null;
  readonly shownAfter: number | null;
  /** When the prompt went out by the platform's clock, milliseconds; null when the platform does not report it. */
  readonly shownAt: number | null;
  readonly deadline: number;
  readonly createdAt: number;
  readonly closedAt: number | null;
  readonly closedBy: string | null;
  readonly closedHow: ClosedHow | null;
  /** Null means the default terms. */
  readonly terms: AskedTerms | null;
  /** The yeses so far, oldest first; only of a question that needs several. */
  readonly votes: readonly Vote[];
  /** The other chats it is asked in; with terms that ask the owner, the answer counts there only. */
  readonly routed: readonly RoutedPrompt[];
  readonly calls: readonly AskedCall[];
}

export type NewQuestion = Omit<
  Question,
  | "state"
  | "decision"
  | "promptMessage"
  | "shownAfter"
  | "shownAt"
  | "closedAt"
  | "closedBy"
  | "closedHow"
  | "calls"
  | "agent"
  | "terms"
  | "votes"
  | "routed"
> & {
  readonly agent?: string | null;
  readonly terms?: AskedTerms | null;
  /** Sessions of the other chats it is asked in. */
  readonly routed?: readonly string[];
  /** A call without `network` may reach no host. */
  readonly calls: readonly (Omit<AskedCall, "state" | "network" | "because" | "scope"> &
    Partial<Pick<AskedCall, "network" | "because" | "scope">>)[];
};

/** Yields one row for each call. */
export function selectQuestions(db: Kysely<Database>) {
  return db
    .selectFrom("questions")
    .leftJoin("question_calls", "question_calls.question", "questions.id")
    .selectAll("questions")
    .select([
      "question_calls.call",
      "question_calls.tool",
      "question_calls.arguments",
      "question_calls.hash",
      "question_calls.summary",
      "question_calls.detail",
      "question_calls.network",
      "question_calls.because",
      "question_calls.scope",
      "question_calls.state as call_state",
    ]);
}

type QuestionQuery = ReturnType<typeof selectQuestions>;
type QuestionRow = Awaited<ReturnType<QuestionQuery["execute"]>>[number];

/** The questions in the order of the query, each with its calls in theirs. */
export async function readQuestions(
  db: Kysely<Database>,
  query: Pick<QuestionQuery, "orderBy">,
): Promise<readonly Question[]> {
  const rows = (await query.orderBy("question_calls.position").execute()) as readonly QuestionRow[];
  const byId = Map.groupBy(rows, ({ id }) => id);
  // Most questions have the default terms: they need no votes, and are shown in their own chat only.
  const special = [...byId].flatMap(([id, [row]]) => (row?.terms === null ? [] : [id]));
  const votes =
    special.length === 0
      ? []
      : await db.selectFrom("votes").selectAll().where("question", "in", special).orderBy("voted_at").execute();
  const prompts =
    special.length === 0
      ? []
      : await db.selectFrom("question_prompts").selectAll().where("question", "in", special).execute();
  return [...byId].flatMap(([id, [row, ...others]]) =>
    row === undefined
      ? []
      : [
          {
            ...readRow(row),
            votes: votes.filter(({ question }) => question === id).map(({ person, name }) => ({ person, name })),
            routed: prompts
              .filter(({ question }) => question === id)
              .map((row) => ({ session: row.session, promptMessage: row.prompt_message, shownAt: row.shown_at })),
            calls: [row, ...others].flatMap(readCall),
          },
        ],
  );
}

function readRow(row: Selectable<Database["questions"]>): Omit<Question, "votes" | "routed" | "calls"> {
  return {
    id: row.id,
    code: row.code,
    session: row.session,
    turn: row.turn,
    interrupt: row.interrupt,
    asker: row.asker,
    askerName: row.asker_name,
    agent: row.agent,
    state: row.state as QuestionState,
    decision: row.decision as QuestionDecision | null,
    policy: row.policy,
    promptMessage: row.prompt_message,
    shownAfter: row.shown_after,
    shownAt: row.shown_at,
    deadline: row.deadline,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    closedBy: row.closed_by,
    closedHow: row.closed_how as ClosedHow | null,
    terms: row.terms === null ? null : (JSON.parse(row.terms) as AskedTerms),
  };
}

function readCall(row: QuestionRow): readonly AskedCall[] {
  const { call, tool, arguments: given, hash, summary, detail } = row;
  // A question without calls.
  if (call === null || tool === null || given === null || hash === null || summary === null || detail === null)
    return [];
  return [
    {
      call,
      tool,
      arguments: JSON.parse(given) as JsonObject,
      hash,
      summary,
      detail,
      network: JSON.parse(row.network ?? "[]") as string[],
      because: JSON.parse(row.because ?? "[]") as AskedBecause[],
      scope: row.scope === null ? null : (JSON.parse(row.scope) as GrantScope),
      state: row.call_state as CallState,
    },
  ];
}

export async function findQuestion(db: Kysely<Database>, id: string): Promise<Question | undefined> {
  return (await readQuestions(db, selectQuestions(db).where("questions.id", "=", id)))[0];
}

/** The taint of the turn that asked, when it asked; undefined when it was not recorded. */
export async function findQuestionTaint(db: Kysely<Database>, id: string): Promise<Taint | undefined> {
  const row = await db
    .selectFrom("questions")
    // The note that says so was appended right after the question was written.
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.session", "=", "questions.session")
        .onRef("messages.branch", "=", "questions.branch")
        .onRef("messages.position", ">", "questions.position")
        .onRef("messages.question", "=", "questions.id"),
    )
    .select("messages.taint")
    .where("questions.id", "=", id)
    .orderBy("messages.position")
    .limit(1)
    .executeTakeFirst();
  return row?.taint as Taint | undefined;
}

export async function findQuestionByInterrupt(
  db: Kysely<Database>,
  turn: string,
  interrupt: string,
): Promise<Question | undefined> {
  const query = selectQuestions(db).where("questions.turn", "=", turn).where("questions.interrupt", "=", interrupt);
  return (await readQuestions(db, query))[0];
}

/** The questions of a turn that were answered, in that order. */
export async function listDecidedQuestions(db: Kysely<Database>, turn: string): Promise<readonly Question[]> {
  // SQLite would take the state to its index, and read every decided question there is.
  const all = await readQuestions(
    db,
    selectQuestions(db).where("questions.turn", "=", turn).orderBy("questions.closed_at"),
  );
  return all.filter(({ state }) => state === "decided");
}

/** Everything that these turns asked, in that order. */
export async function listQuestionsOfTurns(
  db: Kysely<Database>,
  turns: readonly string[],
): Promise<readonly Question[]> {
  if (turns.length === 0) return [];
  const query = selectQuestions(db).where("questions.turn", "in", turns);
  return readQuestions(db, query.orderBy("questions.created_at").orderBy("questions.id"));
}

/** Open questions, oldest first; of one session when given. */
export async function listOpenQuestions(db: Kysely<Database>, session?: string): Promise<readonly Question[]> {
  let query = selectQuestions(db).where("questions.state", "=", "open");
  if (session !== undefined) query = query.where("questions.session", "=", session);
  return readQuestions(db, query.orderBy("questions.created_at").orderBy("questions.id"));
}

/** Questions of a session that closed after `since`, newest first. */
export async function listClosedQuestions(
  db: Kysely<Database>,
  session: string,
  since: number,
): Promise<readonly Question[]> {
  const query = selectQuestions(db).where("questions.session", "=", session).where("questions.closed_at", ">", since);
  return readQuestions(db, query.orderBy("questions.closed_at", "desc"));
}

/** The newest questions of all sessions that closed after `since`, newest first; of these askers alone when given. */
export async function listClosedSince(
  db: Kysely<Database>,
  since: number,
  limit: number,
  askers?: readonly string[],
): Promise<readonly Question[]> {
  let query = db.selectFrom("questions").select("id").where("closed_at", ">", since);
  if (askers !== undefined) query = query.where("asker", "in", askers);
  const newest = await query.orderBy("closed_at", "desc").limit(limit).execute();
  if (newest.length === 0) return [];
  const ids = newest.map(({ id }) => id);
  return readQuestions(
    db,
    selectQuestions(db).where("questions.id", "in", ids).orderBy("questions.closed_at", "desc").orderBy("questions.id"),
  );
}

/** When the next open question expires. */
export async function findEarliestDeadline(db: Kysely<Database>): Promise<number | undefined> {
  const open = db.selectFrom("questions").where("state", "=", "open");
  const row = await open.select((expression) => expression.fn.min("deadline").as("deadline")).executeTakeFirst();
  return row?.deadline ?? undefined;
}
