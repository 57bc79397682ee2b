import { Command, isInterrupted, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { AppError, describeError } from "../../core/errors.ts";
import { LimitReached } from "../../models/limit-reached.ts";
import { NoModelAnswered } from "../../models/no-model-answered.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";
import { listLedger } from "../../store/queries/ledger.ts";
import { findQuestionByInterrupt, type Question } from "../../store/queries/questions.ts";
import type { Database } from "../../store/schema/database.ts";
import type { StoreCheckpointSaver } from "./checkpoint-saver.ts";
import type { PlanCalls } from "./plan-calls.ts";
import type { RunCalls } from "./run-calls.ts";
import { knownAddresses, type TurnStateUpdate, type TurnStateValue } from "./state.ts";
import { readTaskOutcomes } from "./task-result.ts";
import { createSubAgentWorkflow } from "./sub-agents/sub-agent-workflow.ts";
import type { createWork } from "./sub-agents/work.ts";
import type { Answer, AwaitedTasks, QuestionDraft, TurnInput, TurnResult, TurnRun } from "./types.ts";
import { createWorkflow, type WorkflowNodes } from "./workflow.ts";

export interface Agent {
  /**
   * Advances a new, interrupted or answered turn until it rests. Relies on the checkpoint, not on the caller. Throws
   * when the turn was stopped or taken over.
   */
  advance(input: TurnInput, run: TurnRun): Promise<TurnResult>;
}

type Node = (state: TurnStateValue, config: LangGraphRunnableConfig) => Promise<TurnStateUpdate>;

/** After an answer the first calls ran before the graph went on, from the state on disk. */
const hasCallsToRun = ({ calls, outcomes }: TurnStateValue): boolean => calls.some(({ id }) => !outcomes[id]);
const isAskedAgain = ({ round }: TurnStateValue): boolean => round > 0;

/** Supersteps of one run. `generate` and `work` cap the rounds before that: at most 1,000 can be configured. */
const recursionLimit = 8 + 4 * 1_000;

export function createAgent(parts: {
  readonly nodes: WorkflowNodes & { readonly work: ReturnType<typeof createWork> };
  readonly saver: StoreCheckpointSaver;
  readonly planCalls: PlanCalls;
  readonly runCalls: RunCalls;
  readonly db: Kysely<Database>;
  readonly log: Logger;
}): Agent {
  const { saver } = parts;
  // Steps that act, or pay for another model request, start only when all earlier steps are on disk.
  const nodes = {
    ...parts.nodes,
    toolCall: whenStored(parts.nodes.toolCall, hasCallsToRun),
    generate: whenStored(parts.nodes.generate, isAskedAgain),
    work: whenStored(parts.nodes.work, isAskedAgain),
  };
  const workflow = createWorkflow(nodes, saver);
  // The state is the same; only the node names, which are part of the type, differ.
  const subAgentWorkflow = createSubAgentWorkflow(nodes, saver) as unknown as typeof workflow;

  function whenStored(node: Node, applies: (state: TurnStateValue) => boolean): Node {
    return async (state, config) => {
      if (applies(state)) await saver.flush(state.input.turn);
      return node(state, config);
    };
  }

  async function advance(input: TurnInput, run: TurnRun): Promise<TurnResult> {
    if (run.signal.aborted) throw new AppError("TURN_STOPPED", "The turn was stopped.");
    const config = {
      configurable: { thread_id: input.turn, fence: run.lease.token, run, __pregel_strict_resume: true },
      durability: "sync" as const,
      signal: run.signal,
      recursionLimit,
    };
    const graph = input.agent ? subAgentWorkflow : workflow;
    const before = await graph.getState(config);
    const { round = 0 } = before.values as Partial<TurnStateValue>;
    if (run.wasCut) config.configurable.run = { ...run, repeatedRound: round };
    const begun = before.createdAt !== undefined;
    // An answered task whose result is stored still lists its interrupt.
    const [pending] = before.tasks.filter((task) => task.result === undefined).flatMap((task) => task.interrupts);
    try {
      if (pending?.id !== undefined && isAwaitingTasks(pending.value)) {
        const outcomes = await readTaskOutcomes(parts.db, input.turn, pending.value.tasks);
        if (!outcomes) return restForTasks(pending.value, before.values as TurnStateValue);
        return await conclude(await graph.invoke(new Command({ resume: { [pending.id]: outcomes } }), config));
      }
      if (pending?.id !== undefined) {
        const { answered } = run;
        const question =
          answered?.interrupt === pending.id
            ? answered
            : await findQuestionByInterrupt(parts.db, input.turn, pending.id);
        if (question?.state !== "decided") {
          return rest(pending.id, pending.value as QuestionDraft, before.values as TurnStateValue);
        }
        const answer = toAnswer(question);
        const state = before.values as TurnStateValue;
        const outcomes = await runFirstBatch(state, answer, run);
        const command = new Command<Readonly<Record<string, Answer>>, Pick<TurnStateValue, "outcomes">, never>({
          resume: { [pending.id]: answer },
          update: { outcomes: { ...state.outcomes, ...outcomes } },
        });
        return await conclude(await graph.invoke(command, config));
      }
      // `next` would omit a task whose writes are stored but whose step is not, as after a crash between the two.
      if (begun && before.tasks.length === 0) return await conclude(before.values);
      if (begun) return await conclude(await graph.invoke(null, config));
      // A lease with the first token has no earlier run that could have begun calls.
      if (run.lease.token > 1 && (await listLedger(parts.db, input.turn)).length > 0) {
        return {
          kind: "failed",
          code: "TURN_LOST",
          message: "The turn's state is gone, but some of its calls had begun.",
        };
      }
      return await conclude(await graph.invoke({ input }, config));
    } catch (error) {
      if (run.signal.aborted) throw new AppError("TURN_STOPPED", "The turn was stopped.", { cause: error });
      // Neither ends the turn: another worker holds it, or it resumes once the store is available again.
      if ((error instanceof AppError && error.code === "TURN_LOST") || isStoreFault(error)) throw error;
      if (error instanceof NoModelAnswered && error.passing) {
        const { code, message, passing: outage } = error;
        // A waiting turn keeps nothing in memory.
        await saver.flush(input.turn);
        const { values } = await graph.getState(config);
        const answered = ((values as Partial<TurnStateValue>).round ?? 0) > round;
        parts.log.info({ turn: input.turn, reason: message }, "no model answers");
        return { kind: "outage", code, message, outage, answered };
      }
      const code = error instanceof AppError ? error.code : "INTERNAL";
      const expected = code === "QUOTA_SPENT" || code === "BUDGET_SPENT";
      parts.log[expected ? "info" : "error"]({ err: error, turn: input.turn }, "a turn failed");
      const reached = error instanceof LimitReached && { reached: error.reached };
      return { kind: "failed", code, message: describeError(error), ...reached };
    }
  }

  /**
   * Starts the first calls that the answer allows before the graph resumes: a person waits for them, and the graph
   * needs their outcomes in any case. A stop does not wait for them.
   */
  async function runFirstBatch(state: TurnStateValue, answer: Answer, run: TurnRun) {
    const [first] = parts.planCalls({ ...state, answer }).batches;
    if (!first) return {};
    const stopped = Promise.withResolvers<never>();
    const stop = (): void => stopped.reject(run.signal.reason as Error);
    run.signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([parts.runCalls.batch(state, first, run), stopped.promise]);
    } finally {
      run.signal.removeEventListener("abort", stop);
    }
  }

  async function conclude(values: unknown): Promise<TurnResult> {
    const state = values as TurnStateValue;
    if (isInterrupted<QuestionDraft | AwaitedTasks>(values)) {
      // A parked turn keeps nothing in memory.
      await saver.flush(state.input.turn);
      const [asked] = values.__interrupt__;
      if (asked?.id === undefined || !asked.value)
        throw new AppError("INTERNAL", "An interrupt came without its question.");
      if (isAwaitingTasks(asked.value)) return restForTasks(asked.value, state);
      return rest(asked.id, asked.value, state);
    }
    if (state.reply === null) throw new AppError("INTERNAL", "The turn ended without a reply.");
    const { capped, kept, reply, sources, taint, tokens } = state;
    if (state.input.agent) return { kind: "reported", text: reply, capped, taint, sources, tokens };
    const last = {
      role: "assistant",
      text: state.said,
      calls: [],
      ...(sources.length > 0 && { sources }),
      ...(kept && { kept }),
    } as const;
    return {
      kind: "replied",
      text: state.reply,
      // The person's later messages were stored in the conversation when the turn took them in.
      messages: [...state.transcript.filter(({ role }) => role !== "user"), last],
      acted: state.round > 1,
      isLong: state.window.isLong === true,
      taint,
      linked: knownAddresses(state),
    };
  }

  return { advance };
}

function rest(interrupt: string, question: QuestionDraft, state: TurnStateValue): TurnResult {
  const { shown, sources, taint } = state;
  return { kind: "awaitingApproval", interrupt, question, shown, taint, sources, linked: knownAddresses(state) };
}

function isAwaitingTasks(value: unknown): value is AwaitedTasks {
  return typeof value === "object" && value !== null && "tasks" in value;
}

function restForTasks({ round }: AwaitedTasks, state: TurnStateValue): TurnResult {
  const { shown, taint } = state;
  return { kind: "awaitingTasks", round, shown, taint, linked: knownAddresses(state) };
}

function toAnswer(question: Question): Answer {
  const approved = question.calls.filter((call) => call.state === "approved" || call.state === "consumed");
  const rejected = question.calls.filter((call) => call.state === "rejected");
  return { approved: approved.map((call) => call.call), rejected: rejected.map((call) => call.call) };
}
