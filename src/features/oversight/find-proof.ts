import type { TurnInput } from "../../kernel/agent/types.ts";
import type { JsonValue } from "../../core/canonical-json.ts";
import { listAuditOfTurns, type LinkedAuditRow } from "../../store/queries/audit.ts";
import { listLedger } from "../../store/queries/ledger.ts";
import { findLastAnswer, findNames } from "./queries/proof.ts";
import { listDecidedQuestions, type Question } from "../../store/queries/questions.ts";
import { listTasks } from "../../store/queries/tasks.ts";
import { findTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { CallTrace } from "../../kernel/tools/call-journal.ts";
import type { ToolOutcome } from "../../kernel/tools/types.ts";
import { readBadEnd } from "../../channels/command-end.ts";
import type { CommandEnd } from "../../channels/tool-activity.ts";

/** One call behind an answer. */
export interface ProvenCall {
  readonly tool: string;
  readonly argument: string;
  readonly outcome: ToolOutcome["kind"];
  readonly at: number;
  readonly ms: number;
  /** The sub-agent that made it. */
  readonly agent: string | undefined;
  /** A D-Mail took it out of what the answer was made from. */
  readonly left: boolean;
  /** A command that did not go well, although it ran. */
  readonly ended: CommandEnd | undefined;
  /** Addresses and files that its result names. */
  readonly sources: readonly string[];
  readonly question:
    | { readonly code: string; readonly name: string; readonly approved: boolean; readonly at: number }
    | undefined;
  readonly seq: number;
  readonly hash: string;
}

export interface Proof {
  readonly turn: string;
  readonly at: number;
  readonly calls: readonly ProvenCall[];
}

const maxSources = 5;

/** Finds the evidence for the last answer of a conversation, from the tables alone. undefined = there is no answer. */
export async function findProof({ main }: Pick<Store, "main">, session: string): Promise<Proof | undefined> {
  const answer = await findLastAnswer(main, session);
  const turn = answer && (await findTurn(main, answer.turn));
  if (!answer || !turn) return undefined;
  const { report } = JSON.parse(turn.input) as TurnInput;
  const turns = [turn.id, ...(report === undefined ? [] : [report])];
  // Tasks may have sent others.
  for (const id of turns) turns.push(...(await listTasks(main, id)).map((task) => task.id));
  const rows = await listAuditOfTurns(main, turns);
  const ends = new Map(
    rows
      .filter(({ action }) => action.startsWith("tool."))
      .map((row): [string, LinkedAuditRow] => [`${row.turn}/${row.call}`, row]),
  );
  const questions: Question[] = [];
  const results = new Map<string, readonly string[]>();
  const badEnds = new Map<string, CommandEnd>();
  for (const id of turns) {
    questions.push(...(await listDecidedQuestions(main, id)));
    for (const { call, outcome } of await listLedger(main, id)) {
      if (outcome === null) continue;
      const ended = JSON.parse(outcome) as ToolOutcome;
      results.set(`${id}/${call}`, findSources(ended));
      const bad = "envelope" in ended ? readBadEnd(ended.envelope.output) : undefined;
      if (bad) badEnds.set(`${id}/${call}`, bad);
    }
  }
  const names = await findNames(
    main,
    questions.flatMap(({ closedBy }) => closedBy ?? []),
  );
  const calls = [...ends].flatMap(([key, row]): readonly ProvenCall[] => {
    const detail = JSON.parse(row.detail) as Partial<CallTrace> & { readonly agent?: string };
    if (detail.hidden === true) return [];
    const question = questions.find((one) => one.turn === row.turn && one.calls.some(({ call }) => call === row.call));
    const state = question?.calls.find(({ call }) => call === row.call)?.state;
    const proven = {
      tool: detail.tool ?? "",
      argument: detail.argument ?? "",
      outcome: toOutcome(row.action),
      at: row.at,
      ms: detail.ms ?? 0,
      agent: detail.agent,
      left: row.turn === turn.id && !answer.calls.has(row.call ?? ""),
      ended: badEnds.get(key),
      sources: results.get(key) ?? [],
      question: question && {
        code: question.code,
        name: nameDecider(question, names),
        approved: state === "approved" || state === "consumed",
        at: question.closedAt ?? 0,
      },
      seq: row.seq,
      hash: row.hash ?? "",
    };
    return [proven];
  });
  return { turn: turn.id, at: answer.at, calls };
}

/** A call that only recorded its start has an unknown outcome. */
function toOutcome(action: string): ToolOutcome["kind"] {
  const word = action.slice("tool.".length);
  return word === "done" || word === "failed" || word === "denied" ? word : "unknown";
}

function nameDecider({ asker, askerName, closedBy }: Question, names: ReadonlyMap<string, string>): string {
  if (closedBy === null || closedBy === asker) return askerName;
  return names.get(closedBy) ?? closedBy;
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
