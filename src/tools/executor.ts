import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Taint, ToolCall } from "../core/conversation.ts";
import { AppError } from "../core/errors.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { findLedgerRow, finishLedgerRow, startLedgerRow } from "../store/queries/ledger.ts";
import { findSessionMode } from "../store/queries/sessions.ts";
import { requireHold, type TurnHold } from "../store/queries/turns.ts";
import type { Store } from "../store/open-store.ts";
import type { Database } from "../store/schema.ts";
import type { ApprovalManager } from "./approval.ts";
import { hashCall } from "./call-hash.ts";
import { judgeCall, versionOf, type PermissionRules } from "./permission.ts";
import { parseArguments, type ToolRegistry } from "./registry.ts";
import type { FitResult } from "./fit-result.ts";
import { readMode } from "./session-mode.ts";
import { runTool } from "./run-tool.ts";
import type { FittedResult, Tool, ToolContext, ToolOutcome } from "./types.ts";

interface Execution {
  readonly call: ToolCall;
  readonly hold: TurnHold;
  /** The rules the turn was judged by; others now = not run. */
  readonly policy: string;
  readonly taint: Taint;
  /** A call that was judged to need a yes runs only with one, even if the rules were relaxed meanwhile. */
  readonly needsApproval: boolean;
  readonly context: Omit<ToolContext, "call" | "now" | "taint">;
}

export interface ToolExecutor {
  execute(execution: Execution): Promise<ToolOutcome>;
  /** Waits until every call that runs has written its outcome. */
  drain(): Promise<void>;
}

/**
 * The only way to a tool. It judges once more, recomputes the hash, uses the approval up and claims the ledger row in
 * one transaction, acts, and writes the outcome. A row that says started without done is never run again by itself.
 * What only reads needs no claim: its row is written when it is done.
 */
