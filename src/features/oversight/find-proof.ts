import type { TurnInput } from "../../kernel/agent/types.ts";
import type { ToolOutcome } from "../../kernel/tools/types.ts";
import { findNames } from "../../store/queries/people.ts";
import type { Question } from "../../store/queries/questions.ts";
import { findTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { findLastAnswer } from "./queries/proof.ts";
import { listTasksBelow, readRecords, type RecordedCall } from "./read-calls.ts";

/** One call behind an answer. */
export interface ProvenCall extends Pick<
  RecordedCall,
  "tool" | "argument" | "at" | "ms" | "agent" | "ended" | "sources" | "seq" | "hash"
> {
  readonly outcome: ToolOutcome["kind"];
  /** A D-Mail took it out of what the answer was made from. */
  readonly left: boolean;
  readonly question:
    | { readonly code: string; readonly name: string; readonly approved: boolean; readonly at: number }
    | undefined;
}

export interface Proof {
  readonly turn: string;
  readonly at: number;
  readonly calls: readonly ProvenCall[];
}

/** Finds the evidence for the last answer of a conversation, from the tables alone. undefined = there is no answer. */
export async function findProof({ main }: Pick<Store, "main">, session: string): Promise<Proof | undefined> {
  const answer = await findLastAnswer(main, session);
  const turn = answer && (await findTurn(main, answer.turn));
  if (!answer || !turn) return undefined;
  const { report } = JSON.parse(turn.input) as TurnInput;
  const own = [turn.id, ...(report === undefined ? [] : [report])];
  const tasks = await listTasksBelow(main, own);
  const { calls, questions } = await readRecords(main, [...own, ...tasks.map(({ id }) => id)]);
  const decided = questions.filter(({ state }) => state === "decided");
  const names = await findNames(
    main,
    decided.flatMap(({ closedBy }) => closedBy ?? []),
  );
  const proven = calls
    .filter(({ isHidden }) => !isHidden)
    .map((made): ProvenCall => {
      const { agent, argument, at, call, ended, hash, ms, outcome, seq, sources, tool } = made;
      const question = decided.find((one) => one.turn === made.turn && one.calls.some((asked) => asked.call === call));
      const state = question?.calls.find((asked) => asked.call === call)?.state;
      return {
        tool,
        argument,
        // A call that only recorded its start has an unknown outcome.
        outcome: outcome === "started" ? "unknown" : outcome,
        at,
        ms,
        agent,
        left: made.turn === turn.id && !answer.calls.has(call),
        ended,
        sources,
        question: question && {
          code: question.code,
          name: nameDecider(question, names),
          approved: state === "approved" || state === "consumed",
          at: question.closedAt ?? 0,
        },
        seq,
        hash,
      };
    });
  return { turn: turn.id, at: answer.at, calls: proven };
}

function nameDecider({ asker, askerName, closedBy }: Question, names: ReadonlyMap<string, string>): string {
  if (closedBy === null || closedBy === asker) return askerName;
  return names.get(closedBy) ?? closedBy;
}
