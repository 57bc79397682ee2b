import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Taint, ToolCall } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import type { Meter } from "../../core/meter.ts";
import { joinTaint } from "../../core/taint.ts";
import { findDecision, type CallDecision } from "../../store/queries/decisions.ts";
import { findLedgerRow, finishLedgerRow, startLedgerRow } from "../../store/queries/ledger.ts";
import { findApprover, isCallApproved } from "../../store/queries/question-states.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findSessionMode } from "../../store/queries/sessions.ts";
import { assertLease, type TurnLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { ApprovalManager } from "../gate/approval-manager.ts";
import {
  assessCall,
  confirmDecision,
  isDecided,
  readCall,
  type Assessment,
  type ReadCall,
} from "../gate/assess-call.ts";
import { bindCallNow } from "../gate/call-hash.ts";
import { createCallJournal, type CallCode, type CallPlace, type CallSubject, type CallTrace } from "./call-journal.ts";
import { fitDisplay, placePicture } from "./fit-display.ts";
import type { FitResult } from "./fit-result.ts";
import type { Scrub } from "./key-argument.ts";
import { isSameNetwork } from "../gate/network-grant.ts";
import type { PermissionRules } from "../gate/permission.ts";
import { resolveCurrentRole, type FindRole } from "../gate/resolve-current-role.ts";
import type { ToolRegistry } from "./registry.ts";
import { useGrant } from "../gate/use-grant.ts";
import { readMode } from "../gate/session-mode.ts";
import { labelResult } from "./label-result.ts";
import { runTool } from "./run-tool.ts";
import { scrubResult } from "./scrub-result.ts";
import type { SealedTool } from "./sealed-tool.ts";
import type { FittedResult, ToolContext, ToolOutcome } from "./types.ts";
import type { Person } from "../gate/types.ts";

interface Execution {
  readonly call: ToolCall;
  readonly lease: TurnLease;
  /** The rules that the turn was judged by; the call does not run under others. */
  readonly policy: string;
  readonly taint: Taint;
  /** As the call was judged with. */
  readonly sources?: readonly string[];
  readonly addresses?: readonly string[];
  /**
   * The hosts the call was judged with, by default none. Those of `context` are declared now; a difference prevents the
   * run.
   */
  readonly network?: readonly string[];
  readonly context: Omit<ToolContext, "call" | "now" | "taint" | "sources" | "addresses">;
}

/** Brings what a call has written in its session's workspace to where other processes find it. */
export type SaveFiles = (session: string) => Promise<void>;

/** A call that does not run: the gate denied it, or the person rejected it. */
interface Refusal extends CallPlace {
  readonly reason: string;
  readonly by: "gate" | "person";
}

export interface ToolExecutor {
  execute(execution: Execution): Promise<ToolOutcome>;
  /** Runs nothing; the call is logged and audited like any other. */
  refuse(refusal: Refusal): Promise<ToolOutcome>;
  /** Waits until every running call has stored its outcome. */
  drain(): Promise<void>;
}

/**
 * `claimed`: it may run; `written` says that its ledger row has been started. `recalled`: it ended earlier and was
 * traced then.
 */
type Claim =
  | { readonly kind: "claimed"; readonly written: boolean }
  | { readonly kind: "recalled"; readonly outcome: ToolOutcome }
  | {
      readonly kind: "settled";
      readonly outcome: Extract<ToolOutcome, { readonly kind: "denied" | "unknown" }>;
      readonly code: CallCode;
    };

/** A call with everything known about it before it runs. */
interface Prepared extends ReadCall<SealedTool> {
  readonly execution: Execution;
  /** With the current role. */
  readonly person: Person;
  /** The recorded verdict. If it asks, the call needs approval even if the rules were relaxed since. */
  readonly decision: CallDecision;
  readonly hash: string;
  /** A further part of the hash: the environment it would run in. */
  readonly bound: Pick<ToolContext, "binding">;
  readonly subject: CallSubject;
}

/**
 * The only way to a tool. It runs no call without a recorded verdict. It assesses the call again, recomputes the hash,
 * consumes the approval and claims the ledger row in one transaction, runs the tool, and stores the outcome. A started
 * row without an outcome is never repeated automatically. A read-only call needs no claim: its row is written at its
 * end.
 */
export function createToolExecutor(parts: {
  readonly store: Store;
  readonly registry: ToolRegistry;
  readonly approvals: ApprovalManager;
  readonly rules: () => PermissionRules;
  readonly findRole: FindRole;
  readonly fit: FitResult;
  /** Called before a call counts as done, where several processes share the store. */
  readonly saveFiles?: SaveFiles | undefined;
  /** Removes secrets from the log and the audit. */
  readonly scrub: Scrub;
  readonly meter?: Meter | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): ToolExecutor {
  const { store, registry, approvals, clock, log } = parts;
  const journal = createCallJournal(parts);

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
    const rules = parts.rules();
    const tool = registry.find(call.name);
    const decision = await findDecision(store.main, execution.lease.turn, call.id);
    const subject = journal.describe(call, tool, rules, decision?.verdict ?? "deny");
    const deny = (reason: string, code: CallCode) =>
      journal.close(execution, subject, { kind: "denied", reason }, code);
    if (context.signal.aborted) return deny(stoppedReason, "stopped");
    if (!tool) return deny(`There is no tool ${call.name}.`, "invalid");
    const { person: asked, session, network: hosts = [] } = context;
    const { policy } = execution;
    const read = readCall({ tool, arguments: call.arguments, session, policy, rules, hosts });
    if (!read.ok)
      return read.fault.kind === "wrong-arguments"
        ? deny(read.fault.error, "invalid")
        : deny(rulesChangedReason, "denied");
    const { input, network } = read.call;
    if (!isSameNetwork(execution.network ?? [], network))
      return deny("The hosts this call may reach changed since it was judged; it did not run.", "denied");
    const [{ hash, ...bound }, person] = await Promise.all([
      bindCallNow(tool, { input, session, policy, network }),
      resolveCurrentRole(parts.findRole, asked, session),
    ]);
    if (!isDecided(decision, read.call)) return deny(undecidedReason, "undecided");
    const prepared = { ...read.call, execution, person, decision, hash, bound, subject };
    const claim = (await claimReading(prepared)) ?? (await claimInLedger(prepared));
    switch (claim.kind) {
      case "recalled":
        return claim.outcome;
      case "settled":
        return journal.close(execution, subject, claim.outcome, claim.code, hash);
      case "claimed":
        return run(prepared, claim.written);
    }
  }

  async function run(
    { execution, tool, input, person, network, hash, bound, subject }: Prepared,
    written: boolean,
  ): Promise<ToolOutcome> {
    const { call, context } = execution;
    const started = clock.now();
    const { taint, sources = [], addresses = [] } = execution;
    const about = { network, person, call: call.id, now: started, taint, sources, addresses, ...bound };
    const { result: raw, cut } = await runTool(tool, input, { ...context, ...about }, log);
    const asked = context.shown !== undefined;
    const isPicture = asked && raw.display?.kind === "image";
    // The owner may have approved a member's request from another chat.
    const confirmed = isPicture && (await findApprover(store.main, execution.lease.turn, call.id, hash)) === person.id;
    const result = fitDisplay(scrubResult(raw, parts.scrub), { hidden: tool.hidden, asked, confirmed });
    const timingMs = clock.now() - started;
    const label = labelResult(tool, input, result);
    const whole = joinTaint(taint, label.taint ?? taint);
    const kept = await parts.fit(result, { ...context, person, call: call.id, now: clock.now(), taint: whole });
    const fitted = result.ok ? placePicture(result, kept) : kept;
    const outcome = toOutcome(fitted, { timingMs, source: tool.source, ...label });
    const trace = journal.trace(subject, outcome, outcome.kind === "done" ? "ok" : (cut ?? "failed"));
    try {
      await parts.saveFiles?.(context.session);
      await writeOutcome(execution, hash, outcome, trace, written ? undefined : started);
    } catch (error) {
      // The turn was stopped or taken over while the tool ran; its result is no longer needed.
      if (!(error instanceof AppError && error.code === "TURN_LOST")) throw error;
      return journal.close(execution, subject, { kind: "unknown", reason: unknownReason }, "unknown", hash);
    }
    journal.log(execution, trace, result.message);
    return outcome;
  }

  /** `started` is the start of a call that has no ledger row yet. */
  async function writeOutcome(
    execution: Execution,
    hash: string,
    outcome: ToolOutcome,
    trace: CallTrace,
    started: number | undefined,
  ): Promise<void> {
    const { call, lease } = execution;
    await store.main.transaction().execute(async (tx) => {
      await assertLease(tx, lease);
      if (started !== undefined) {
        await startLedgerRow(tx, {
          turn: lease.turn,
          call: call.id,
          tool: call.name,
          hash,
          token: lease.token,
          now: started,
        });
      }
      await finishLedgerRow(tx, lease.turn, call.id, JSON.stringify(outcome), clock.now());
      await journal.audit(tx, execution, outcome.kind, { ...trace, hash });
    });
  }

  /**
   * A read-only call without approval may run twice, so nothing is written before it. Returns undefined when it needs
   * more.
   */
  async function claimReading(prepared: Prepared): Promise<Claim | undefined> {
    const { decision, execution, tool, hash } = prepared;
    if (!tool.readOnly || decision.verdict === "ask") return undefined;
    const confirmed = confirmDecision(decision, hash, (await assessNow(store.main, prepared)).verdict);
    switch (confirmed.kind) {
      case "needs-grant":
      case "needs-approval":
        return undefined;
      case "denied":
        return settle("denied", confirmed.reason);
      case "undecided":
        return settle("undecided", undecidedReason);
      case "free":
        break;
    }
    const known = await findLedgerRow(store.main, execution.lease.turn, execution.call.id);
    if (known?.hash !== hash || !known.outcome) return { kind: "claimed", written: false };
    return { kind: "recalled", outcome: JSON.parse(known.outcome) as ToolOutcome };
  }

  async function claimInLedger(prepared: Prepared): Promise<Claim> {
    const { decision, execution, tool, hash, subject } = prepared;
    const { call, lease } = execution;
    return store.main.transaction().execute(async (tx): Promise<Claim> => {
      await assertLease(tx, lease);
      const known = await findLedgerRow(tx, lease.turn, call.id);
      const same = known?.hash === hash;
      if (same && known.outcome) return { kind: "recalled", outcome: JSON.parse(known.outcome) as ToolOutcome };
      const again = same && (tool.idempotent || tool.readOnly);
      // It has begun, so no later refusal can undo it.
      const begun = { kind: "settled", outcome: { kind: "unknown", reason: unknownReason }, code: "unknown" } as const;
      if (known && !again) return begun;
      if (execution.context.signal.aborted) return known ? begun : settle("stopped", stoppedReason);
      const assessment = await assessNow(tx, prepared);
      const confirmed = confirmDecision(decision, hash, assessment.verdict);
      if (confirmed.kind === "denied") return known ? begun : settle("denied", `${confirmed.reason} It did not run.`);
      if (confirmed.kind === "undecided") {
        const changed = tool.binding !== undefined && (await isCallApproved(tx, lease.turn, call.id));
        return changed ? settle("unapproved", changedReason) : settle("undecided", undecidedReason);
      }
      if (again) return { kind: "claimed", written: true };
      if (confirmed.kind === "needs-grant") {
        const use = { ...prepared, ...assessment, now: clock.now() };
        if (!(await useGrant(tx, confirmed.grant, use))) return settle("unapproved", grantOverReason);
      }
      if (confirmed.kind === "needs-approval") {
        if (!(await approvals.consume(tx, lease.turn, call.id, hash, confirmed.terms)))
          return settle("unapproved", unapprovedReason);
      }
      const now = clock.now();
      await startLedgerRow(tx, { turn: lease.turn, call: call.id, tool: tool.name, hash, token: lease.token, now });
      await journal.audit(tx, execution, "started", { ...subject, hash });
      return { kind: "claimed", written: true };
    });
  }

  async function assessNow(db: Kysely<Database>, { execution, person, ...call }: Prepared): Promise<Assessment> {
    const { addresses = [], sources = [], taint } = execution;
    const { agent, chatKind, session } = execution.context;
    const paused = (await findPause(db)) !== undefined;
    const mode = readMode(await findSessionMode(db, session));
    const only = agent && { only: agent.tools };
    return assessCall(call, { person, chatKind, mode, taint, sources, addresses, paused, ...only });
  }

  return {
    execute,
    async refuse(refusal) {
      const { call, reason, by } = refusal;
      const verdict = by === "gate" ? "deny" : "ask";
      const subject = journal.describe(call, registry.find(call.name), parts.rules(), verdict);
      return journal.close(refusal, subject, { kind: "denied", reason }, by === "gate" ? "denied" : "rejected");
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const stoppedReason = "The turn was stopped before this call began; it did not run.";

const rulesChangedReason = "The rules changed since this call was judged; it did not run.";

const undecidedReason = "No verdict was given on exactly this call; it did not run.";

const unapprovedReason = "Nobody approved exactly this call; it did not run.";

const grantOverReason =
  "The standing permission for such calls was revoked or is over, so it did not run. Call it again if it is still wanted; then the person is asked.";

const changedReason =
  "What this call would run in or be sent to (such as the sandbox's image) is not what it was when the person said yes, so it did not run. Tell the person so, and ask again if it is still wanted.";

const unknownReason =
  "Kurisu was interrupted while this call ran. It may or may not have happened; it was not run again. Tell the person so and offer to look.";

function settle(code: CallCode, reason: string): Claim {
  return { kind: "settled", outcome: { kind: "denied", reason }, code };
}

function toOutcome(result: FittedResult, meta: FittedMeta): ToolOutcome {
  return result.ok
    ? { kind: "done", envelope: { ...result, meta } }
    : { kind: "failed", envelope: { ...result, meta } };
}

type FittedMeta = Extract<ToolOutcome, { readonly kind: "done" }>["envelope"]["meta"];
