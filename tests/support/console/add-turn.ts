import type { ModelCall } from "../../../src/core/usage.ts";
import type { Taint } from "../../../src/core/conversation.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { appendAudit } from "../../../src/store/queries/audit.ts";
import { saveDecisions } from "../../../src/store/queries/decisions.ts";
import { insertQuestion } from "../../../src/store/queries/insert-question.ts";
import { finishLedgerRow, startLedgerRow } from "../../../src/store/queries/ledger.ts";
import { insertModelCall } from "../../../src/store/queries/model-calls.ts";
import type { AskedCall, Question } from "../../../src/store/queries/questions.ts";
import { endTurn, insertTurn } from "../../../src/store/queries/turns.ts";
import { makeQuestion } from "../make-question.ts";

interface CallToAdd {
  readonly call: string;
  readonly tool: string;
  readonly argument?: string;
  readonly verdict?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** When it ended, and how long it ran before. Absent = it did not begin. */
  readonly end?: { readonly at: number; readonly ms: number; readonly how?: "done" | "failed" | "denied" };
  readonly isHidden?: boolean;
}

interface TurnToAdd {
  readonly id: string;
  readonly session: string;
  readonly person?: string;
  readonly at: number;
  readonly endsAt?: number;
  readonly taint?: Taint;
  readonly sources?: readonly string[];
  readonly parent?: { readonly turn: string; readonly call: string; readonly agent: string };
  readonly requests?: readonly Partial<ModelCall>[];
  readonly calls?: readonly CallToAdd[];
  readonly question?: Partial<Omit<Question, "calls">> & { readonly call: Partial<AskedCall> };
}

/** A turn through the queries that turns write with. */
export async function addTurn({ main }: Pick<Store, "main">, turn: TurnToAdd): Promise<void> {
  const { at, calls = [], endsAt, id, parent, person = "林溯", requests = [], session, question } = turn;
  const input = {
    turn: id,
    session,
    person: { id: "telegram:7", name: person, role: "member" },
    taint: turn.taint ?? "user",
    sources: turn.sources ?? [],
    position: 1,
    ...(parent && { agent: { id: parent.agent } }),
  };
  const made = { id, session, inbox: `inbox_${id}`, input: JSON.stringify(input), policy: "", owner: "", now: at };
  const lease = await insertTurn(main, { ...made });
  if (parent)
    await main
      .updateTable("turns")
      .set({ kind: "task", parent: parent.turn, parent_call: parent.call })
      .where("id", "=", id)
      .execute();
  for (const request of requests)
    await insertModelCall(main, {
      turn: id,
      round: 1,
      model: "deepseek:deepseek-chat",
      startedAt: at,
      ms: 0,
      input: 0,
      output: 0,
      cached: 0,
      cost: 0,
      isEstimated: false,
      end: "answered",
      ...request,
    });
  for (const call of calls) await addCall(main, { ...turn, ...call });
  if (question !== undefined) {
    const { call, ...rest } = question;
    const asked = { call: "1.1", tool: "file_write", arguments: {}, hash: "h", summary: "", detail: "", network: [] };
    await insertQuestion(main, {
      ...makeQuestion({ session, turn: id, interrupt: `i_${id}`, id: `q_${id}`, ...rest }),
      routed: [],
      calls: [{ ...asked, ...call }],
    });
    await main
      .updateTable("question_calls")
      .set({ state: call.state ?? "asked" })
      .where("question", "=", rest.id ?? `q_${id}`)
      .execute();
    await main
      .updateTable("questions")
      .set({
        state: rest.state ?? "open",
        decision: rest.decision ?? null,
        closed_at: rest.closedAt ?? null,
        closed_by: rest.closedBy ?? null,
        closed_how: rest.closedHow ?? null,
        prompt_message: "p1",
        shown_at: rest.shownAt ?? null,
      })
      .where("id", "=", rest.id ?? `q_${id}`)
      .execute();
  }
  if (endsAt !== undefined) await endTurn(main, lease, "replied", endsAt);
}

async function addCall(main: Store["main"], made: TurnToAdd & CallToAdd): Promise<void> {
  const { argument = "", call, end, id: turn, isHidden, parent, reason = "", session, tool, verdict } = made;
  if (verdict !== undefined)
    await saveDecisions(main, turn, [{ call, tool, hash: "h", verdict, reason, policy: "", grant: null }], made.at);
  if (end === undefined) return;
  const { at, how = "done", ms } = end;
  if (how !== "denied") {
    await startLedgerRow(main, { turn, call, tool, hash: "h", token: 1, now: at - ms });
    await finishLedgerRow(main, turn, call, JSON.stringify({ kind: "unknown", reason: "" }), at);
  }
  await appendAudit(main, {
    actor: "telegram:7",
    action: `tool.${how}`,
    session,
    turn,
    call,
    detail: {
      tool,
      argument,
      level: "safe",
      verdict: verdict ?? "allow",
      ms,
      ...(reason !== "" && { reason }),
      ...(isHidden === true && { hidden: true }),
      ...(parent && { agent: parent.agent }),
    },
    now: at,
  });
}
