import type { Kysely } from "kysely";
import type { TaskResult } from "../agent/task-result.ts";
import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Taint } from "../../core/conversation.ts";
import { queueJoin, queueReport } from "../lanes/jobs.ts";
import type { ApprovalManager } from "../gate/approval-manager.ts";
import { findPerson } from "../gate/find-person.ts";
import type { Person } from "../gate/types.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropOtherLiveItems, dropStrayLiveItems } from "../../store/queries/outbox.ts";
import { type ClosedHow, findQuestionTaint, listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import {
  listLivingTasks,
  listTasks,
  listTurnsWaitingForTasks,
  lockLivingTurn,
  revokeTask,
  saveTaskResult,
} from "../../store/queries/tasks.ts";
import { findTurn, revokeTurn, type TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { MessageMarks } from "../outbox/message-marks.ts";

/**
 * The running sub-agents from outside: how their end reaches the parent turn, and how the parent's end reaches them.
 */
export interface Tasks {
  /**
   * Runs in the transaction that ended a turn. For a task, stores its result and returns the follow-up job: its parent
   * resumes, or reports the background result.
   */
  conclude(db: Kysely<Database>, turn: string, result: TaskEnd, cause?: string): Promise<InboxItem | undefined>;
  /**
   * Runs in the transaction that parked a turn for its tasks. Returns the job that wakes it if they have already ended.
   */
  wake(db: Kysely<Database>, parent: TurnRow, cause: string): Promise<InboxItem | undefined>;
  /** Ends the tasks whose parent ended before them. */
  endOrphans(session?: string): Promise<void>;
  /**
   * Ends the tasks of this person (of all people for an owner) and the turns that wait for them, restricted by `which`.
   * Returns their number and the questions that they had asked.
   */
  stopAll(
    session: string,
    person: Person,
    cause: StopCause,
    which?: (turn: TurnRow) => boolean,
  ): Promise<{ readonly stopped: number; readonly closed: readonly Question[] }>;
  /** After a start: completes steps that a crash interrupted. */
  recover(session?: string): Promise<void>;
}

/** The command that ends work. */
type StopCause = "stop" | "new" | "worldline";

/** `wakes` is false when the same action ends its parent too. */
export type TaskEnd = Pick<TaskResult, "status" | "text" | "reason"> &
  Partial<Pick<TaskResult, "taint" | "sources" | "unsure" | "tokens">> & { readonly wakes: boolean };

const stopReasons: Readonly<Record<StopCause, string>> = {
  stop: "The person stopped it.",
  new: "The person started a new conversation.",
  worldline: "The person went to another world line.",
};

export function createTasks(parts: {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly marks: Pick<MessageMarks, "follow">;
  /** Gives a job to its lane. */
  readonly pushToLane: (item: InboxItem) => void;
  /** Sends what was queued for a session. */
  readonly wakeOutbox: (session: string) => void;
  readonly abort: (task: string) => void;
  readonly clock: Clock;
}): Tasks {
  const { store, approvals, clock } = parts;

  async function conclude(
    db: Kysely<Database>,
    turn: string,
    { wakes, ...end }: TaskEnd,
    cause?: string,
  ): Promise<InboxItem | undefined> {
    const task = await findTurn(db, turn);
    if (task?.kind !== "task" || task.parent === null) return undefined;
    const input = JSON.parse(task.input) as TurnInput;
    const result: TaskResult = {
      agent: input.agent?.id ?? "",
      taint: input.taint,
      ...(input.sources && { sources: input.sources }),
      unsure: [],
      tokens: { input: 0, output: 0 },
      timingMs: clock.now() - task.createdAt,
      ...end,
    };
    await saveTaskResult(db, turn, JSON.stringify(result));
    if (!wakes) return undefined;
    if (task.background) return queueReport(db, task, clock.now());
    const parent = await lockLivingTurn(db, task.parent);
    return parent && wake(db, parent, cause ?? task.cause);
  }

  async function wake(db: Kysely<Database>, parent: TurnRow, cause: string): Promise<InboxItem | undefined> {
    if (parent.state !== "parked" || !parent.waiting?.startsWith("tasks:")) return undefined;
    const tasks = await listTasks(db, parent.id);
    if (tasks.some(({ background, state }) => !background && state !== "ended")) return undefined;
    return queueJoin(db, parent, parent.waiting, cause, clock.now());
  }

  /** Returns the questions that it closed, or undefined when the task had ended. */
  async function stopTask(
    task: TurnRow,
    { by, cause, reason }: { readonly by: string; readonly cause: StopCause; readonly reason: string },
  ): Promise<readonly Question[] | undefined> {
    parts.abort(task.id);
    const closed: Question[] = [];
    const open = (await listOpenQuestions(store.main, task.session)).filter(({ turn }) => turn === task.id);
    const won = await store.main.transaction().execute(async (tx) => {
      // In the common lock order: question, turn, session.
      for (const question of open)
        if (await approvals.close(tx, question, "cancelled", by, cause))
          closed.push({ ...question, state: "cancelled", closedAt: clock.now(), closedBy: by, closedHow: cause });
      if (!(await revokeTask(tx, task, "stopped", clock.now()))) return false;
      await conclude(tx, task.id, { status: "failed", text: "", reason, wakes: false });
      for (const question of closed) {
        // The text quotes calls, which the task's model derived from everything it had read.
        const taint = (await findQuestionTaint(tx, question.id)) ?? "untrusted";
        await appendNote(tx, task, noteClosedQuestion(question, cause), taint);
      }
      if (task.background) await appendNote(tx, task, `${task.id} (in the background) was stopped: ${reason}`);
      return true;
    });
    if (!won) return undefined;
    await store.turnCheckpoints.remove(task.id);
    return closed;
  }

  /** A parent that waits for its tasks has no question whose closing would end it. */
  async function stopWaiting(parent: TurnRow): Promise<boolean> {
    const won = await store.main.transaction().execute(async (tx) => {
      if (!(await revokeTurn(tx, parent.id, "stopped", clock.now()))) return false;
      await dropOtherLiveItems(tx, parent.id, "", clock.now());
      await appendNote(tx, parent, "The person stopped this turn while its sub-agents worked; it got no reply.");
      return true;
    });
    if (won) await store.turnCheckpoints.remove(parent.id);
    if (won) parts.marks.follow(parent.id);
    // The view of the tasks leaves the chat.
    if (won) parts.wakeOutbox(parent.session);
    return won;
  }

  async function appendNote(db: Kysely<Database>, turn: TurnRow, text: string, taint?: Taint): Promise<void> {
    await appendMessages(db, {
      session: turn.session,
      turn: turn.id,
      taint: taint ?? (JSON.parse(turn.input) as TurnInput).taint,
      messages: [{ role: "note", text }],
      now: clock.now(),
    });
  }

  async function endOrphans(session?: string): Promise<void> {
    for (const task of await listLivingTasks(store.main, session)) {
      const parent = task.background || task.parent === null ? undefined : await findTurn(store.main, task.parent);
      if (parent?.state === "ended") {
        await stopTask(task, { by: "gateway", cause: "stop", reason: "The turn it worked for has ended." });
      }
    }
  }

  return {
    conclude,
    wake,
    endOrphans,
    async stopAll(session, person, cause, which = () => true) {
      const { accounts } = await findPerson(store.main, person.id);
      const own = (turn: TurnRow) =>
        which(turn) && (person.role === "owner" || accounts.includes((JSON.parse(turn.input) as TurnInput).person.id));
      const tasks = (await listLivingTasks(store.main, session)).filter(own);
      for (const task of tasks) parts.abort(task.id);
      const closed: Question[] = [];
      let stopped = 0;
      const stopParents = async () => {
        const waiting = (await listTurnsWaitingForTasks(store.main, session)).filter(own);
        for (const parent of waiting) stopped += (await stopWaiting(parent)) ? 1 : 0;
      };
      // Repeated afterwards: a turn may have started to wait for a task that was being stopped.
      await stopParents();
      for (const task of tasks) {
        const questions = await stopTask(task, { by: person.id, cause, reason: stopReasons[cause] });
        if (questions) stopped += 1;
        closed.push(...(questions ?? []));
      }
      await stopParents();
      return { stopped, closed };
    },
    async recover(session) {
      await endOrphans(session);
      await dropStrayLiveItems(store.main, clock.now());
      for (const parent of await listTurnsWaitingForTasks(store.main, session)) {
        const job = await store.main.transaction().execute(async (tx) => {
          const locked = await lockLivingTurn(tx, parent.id);
          return locked && wake(tx, locked, locked.cause);
        });
        if (job) parts.pushToLane(job);
      }
    },
  };
}

/** For the model in later turns, which was informed that the question was open. */
export function noteClosedQuestion(question: Question, how: ClosedHow): string {
  const calls = question.calls.map((call) => `${call.tool}: ${JSON.stringify(call.summary)}`).join("; ");
  return `Question ${question.code} is closed (${how}) without an answer. Nothing of it ran: ${calls}`;
}

/** For the model, right before the words of the person who wants the change. */
export function noteChangedQuestion(question: Question): string {
  const calls = question.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given }));
  return `The person took question ${question.code} back to have it another way; nothing of it ran. What was asked: ${JSON.stringify(calls)}. Their next message says what they want instead: make the changed call, and they are asked again.`;
}
