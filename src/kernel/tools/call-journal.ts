import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { Clock } from "../../core/clock.ts";
import type { ToolCall } from "../../core/conversation.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { describeKeyArgument, shortenArgument, type Scrub } from "./key-argument.ts";
import { findLevel, type PermissionRules } from "../gate/permission.ts";
import type { ToolContext, ToolOutcome } from "./types.ts";
import type { KnownTool, ToolLevel, Verdict } from "../gate/types.ts";

/** Why a call did not come to a good end, as a word to count by; ok = it did. */
export type CallCode =
  | "ok"
  /** The tool itself said what is wrong. */
  | "failed"
  | "timeout"
  /** By the person, or because Kurisu stops; before it began or while it ran. */
  | "stopped"
  /** By the gate: its rules, the person's role, plan mode. */
  | "denied"
  | "rejected"
  /** Nobody approved exactly this call. */
  | "unapproved"
  /** No verdict was written for exactly this call. */
  | "undecided"
  /** No such tool, or arguments it does not take. */
  | "invalid"
  /** It began, and how it ended is not known. */
  | "unknown";

/** Which call, in which turn, for whom. */
export interface CallPlace {
  readonly call: ToolCall;
  readonly lease: TurnLease;
  readonly context: Pick<ToolContext, "session" | "person" | "agent">;
}

/** The facts of a call before it runs. Nothing here holds a secret. */
export interface CallSubject {
  readonly tool: string;
  /** See `shortenArgument`. */
  readonly argument: string;
  /** null = there is no such tool. */
  readonly level: ToolLevel | null;
  readonly verdict: Verdict["kind"];
  /** The tool that acts, where it stands in for this one. */
  readonly by?: string;
  /** See `Tool.hidden`. */
  readonly hidden?: true;
}

/** One call as the log and the audit keep it. */
export interface CallTrace extends CallSubject {
  readonly status: ToolOutcome["kind"];
  /** While the tool ran; 0 when it did not, or nobody knows. */
  readonly ms: number;
  readonly code: CallCode;
  /** Size of the output, or of the sentence that stands for it: UTF-8 as JSON. */
  readonly bytes: number;
}

/** Tells the log and the audit of every call. */
export interface CallJournal {
  describe(call: ToolCall, tool: KnownTool | undefined, rules: PermissionRules, verdict: Verdict["kind"]): CallSubject;
  trace(subject: CallSubject, outcome: ToolOutcome, code: CallCode): CallTrace;
  audit(
    db: Kysely<Database>,
    place: CallPlace,
    what: "started" | ToolOutcome["kind"],
    detail: Partial<CallTrace> & { readonly hash?: string; readonly reason?: string },
  ): Promise<void>;
  /** One line per call, at its end, with what the tool has to say to the log. */
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
  /** Takes secrets out of what is written down. */
  readonly scrub: Scrub;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
}): CallJournal {
  const { store, scrub, clock, log } = parts;

  const journal: CallJournal = {
    describe: (call, tool, rules, verdict) => ({
      // The name of a tool that is not there is the model's own text.
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

/** Milliseconds for which a call ran; 0 = it did not, undefined = nobody knows. */
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
const mostLogged = 300;

function shortenMessage(message: string): string {
  return message.length <= mostLogged ? message : `${message.slice(0, mostLogged).toWellFormed()}…`;
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
