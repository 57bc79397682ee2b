import type { Kysely } from "kysely";
import type { JsonValue } from "../../core/canonical-json.ts";
import { readBadEnd } from "../../channels/command-end.ts";
import type { CommandEnd } from "../../channels/tool-activity.ts";
import type { CallTrace } from "../../kernel/tools/call-journal.ts";
import type { ToolOutcome } from "../../kernel/tools/types.ts";
import { listAuditOfTurns, type LinkedAuditRow } from "../../store/queries/audit.ts";
import { listLedger, type LedgerRow } from "../../store/queries/ledger.ts";
import { listQuestionsOfTurns, type Question } from "../../store/queries/questions.ts";
import { listTasks } from "../../store/queries/tasks.ts";
import type { TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";

/** A call as the audit has it. Its words may have been erased there: then they are "". */
export interface RecordedCall {
  readonly turn: string;
  readonly call: string;
  readonly tool: string;
  readonly argument: string;
  readonly verdict: CallTrace["verdict"] | undefined;
  readonly reason: string;
  /** `started` = it has no end yet, or none that is known. */
  readonly outcome: ToolOutcome["kind"] | "started";
  readonly at: number;
  readonly ms: number;
  /** The sub-agent that made it. */
  readonly agent: string | undefined;
  /** See `Tool.hidden`. */
  readonly isHidden: boolean;
  /** A command that did not go well, although it ran. */
  readonly ended: CommandEnd | undefined;
  /** Addresses and files that its result names. */
  readonly sources: readonly string[];
  readonly seq: number;
  readonly hash: string;
}

/** The rows about these turns. */
export interface TurnRecords {
  /** In the order of their first audit rows. */
  readonly calls: readonly RecordedCall[];
  readonly questions: readonly Question[];
  /** Kept for some weeks. */
  readonly ledger: readonly LedgerRow[];
  readonly audit: readonly LinkedAuditRow[];
}

const maxSources = 5;

/** The sub-agents' turns of these turns, and theirs. */
export async function listTasksBelow(db: Kysely<Database>, turns: readonly string[]): Promise<readonly TurnRow[]> {
  const tasks: TurnRow[] = [];
  const parents = [...turns];
  for (const parent of parents) {
    const below = await listTasks(db, parent);
    tasks.push(...below);
    parents.push(...below.map(({ id }) => id));
  }
  return tasks;
}

/** Reads by the numbers of the turns alone, whatever else is stored. */
export async function readRecords(db: Kysely<Database>, turns: readonly string[]): Promise<TurnRecords> {
  const audit = await listAuditOfTurns(db, turns);
  const questions = await listQuestionsOfTurns(db, turns);
  const ledger: LedgerRow[] = [];
  for (const turn of turns) ledger.push(...(await listLedger(db, turn)));
  const last = new Map(
    audit
      .filter(({ action }) => action.startsWith("tool."))
      .map((row): [string, LinkedAuditRow] => [`${row.turn}/${row.call}`, row]),
  );
  const ran = new Map(ledger.map((row) => [`${row.turn}/${row.call}`, row]));
  return { calls: [...last].map(([key, row]) => readCall(row, ran.get(key))), questions, ledger, audit };
}

function readCall(row: LinkedAuditRow, ran: LedgerRow | undefined): RecordedCall {
  const detail = JSON.parse(row.detail) as Partial<CallTrace> & { readonly agent?: string; readonly reason?: string };
  const outcome = ran?.outcome ? (JSON.parse(ran.outcome) as ToolOutcome) : undefined;
  return {
    turn: row.turn ?? "",
    call: row.call ?? "",
    tool: detail.tool ?? "",
    argument: detail.argument ?? "",
    verdict: detail.verdict,
    reason: detail.reason ?? "",
    outcome: toOutcome(row.action),
    at: row.at,
    ms: detail.ms ?? 0,
    agent: detail.agent,
    isHidden: detail.hidden === true,
    ended: outcome && "envelope" in outcome ? readBadEnd(outcome.envelope.output) : undefined,
    sources: outcome ? findSources(outcome) : [],
    seq: row.seq,
    hash: row.hash ?? "",
  };
}

function toOutcome(action: string): RecordedCall["outcome"] {
  const word = action.slice("tool.".length);
  return word === "done" || word === "failed" || word === "denied" || word === "started" ? word : "unknown";
}

function findSources(outcome: ToolOutcome): readonly string[] {
  if (outcome.kind !== "done") return [];
  const found = new Set<string>();
  collect(outcome.envelope.output, found, 3);
  return [...found].slice(0, maxSources);
}

function collect(value: JsonValue, found: Set<string>, depth: number): void {
  if (value === null || typeof value !== "object" || depth === 0) return;
  if (Array.isArray(value)) return value.forEach((item: JsonValue) => collect(item, found, depth - 1));
  for (const [key, item] of Object.entries(value)) {
    if ((key === "url" || key === "path") && typeof item === "string") found.add(item);
    else if (key === "paths" && Array.isArray(item))
      for (const path of item as readonly JsonValue[]) if (typeof path === "string") found.add(path);
    collect(item as JsonValue, found, depth - 1);
  }
}
