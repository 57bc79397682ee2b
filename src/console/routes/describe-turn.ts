import type { Kysely } from "kysely";
import { joinTaint } from "../../core/taint.ts";
import type { Clock } from "../../core/clock.ts";
import type { ModelCall } from "../../core/usage.ts";
import { countMemories } from "../../features/memory/queries/count-memories.ts";
import { listTasksBelow, readRecords } from "../../features/oversight/read-calls.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import type { Database } from "../../store/schema/database.ts";
import { listModelCalls } from "../../store/queries/model-calls.ts";
import { findNames } from "../../store/queries/people.ts";
import type { Question } from "../../store/queries/questions.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";
import { countOfSession, readLabelsOfTurn } from "../../store/queries/transcript.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import type { CardView, RoundView, TaskView, ThoughtView, TurnState, TurnView } from "../views/turn-views.ts";
import { describeTurnCalls, nameAgent, type PlacedCall, type Span } from "./describe-turn-calls.ts";
import { showEnd, type Reader, type ShowParts } from "./show-question.ts";

const million = 1_000_000;
const maxSources = 5;

interface DescribeTurnParts extends Pick<ShowParts, "store" | "findTool"> {
  readonly clock: Clock;
}

/** One turn with its sub-agents, from the rows that are still stored. */
export async function describeTurn(
  { clock, findTool, store: { main: db } }: DescribeTurnParts,
  turn: TurnRow,
  reader: Reader,
): Promise<TurnView> {
  const now = clock.now();
  const input = JSON.parse(turn.input) as Partial<TurnInput>;
  const tasks = await listTasksBelow(db, [turn.id]);
  const turns = [turn, ...tasks];
  const ids = turns.map(({ id }) => id);
  const [records, requests, labels, chat] = await Promise.all([
    readRecords(db, ids),
    listModelCalls(db, ids),
    readLabelsOfTurn(db, { session: turn.session, turn: turn.id, position: input.position ?? 0 }),
    countChat(db, turn.session, input.person?.id, now),
  ]);
  const made = await describeTurnCalls(db, { turns, records, findTool, language: reader.language });
  const closers = records.questions.flatMap(({ closedBy }) => closedBy ?? []);
  const names = new Map([
    ...records.questions.map(({ asker, askerName }) => [asker, askerName] as const),
    ...(await findNames(db, [...new Set(closers)])),
  ]);
  const ended = turn.state === "ended" ? turn.updatedAt : undefined;
  const waited = records.questions.map(({ closedAt, createdAt }) => ({
    from: createdAt,
    to: closedAt ?? ended ?? now,
  }));
  const worked = [...requests.map(({ ms, startedAt }) => ({ from: startedAt, to: startedAt + ms })), ...made.spans];
  const waitedMs = measure(waited);
  const seqs = records.audit.map(({ seq }) => seq);
  const [first, last] = [seqs[0], seqs.at(-1)];
  const sources = [...(input.sources ?? []), ...labels.flatMap((label) => label.sources)];
  return {
    id: turn.id,
    session: turn.session,
    person: toLine(input.person?.name ?? "", maxName),
    began: turn.createdAt,
    ...(ended !== undefined && { ended }),
    state: stateOf(turn),
    models: [...new Set(requests.map(({ model }) => toLine(model, maxName)))],
    ...(requests.length > 0 && { sums: sumUp(requests) }),
    // Where no request is recorded, all its time but the waiting counts.
    workMs: requests.length > 0 ? measure(worked) : Math.max(0, (ended ?? now) - turn.createdAt - waitedMs),
    waitedMs,
    taint: joinTaint(input.taint ?? "owner", ...labels.map(({ taint }) => taint)),
    sources: [...new Set(sources)].slice(0, maxSources).map((source) => toLine(source, maxName)),
    rounds: layRounds(
      requests.filter((request) => request.turn === turn.id),
      made.calls,
    ),
    questions: records.questions.map((question) => {
      const end = showEnd(question, names, reader);
      return {
        id: question.id,
        code: question.code,
        state: question.state === "decided" ? (question.decision ?? "rejected") : question.state,
        ...(end && { end }),
        asked: question.createdAt,
        cards: listCards(question),
      };
    }),
    tasks: tasks.map((task) => describeTask(task, requests)),
    ...(first !== undefined && last !== undefined && { audit: { first, last } }),
    chat,
  };
}

function layRounds(requests: readonly ModelCall[], calls: readonly PlacedCall[]): readonly RoundView[] {
  const numbers = new Set([...requests, ...calls].map(({ round }) => round));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((round) => {
      const of = calls.filter((call) => call.round === round);
      const count = (verdict: string) => of.filter((one) => one.verdict === verdict && one.agent === undefined).length;
      return {
        round,
        thoughts: requests.filter((request) => request.round === round).map(showThought),
        verdicts: { allow: count("allow"), ask: count("ask"), deny: count("deny") },
        calls: of.map(({ round: _round, ...call }) => call),
      };
    });
}

function showThought({ cached, end, input, model, ms, output }: ModelCall): ThoughtView {
  return { model: toLine(model, maxName), ms, input, cached, output, end };
}

function sumUp(requests: readonly ModelCall[]): NonNullable<TurnView["sums"]> {
  const sum = (key: "input" | "cached" | "output" | "cost") => requests.reduce((all, one) => all + one[key], 0);
  const cost = sum("cost");
  return {
    input: sum("input"),
    cached: sum("cached"),
    output: sum("output"),
    ...(cost > 0 && { cost: cost / million }),
    ...(requests.some(({ isEstimated }) => isEstimated) && { estimated: true }),
  };
}

function describeTask(task: TurnRow, requests: readonly ModelCall[]): TaskView {
  const own = requests.filter(({ turn }) => turn === task.id);
  return {
    id: task.id,
    agent: nameAgent(task),
    call: task.parentCall ?? "",
    state: stateOf(task),
    thoughts: own.length,
    ms: own.reduce((all, { ms }) => all + ms, 0),
  };
}

const stateOf = ({ outcome, state }: TurnRow): TurnState => (state === "ended" ? (outcome ?? "failed") : state);

/** The chats that show the card, by their platforms. */
function listCards({ promptMessage, routed, session, shownAt }: Question): readonly CardView[] {
  const others = routed.filter((place) => place.session !== session);
  return [{ session, promptMessage, shownAt }, ...others]
    .filter((place) => place.promptMessage !== null)
    .map((place) => ({
      platform: place.session.split(":")[0] ?? "",
      ...(place.shownAt !== null && { at: place.shownAt }),
    }));
}

async function countChat(
  db: Kysely<Database>,
  id: string,
  person: string | undefined,
  now: number,
): Promise<TurnView["chat"]> {
  const session = await findWholeSession(db, id);
  const [counts, remembered] = await Promise.all([
    session && countOfSession(db, session, now),
    person === undefined ? 0 : countMemories(db, person),
  ]);
  return { messages: session?.last_position ?? 0, remembered, grants: counts?.grants ?? 0 };
}

/** The time that these spans cover; what overlaps counts once. */
function measure(spans: readonly Span[]): number {
  let [covered, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    covered += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return covered;
}
