import type { Logger } from "pino";
import type { Clock } from "../../../core/clock.ts";
import type { Language } from "../../../core/conversation.ts";
import { AppError } from "../../../core/errors.ts";
import { createId } from "../../../core/ids.ts";
import type { Store } from "../../../store/open-store.ts";
import { endServedTurns, endTurn, type TurnLease } from "../../../store/queries/turns.ts";
import type { ToolExecutor } from "../../../kernel/tools/executor.ts";
import { versionOf, type PermissionRules } from "../../../kernel/gate/permission.ts";
import type { FindRole } from "../../../kernel/gate/resolve-current-role.ts";
import { createRecordDecisions } from "../../../kernel/gate/record-decisions.ts";
import { createDescribeTool } from "../../../kernel/tools/describe-tool.ts";
import type { ToolRegistry } from "../../../kernel/tools/registry.ts";
import { createSemaphore } from "../../../core/semaphore.ts";
import type { ToolOutcome } from "../../../kernel/tools/types.ts";
import type { ReadFile } from "../../../workspace/types.ts";
import { beginServedTurn, servedPerson, servedTaint, toServedSession } from "./begin-served-turn.ts";
import type { WorkRecord } from "../../../kernel/recovery/work-record.ts";
import { createServedJudge } from "./judge-served-call.ts";
import { findServedNames, servedServers } from "./served-servers.ts";
import { toServedAnswer } from "./to-served-answer.ts";
import type { ServedCall, ServedTools } from "./types.ts";

/** Calls of all clients together. */
const maxAtOnce = 8;

/** Every call has this id in its turn: there is one. */
const callId = "1.1";

export interface ServedToolsAtWork extends ServedTools {
  /** Ends the turns that a crash left running. Before the first call, and only with the data folder's lock. */
  recover(): Promise<void>;
  /** Stops what runs and takes nothing more. */
  stop(): Promise<void>;
}

/**
 * Our tools for other agents. A call is a separate turn without a model: judged by the gate, run by the executor, in
 * the ledger and the audit like any other. A call that needs approval does not run, because there is no chat to ask in.
 */
export function createServedTools(parts: {
  readonly store: Store;
  readonly registry: ToolRegistry;
  readonly executor: ToolExecutor;
  readonly rules: () => PermissionRules;
  readonly findRole: FindRole;
  readonly readFile: ReadFile;
  readonly work: Pick<WorkRecord, "during">;
  readonly language: () => Language;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): ServedToolsAtWork {
  const { store, registry, executor, clock, language, log } = parts;
  const describeTool = createDescribeTool();
  const judge = createServedJudge(parts);
  const record = createRecordDecisions(parts);
  const places = createSemaphore(maxAtOnce);
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();

  /**
   * Only built-in tools: a replacement for one acts with rights of the owner's chats, and no client can see that it
   * does.
   */
  function findServed(name: string) {
    const tool = registry.find(name);
    return tool?.source === "builtin" ? tool : undefined;
  }

  async function callTool(call: ServedCall, signal: AbortSignal) {
    const found = findServedNames(call.server)?.find(({ name }) => name === call.name);
    const tool = found && findServed(found.tool);
    if (!tool) return refuse(`The server ${call.server} has no tool ${call.name}.`);
    const release = await places.acquire(signal);
    if (release === undefined) return refuse("It was stopped before it began.");
    try {
      return await carryOut({ ...call, name: tool.name }, signal);
    } finally {
      release();
    }
  }

  async function carryOut(call: ServedCall, signal: AbortSignal) {
    const policy = versionOf(parts.rules());
    const turn = createId("served", clock.now());
    const { lease, input } = await beginServedTurn({
      ...parts,
      language: language(),
      zone: parts.zone(),
      turn,
      call,
      policy,
    });
    let over: "replied" | "failed" = "failed";
    try {
      const outcome = await runJudged(call, { lease, policy, session: input.session, signal });
      over = "replied";
      return await toServedAnswer(outcome, (path) => parts.readFile(input.session, path));
    } finally {
      await endTurn(store.main, lease, signal.aborted ? "stopped" : over, clock.now());
    }
  }

  async function runJudged(
    { name, arguments: given }: ServedCall,
    { lease, policy, session, signal }: { lease: TurnLease; policy: string; session: string; signal: AbortSignal },
  ): Promise<ToolOutcome> {
    const call = { id: callId, name, arguments: given };
    const { verdict, decision } = await judge({ call, policy, session });
    await record(lease, [decision]);
    const person = servedPerson;
    const context = { session, turn: lease.turn, person, language: language(), zone: parts.zone(), signal };
    switch (verdict.kind) {
      case "deny":
        return executor.refuse({ call, lease, context, reason: verdict.reason, by: "gate" });
      case "ask":
        return executor.refuse({ call, lease, context, reason: needsYes(name), by: "gate" });
      case "allow": {
        const progress = (): void => undefined;
        const place = { ...context, chatKind: "private", progress } as const;
        return executor.execute({ call, lease, policy, taint: servedTaint, context: place });
      }
    }
  }

  return {
    list(server) {
      const names = findServedNames(server);
      if (!names)
        throw new AppError("USAGE", `There is no server ${server} to serve; there are ${servedServers.join(", ")}.`);
      return names.flatMap(({ name, tool: own }) => {
        const tool = findServed(own);
        if (!tool || tool.availability?.().ok === false) return [];
        const { description, parameters } = describeTool(tool, language());
        const { readOnly, idempotent, place } = tool;
        return [{ name, description, inputSchema: parameters, readOnly, idempotent, open: place === "network" }];
      });
    },
    async call(call, signal) {
      if (stopping.signal.aborted) return refuse("Kurisu is stopping.");
      const ended = parts.work.during(`call:${createId("call", clock.now())}`, () =>
        callTool(call, AbortSignal.any([signal, stopping.signal])),
      );
      running.add(ended);
      try {
        return await ended;
      } catch (error) {
        log.error({ err: error, tool: call.name }, "a call of an MCP client failed");
        throw error;
      } finally {
        running.delete(ended);
      }
    },
    async recover() {
      await endServedTurns(store.main, toServedSession(""), clock.now());
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

function refuse(error: string) {
  return { ok: false, error, meta: {}, media: [] } as const;
}

function needsYes(tool: string): string {
  return `${tool} needs the owner's yes, and nobody can be asked from here, so it did not run. Do not try another way. The owner can have it done by Kurisu in a chat, or let it through for MCP clients with a rule in tools.yaml.`;
}
