import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ToolCall, Language } from "../../../core/conversation.ts";
import type { Grant } from "../../../store/queries/grants.ts";
import { measurePayload, maxAsked } from "../../../core/persona/show-payload.ts";
import { versionOf, type PermissionRules } from "../../gate/permission.ts";
import { resolveCurrentRole, type FindRole } from "../../gate/resolve-current-role.ts";
import type { RecordDecisions } from "../../gate/record-decisions.ts";
import { readMode } from "../../gate/session-mode.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import { whyNotSent } from "../rewind/dmail-call.ts";
import { readRun } from "../run-context.ts";
import { knownAddresses, type TurnStateUpdate, type TurnStateValue } from "../state.ts";
import type { JudgedCall, TurnInput } from "../types.ts";
import { toCanonicalJson, type JsonValue } from "../../../core/canonical-json.ts";
import type { KnownTool, Verdict } from "../../gate/types.ts";
import type { CallFault } from "../../gate/assess-call.ts";
import type { PermissionChecker } from "../../gate/permission-checker.ts";

/**
 * Gives every call of the round its verdict and records it: the executor runs no call without one. A repeated call is
 * refused while its question is open, instead of asked twice.
 */
export function createJudge(parts: {
  readonly registry: ToolRegistry;
  readonly check: PermissionChecker;
  readonly rules: () => PermissionRules;
  /** A server tool whose definition the model has not received. */
  readonly isUnloaded: (name: string, state: TurnStateValue) => boolean;
  /** Names of the tools that the model has. */
  readonly listGiven: (state: TurnStateValue) => readonly string[];
  /** Hashes of the session's calls that wait for an answer, with the code of their question. */
  readonly listWaiting: (session: string) => Promise<ReadonlyMap<string, string>>;
  /** The grants that apply to the calls of a turn. */
  readonly findGrants: (turn: TurnInput, policy: string) => Promise<readonly Grant[]>;
  /** The stored mode of the session. */
  readonly findMode: (session: string) => Promise<string | null>;
  readonly findRole: FindRole;
  readonly record: RecordDecisions;
}) {
  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const { input, network: declared, readNow, taint } = state;
    const sources = readNow.length > 0 ? readNow : state.sources;
    const addresses = knownAddresses(state);
    const rules = parts.rules();
    const policy = versionOf(rules);
    const mode = readMode(await parts.findMode(input.session));
    const grants = await parts.findGrants(input, policy);
    const person = await resolveCurrentRole(parts.findRole, input.person, input.session);
    const waiting = new Map(await parts.listWaiting(input.session));
    const calls: JudgedCall[] = [];
    const origins = new Map<string, string>();
    let left: number = maxAsked.round;
    for (const call of state.requested) {
      const judged = { ...(await judge(call, input)), ...describeKind(call.name) };
      if (judged.verdict.kind === "ask") waiting.set(judged.hash, waiting.get(judged.hash) ?? "");
      calls.push(judged);
    }
    await parts.record(
      readRun(config).lease,
      calls.map(({ id, name, hash, verdict }) => ({
        call: id,
        tool: name,
        hash,
        verdict: verdict.kind,
        reason: verdict.kind === "deny" ? verdict.reason : (origins.get(id) ?? ""),
        policy,
        grant: (verdict.kind === "allow" ? verdict.grant : undefined) ?? null,
      })),
    );
    return { calls, requested: [] };

    async function judge(call: ToolCall, { session, chatKind, language }: TurnInput): Promise<JudgedCall> {
      const refuse = (reason: string): JudgedCall => ({
        ...call,
        verdict: { kind: "deny", reason },
        hash: "",
        summary: "",
        detail: "",
        network: [],
      });
      if (call.fault !== undefined) return refuse(call.fault);
      if (parts.isUnloaded(call.name, state)) return refuse(`${call.name} is not loaded; find_tool loads it.`);
      const notSent = whyNotSent(state, call);
      if (notSent !== undefined) return refuse(notSent);
      const read = await parts.check(call, {
        session,
        chatKind,
        policy: input.policy,
        hosts: declared,
        person,
        mode,
        taint,
        sources,
        addresses,
        grants,
        ...(input.agent && { only: state.offered }),
      });
      if (!read.ok) return refuse(describeFault(read.fault, call, parts.listGiven(state)));
      const { hash, input: parsed, network, origin, scope, tool } = read.checked;
      const verdict = readNow.length > 0 ? read.checked.verdict : markEarlier(read.checked.verdict);
      origins.set(call.id, origin);
      const summary = tool.summarize(parsed);
      const detail = detailCall(tool, parsed, language);
      const judged = {
        ...call,
        name: tool.name,
        verdict,
        hash,
        summary,
        detail,
        network,
        ...(scope && { scope }),
      };
      const code = waiting.get(hash);
      if (verdict.kind !== "ask") return judged;
      if (code === undefined) {
        const seen = await tool.inspect?.(parsed, { session, chatKind, language, person: input.person });
        if (seen?.ok === false) return refuse(seen.error);
        const shown = seen?.detail ?? detail;
        const length = measurePayload(shown);
        if (length > Math.min(left, maxAsked.call)) return refuse(describeTooLong(length, left));
        left -= length;
        return { ...judged, detail: shown };
      }
      const which = code === "" ? "in this same round" : `as ${code}`;
      return refuse(
        `Exactly this call was asked already ${which} and waits for the person's answer. Do not ask it again.`,
      );
    }
  };

  /** People must be able to read everything that they approve. */
  function describeTooLong(length: number, left: number): string {
    const limit = maxAsked.call;
    if (length <= limit && left < maxAsked.round)
      return "The calls of this round are together too long for one question. Nobody was asked for this one: make it again once the others are answered.";
    return `The person who has to confirm it is shown all of it, and it is too long for that: ${length} characters, at most ${limit}. Nobody was asked. Do it in pieces: write a long text with several file_write calls (mode append), which are shown as well, then run or use the file.`;
  }

  function describeKind(name: string): Pick<JudgedCall, "hidden" | "effect" | "kind"> {
    const tool = parts.registry.find(name);
    const kind = tool?.kind && { kind: tool.kind };
    return { ...kind, ...(tool?.hidden && { hidden: true }), ...(tool && !tool.readOnly && { effect: true }) };
  }
}

/**
 * The exact effect, for the question. A tool without its own wording shows every argument, or only its summary if that
 * is the one argument.
 */
function detailCall(tool: KnownTool, input: unknown, language: Language): string {
  if (tool.detail) return tool.detail(input, language);
  const summary = tool.summarize(input);
  const given = JSON.parse(JSON.stringify(input ?? {})) as JsonValue;
  const values = typeof given === "object" && given !== null ? Object.values(given) : [given];
  return values.length === 1 && values[0] === summary ? summary : toCanonicalJson(given);
}

/** Marks the taint as older than this turn: no source in this turn can be named. */
function markEarlier(verdict: Verdict): Verdict {
  if (verdict.kind !== "ask") return verdict;
  const because = verdict.because.map((reason) =>
    reason.kind === "taint" ? { ...reason, earlier: true as const } : reason,
  );
  return { ...verdict, because };
}

function describeFault(fault: CallFault, { name }: ToolCall, offered: readonly string[]): string {
  switch (fault.kind) {
    case "rules-changed":
      return "The rules changed since this turn began. Ask the person to say it again.";
    case "no-tool":
      return `There is no tool ${name}. There are: ${offered.join(", ")}.`;
    case "wrong-arguments":
      return fault.error;
  }
}
