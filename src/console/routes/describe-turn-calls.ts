import type { Kysely } from "kysely";
import type { Language } from "../../core/conversation.ts";
import type { RecordedCall, TurnRecords } from "../../features/oversight/read-calls.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import type { Database } from "../../store/schema/database.ts";
import { listDecisions } from "../../store/queries/decisions.ts";
import type { LedgerRow } from "../../store/queries/ledger.ts";
import type { AskedCall, Question } from "../../store/queries/questions.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import type { TurnCallView } from "../views/turn-views.ts";
import { nameTool } from "./describe-session.ts";
import type { ShowParts } from "./show-question.ts";

const maxArgument = 160;
const maxReason = 400;

/** A call with its round in the turn, which for a sub-agent's call is that of the call that started the sub-agent. */
export interface PlacedCall extends TurnCallView {
  readonly round: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The rows about one call; no single table has all of them. */
interface Traces {
  readonly turn: string;
  readonly call: string;
  readonly decision: Awaited<ReturnType<typeof listDecisions>>[number] | undefined;
  readonly recorded: RecordedCall | undefined;
  readonly ran: LedgerRow | undefined;
  readonly question: Question | undefined;
  readonly asked: AskedCall | undefined;
}

/** The calls of the turn (the first of `turns`) and of its sub-agents in their order, and when tools ran. */
export async function describeTurnCalls(
  db: Kysely<Database>,
  {
    findTool,
    language,
    records,
    turns,
  }: {
    readonly turns: readonly TurnRow[];
    readonly records: TurnRecords;
    readonly findTool: ShowParts["findTool"];
    readonly language: Language;
  },
): Promise<{ readonly calls: readonly PlacedCall[]; readonly spans: readonly Span[] }> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const traces = collectTraces(await listDecisions(db, [...byId.keys()]), records).filter(
    ({ recorded, ...trace }) =>
      recorded?.isHidden !== true && findTool(toolOf({ recorded, ...trace }))?.hidden !== true,
  );
  const placed = traces
    .map((trace) => ({ trace, path: pathOf(trace, byId) }))
    .toSorted((one, other) => comparePaths(one.path, other.path));
  return {
    calls: placed.map(({ path, trace }) => ({
      round: path[0] ?? 0,
      ...describeCall(trace, byId.get(trace.turn), language),
    })),
    spans: traces.flatMap(findSpan),
  };
}

export function nameAgent(task: TurnRow): string {
  const { agent } = JSON.parse(task.input) as Partial<TurnInput>;
  return toLine(agent?.id ?? "", maxName);
}

function collectTraces(
  decisions: readonly NonNullable<Traces["decision"]>[],
  { calls, ledger, questions }: TurnRecords,
): readonly Traces[] {
  const key = ({ call, turn }: { readonly turn: string; readonly call: string }) => `${turn}/${call}`;
  const index = <Row extends { readonly turn: string; readonly call: string }>(rows: readonly Row[]) =>
    new Map(rows.map((row) => [key(row), row] as const));
  const asked = index(
    questions.flatMap((question) =>
      question.calls.map((one) => ({ turn: question.turn, call: one.call, question, asked: one })),
    ),
  );
  const [judged, recorded, ran] = [index(decisions), index(calls), index(ledger)];
  const all = new Map([...decisions, ...calls, ...ledger, ...asked.values()].map((row) => [key(row), row]));
  return [...all].map(([name, { call, turn }]) => ({
    turn,
    call,
    decision: judged.get(name),
    recorded: recorded.get(name),
    ran: ran.get(name),
    question: asked.get(name)?.question,
    asked: asked.get(name)?.asked,
  }));
}

const toolOf = ({ asked, decision, ran, recorded }: Traces): string =>
  decision?.tool ?? recorded?.tool ?? asked?.tool ?? ran?.tool ?? "";

function describeCall(trace: Traces, turn: TurnRow | undefined, language: Language): TurnCallView {
  const { asked, call, decision, question, recorded } = trace;
  const verdict = decision?.verdict ?? recorded?.verdict;
  const reason = toLine(decision?.reason || recorded?.reason || "", maxReason);
  const agent = turn?.kind === "task" ? nameAgent(turn) : recorded?.agent;
  const span = findSpan(trace)[0];
  return {
    call,
    tool: nameTool(toolOf(trace), language),
    argument: toLine(recorded?.argument || asked?.summary || "", maxArgument),
    ...(agent !== undefined && { agent: toLine(agent, maxName) }),
    ...(verdict && { verdict }),
    ...(reason !== "" && { reason }),
    state: findState(trace, turn?.state !== "ended"),
    ...(span && { ms: span.to - span.from }),
    ...(question && { question: question.code }),
  };
}

function findState({ asked, question, ran, recorded }: Traces, isAlive: boolean): TurnCallView["state"] {
  if (asked?.state === "rejected") return "rejected";
  if (recorded !== undefined && recorded.outcome !== "started") return recorded.outcome;
  if (question?.state === "open") return "waits";
  if (recorded !== undefined || ran?.state === "started") return isAlive ? "running" : "unknown";
  return "none";
}

/** When it ran: by the ledger, and where that is pruned by the audit. */
function findSpan({ ran, recorded }: Pick<Traces, "ran" | "recorded">): readonly Span[] {
  if (recorded?.outcome === "denied") return [];
  if (ran?.finished_at) return [{ from: ran.started_at, to: ran.finished_at }];
  return recorded && recorded.ms > 0 ? [{ from: recorded.at - recorded.ms, to: recorded.at }] : [];
}

/** `2.1` of a sub-agent that call `1.3` sent is at 1, 3, 2, 1. */
function pathOf({ call, turn }: Pick<Traces, "call" | "turn">, turns: ReadonlyMap<string, TurnRow>): readonly number[] {
  const own = call.split(".").map((part) => Number(part) || 0);
  const { parent, parentCall } = turns.get(turn) ?? {};
  if (!parent || !parentCall || !turns.has(parent)) return own;
  return [...pathOf({ turn: parent, call: parentCall }, turns), ...own];
}

function comparePaths(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}
