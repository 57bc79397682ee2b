import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { Clock } from "../../core/clock.ts";
import type { ToolCall } from "../../core/conversation.ts";
import { noMeter, type Meter } from "../../core/meter.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { describeKeyArgument, shortenArgument, type Scrub } from "./key-argument.ts";
import { findLevel, type PermissionRules } from "../gate/permission.ts";
import type { ToolContext, ToolOutcome } from "./types.ts";
import type { KnownTool, ToolLevel, Verdict } from "../gate/types.ts";

/** The outcome of a call as a word for statistics; `ok` for success. */
export type CallCode =
  | "ok"
  /** The tool itself reported the fault. */
  | "failed"
  | "timeout"
  /** By the person or by a shutdown, before it began or while it ran. */
  | "stopped"
  /** By the gate: its rules, the person's role, plan mode. */
  | "denied"
  | "rejected"
  /** No approval exists for exactly this call. */
  | "unapproved"
  /** No verdict is recorded for exactly this call. */
  | "undecided"
  /** No such tool, or invalid arguments. */
  | "invalid"
  /** It began, and its end is not known. */
  | "unknown";

/** The call, its turn, and its person. */
export interface CallPlace {
  readonly call: ToolCall;
  readonly lease: TurnLease;
  readonly context: Pick<ToolContext, "session" | "person" | "agent">;
}

/** The facts of a call before it runs. Contains no secret. */
export interface CallSubject {
  readonly tool: string;
  /** See `shortenArgument`. */
  readonly argument: string;
  /** null when there is no such tool. */
  readonly level: ToolLevel | null;
  readonly verdict: Verdict["kind"];
  /** The tool that replaces this one. */
  readonly by?: string;
  /** See `Tool.hidden`. */
  readonly hidden?: true;
}

/** One call as recorded in the log and the audit. */
export interface CallTrace extends CallSubject {
  readonly status: ToolOutcome["kind"];
  /** While the tool ran; 0 when it did not, or when that is not known. */
  readonly ms: number;
  readonly code: CallCode;
  /** Size of the output, or of the sentence that replaces it: UTF-8 as JSON. */
  readonly bytes: number;
}

/** Writes every call to the log and the audit, and counts it. */
export interface CallJournal {
  describe(call: ToolCall, tool: KnownTool | undefined, rules: PermissionRules, verdict: Verdict["kind"]): CallSubject;
  trace(subject: CallSubject, outcome: ToolOutcome, code: CallCode): CallTrace;
  audit(
    db: Kysely<Database>,
    place: CallPlace,
    what: "started" | ToolOutcome["kind"],
    detail: Partial<CallTrace> & { readonly hash?: string; readonly reason?: string },
  ): Promise<void>;
  /** Writes one line at the end of a call, with the tool's message for the log. */
  log(place: CallPlace, trace: CallTrace, message?: string): void;
  /** Both, for a call that ends without a result of its own. */
  close<End extends Extract<ToolOutcome, { readonly kind: "denied" | "unknown" }>>(
    place: CallPlace,
    subject: CallSubject,
    end: End,
    code: CallCode,
    hash?: string,
  ): Promise<End>;
}

export function createCallJournal(parts: {
  readonly store: Pick<Store, "main">;
  /** Removes secrets from everything recorded. */
  readonly scrub: Scrub;
  readonly meter?: Meter | undefined;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
}): CallJournal {
  const { store, scrub, meter = noMeter, clock, log } = parts;

  const journal: CallJournal = {
    describe: (call, tool, rules, verdict) => ({
      // The name of an unknown tool is the model's own text.
      tool: tool?.name ?? shortenArgument(call.name, scrub),
      argument: call.fault === undefined ? describeKeyArgument(tool, call.arguments, scrub) : "",
      level: tool ? findLevel(tool, rules) : null,
      verdict,
      ...(tool?.override && { by: tool.override.by.name }),
      ...(tool?.hidden === true && { hidden: true }),
    }),
    trace(subject, outcome, code) {
      const ms = findTiming(outcome) ?? 0;
      return {
        ...subject,
        status: outcome.kind,
        ms,
        code,
        bytes: Buffer.byteLength(JSON.stringify(findResult(outcome))),
      };
    },
    audit: (db, { call, lease, context }, what, detail) =>
      appendAudit(db, {
        actor: context.person.id,
        action: `tool.${what}`,
        session: context.session,
        turn: lease.turn,
        call: call.id,
        detail: { ...detail, ...(context.agent && { agent: context.agent.id }) },
        now: clock.now(),
      }),
    log({ call, lease, context }, trace, message) {
      const told = message === undefined ? {} : { message: shortenMessage(message) };
      log.info({ session: context.session, turn: lease.turn, call: call.id, ...trace, ...told }, "a call ended");
      const { code, level, ms, tool } = trace;
      const named = level === null ? {} : { tool };
      const about = { turn: lease.turn, call: call.id, ...named, level: level ?? "none", outcome: code };
      meter({ kind: "tool-called", ...about, ms, at: clock.now() });
    },
    async close(place, subject, end, code, hash) {
      const trace = journal.trace(code === "denied" ? { ...subject, verdict: "deny" } : subject, end, code);
      const detail = { ...trace, reason: scrub(end.reason), ...(hash !== undefined && { hash }) };
      await journal.audit(store.main, place, end.kind, detail);
      journal.log(place, trace);
      return end;
    },
  };
  return journal;
}

/** Milliseconds that a call ran; 0 when it did not. Returns undefined when that is not known. */
export function findTiming(outcome: ToolOutcome): number | undefined {
  switch (outcome.kind) {
    case "done":
    case "failed":
      return outcome.envelope.meta.timingMs;
    case "denied":
      return 0;
    case "unknown":
      return undefined;
  }
}

/** Characters of a message in the log. */
const maxLoggedLength = 300;

function shortenMessage(message: string): string {
  return message.length <= maxLoggedLength ? message : `${message.slice(0, maxLoggedLength).toWellFormed()}…`;
}

function findResult(outcome: ToolOutcome): JsonValue {
  switch (outcome.kind) {
    case "done":
      return outcome.envelope.output;
    case "failed":
      return outcome.envelope.error;
    case "denied":
    case "unknown":
      return outcome.reason;
  }
}