export function createToolExecutor(parts: {
  readonly store: Store;
  readonly registry: ToolRegistry;
  readonly approvals: ApprovalManager;
  readonly rules: () => PermissionRules;
  readonly fit: FitResult;
  readonly clock: Clock;
  readonly log: Logger;
}): ToolExecutor {
  const { store, registry, approvals, clock } = parts;

  const running = new Set<Promise<unknown>>();

  async function execute(execution: Execution): Promise<ToolOutcome> {
    const work = judgeAndRun(execution);
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    running.add(ended);
    void ended.then(() => running.delete(ended));
    return work;
  }

  async function judgeAndRun(execution: Execution): Promise<ToolOutcome> {
    const { call, context } = execution;
    if (context.signal.aborted) return { kind: "denied", reason: stoppedReason };
    const tool = registry.find(call.name);
    if (!tool) return { kind: "denied", reason: `There is no tool ${call.name}.` };
    const parsed = parseArguments(tool, call.arguments);
    if (!parsed.ok) return { kind: "denied", reason: parsed.error };
    const rules = parts.rules();
    const policy = versionOf(rules);
    if (policy !== execution.policy)
      return deny(execution, "The rules changed since this call was judged; it did not run.");
    const mode = readMode(await findSessionMode(store.main, context.session));
    const only = context.agent && { only: context.agent.tools };
    const verdict = judgeCall(tool, context.person, execution.taint, rules, { mode, input: parsed.input, ...only });
    if (verdict.kind === "deny") return deny(execution, verdict.reason);
    const hash = hashCall({ tool: tool.name, input: parsed.input, session: context.session, policy });
    const ask = verdict.kind === "ask" || execution.needsApproval;
    // What only reads and needs no yes may run twice, so nothing has to be written before it.
    const unclaimed = tool.readOnly && !ask;
    const claim = unclaimed ? await recallOutcome(execution, hash) : await claimExecution(execution, tool, hash, ask);
    if (claim.kind === "settled") return claim.outcome;

    const started = clock.now();
    const here = { ...context, call: call.id, now: started, taint: execution.taint };
    const result = await runTool(tool, parsed.input, here, parts.log);
    const timingMs = clock.now() - started;
    const outcome = toOutcome(tool, await parts.fit(result, { ...context, call: call.id }), timingMs);
    try {
      await writeOutcome(execution, hash, outcome, unclaimed ? started : undefined);
    } catch (error) {
      // The turn was stopped or taken over while the tool ran; nobody waits for this result any more.
      if (error instanceof AppError && error.code === "TURN_LOST") return { kind: "unknown", reason: unknownReason };
      throw error;
    }
    return outcome;
  }

  /** `started` = when a call began that has no row in the ledger yet. */
  async function writeOutcome(
    { call, context, hold }: Execution,
    hash: string,
    outcome: ToolOutcome,
    started: number | undefined,
  ): Promise<void> {
    const timingMs = "envelope" in outcome ? outcome.envelope.meta.timingMs : 0;
    await store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      if (started !== undefined) {
        await startLedgerRow(tx, {
          turn: hold.turn,
          call: call.id,
          tool: call.name,
          hash,
          token: hold.token,
          now: started,
        });
      }
      await finishLedgerRow(tx, hold.turn, call.id, JSON.stringify(outcome), clock.now());
      await appendAudit(tx, {
        actor: context.person.id,
        action: `tool.${outcome.kind}`,
        session: context.session,
        turn: hold.turn,
        call: call.id,
        detail: { tool: call.name, hash, timingMs, ...nameAgent(context) },
        now: clock.now(),
      });
    });
  }

  type Claim = { readonly kind: "claimed" } | { readonly kind: "settled"; readonly outcome: ToolOutcome };

  async function recallOutcome({ call, hold }: Execution, hash: string): Promise<Claim> {
    const known = await findLedgerRow(store.main, hold.turn, call.id);
    if (known?.hash !== hash || !known.outcome) return { kind: "claimed" };
    return { kind: "settled", outcome: JSON.parse(known.outcome) as ToolOutcome };
  }

  async function claimExecution(execution: Execution, tool: Tool, hash: string, ask: boolean): Promise<Claim> {
    const { call, hold } = execution;
    return store.main.transaction().execute(async (tx): Promise<Claim> => {
      await requireHold(tx, hold);
      if (execution.context.signal.aborted)
        return { kind: "settled", outcome: { kind: "denied", reason: stoppedReason } };
      const known = await findLedgerRow(tx, hold.turn, call.id);
      const same = known?.hash === hash;
      if (same && known.outcome) return { kind: "settled", outcome: JSON.parse(known.outcome) as ToolOutcome };
      if (same && (tool.idempotent || tool.readOnly)) return { kind: "claimed" };
      if (known) {
        await audit(tx, execution, "tool.unknown", hash);
        return { kind: "settled", outcome: { kind: "unknown", reason: unknownReason } };
      }
      if (ask && !(await approvals.consume(tx, hold.turn, call.id, hash))) {
        return {
          kind: "settled",
          outcome: { kind: "denied", reason: "Nobody approved exactly this call; it did not run." },
        };
      }
      const now = clock.now();
      await startLedgerRow(tx, { turn: hold.turn, call: call.id, tool: tool.name, hash, token: hold.token, now });
      await audit(tx, execution, "tool.started", hash);
      return { kind: "claimed" };
    });
  }

  function audit(db: Kysely<Database>, execution: Execution, action: string, hash: string): Promise<void> {
    const { call, context, hold } = execution;
    return appendAudit(db, {
      actor: context.person.id,
      action,
      session: context.session,
      turn: hold.turn,
      call: call.id,
      detail: { tool: call.name, hash, ...nameAgent(context) },
      now: clock.now(),
    });
  }

  async function deny(execution: Execution, reason: string): Promise<ToolOutcome> {
    await appendAudit(store.main, {
      actor: execution.context.person.id,
      action: "tool.denied",
      session: execution.context.session,
      turn: execution.hold.turn,
      call: execution.call.id,
      detail: { tool: execution.call.name, reason, ...nameAgent(execution.context) },
      now: clock.now(),
    });
    return { kind: "denied", reason };
  }

  return {
    execute,
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** For the audit: the sub-agent that called. */
function nameAgent({ agent }: Pick<ToolContext, "agent">): { readonly agent?: string } {
  return agent === undefined ? {} : { agent: agent.id };
}

const stoppedReason = "The turn was stopped before this call began; it did not run.";

const unknownReason =
  "Kurisu was interrupted while this call ran. It may or may not have happened; it was not run again. Tell the person so and offer to look.";

function toOutcome(tool: Tool, result: FittedResult, timingMs: number): ToolOutcome {
  const meta = { timingMs, source: tool.source, ...(tool.taint === undefined ? {} : { taint: tool.taint }) };
  return result.ok
    ? { kind: "done", envelope: { ...result, meta } }
    : { kind: "failed", envelope: { ...result, meta } };
}
