import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Agent } from "../agent/agent.ts";
import type { TurnInput, TurnProgress, TurnResult } from "../agent/types.ts";
import { AppError } from "../../core/errors.ts";
import { setInboxRunning, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { listDecidedQuestions } from "../../store/queries/questions.ts";
import { dropStrayLiveItems, saveLiveItem } from "../../store/queries/outbox.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import { countTaskQuestions } from "../../store/queries/tasks.ts";
import { claimTurn, findTurn, findTurnByInbox, type TurnLease, type TurnRow } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Meter } from "../../core/meter.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { Fault } from "../recovery/settle-death.ts";
import type { BeginTurn } from "./begin-turn.ts";
import { causeOf, type ResumeJob } from "../lanes/jobs.ts";
import type { LaterWordsDesk } from "./later-words.ts";
import { type LiveReply, canShowTurns, createLiveReply, createTaskViews } from "./live-reply.ts";
import type { LiveWatch } from "./live-watch.ts";
import { toAddress } from "../../channels/to-address.ts";
import { JobAborted, type JobEnd } from "../lanes/session-lanes.ts";
import type { MessageMarks } from "../outbox/message-marks.ts";
import { createRunMeasure } from "./measure-runs.ts";
import { createSettleTurn, type SettleParts } from "./settle-turn.ts";
import { nameTaskView, type TurnAtWork } from "./turn-at-work.ts";
import type { ModelWaits } from "./wait-for-model.ts";

export interface TurnRunner {
  /** Runs one inbox row in its lane. */
  work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
  /** Ends the turn of a row that was put aside, with its notice. Returns false when no turn of it is alive. */
  fail(item: InboxItem, fault: Fault): Promise<boolean>;
}

/** A sub-agent receives no messages. */
const noLaterWords: ReturnType<LaterWordsDesk["follow"]> = {
  takeLaterWords: () => Promise.resolve([]),
  onBurst: () => () => undefined,
};

export function createRunTurn(
  parts: SettleParts & {
    readonly agent: Agent;
    readonly beginTurn: BeginTurn;
    /** The id of this process. */
    readonly owner: string;
    /** Tasks of a session were stored and can begin. */
    readonly onTasks: (session: string) => void;
    readonly holdBack: Scrub;
    readonly waits: Pick<ModelWaits, "begin" | "giveUp" | "end">;
    readonly marks: Pick<MessageMarks, "follow">;
    readonly laterWords: Pick<LaterWordsDesk, "follow">;
    readonly liveWatch: Pick<LiveWatch, "begin">;
    readonly meter: Meter;
    readonly log: Logger;
  },
): TurnRunner {
  const { store, agent, clock, log, waits } = parts;
  const measure = createRunMeasure(createSettleTurn(parts), parts);
  const { settle, settleGivenUp, settleStop } = measure.settling;

  const tried = new WeakSet<InboxItem>();
  const taskViews = createTaskViews((work) =>
    showLive(work, async () => `${work.outboxId}.${await countTaskQuestions(store.main, work.shownTurn)}`),
  );

  async function work(item: InboxItem, signal: AbortSignal): Promise<JobEnd> {
    const atWork = await takeUp(item, signal);
    if (atWork) return measure.during(atWork, () => advance(atWork, signal));
    await setInboxState(store.main, item.id, "done", clock.now());
    return "ended";
  }

  async function advance(atWork: TurnAtWork, signal: AbortSignal): Promise<JobEnd> {
    await store.turnCheckpoints.fence(atWork.lease.turn, atWork.lease.token);
    const given = signal.aborted ? undefined : await waits.giveUp(atWork);
    if (given) {
      await settleGivenUp(atWork, given);
      return "ended";
    }
    const { input, item } = atWork;
    const live = atWork.task ? undefined : showLive(atWork);
    let isSeen = false;
    const canShow = canShowTurns(parts.findChannel(atWork.session.platform));
    const words = atWork.task ? noLaterWords : parts.laterWords.follow(atWork, () => isSeen, signal);
    try {
      const onProgress = (progress: TurnProgress) => {
        if (progress.kind === "text") isSeen = canShow;
        // A call that was left running may still report progress.
        if (atWork.task && !signal.aborted) taskViews.update(atWork, progress);
        else live?.update(progress);
      };
      const onTasks = () => parts.onTasks(input.session);
      // Another process had begun this row before it died; it was read in that state at startup.
      const wasCut = item.state === "running" && !atWork.rested;
      const { model } = atWork.session;
      const run = {
        lease: atWork.lease,
        model: model ?? undefined,
        answered: atWork.answered,
        wasCut,
        signal,
        onProgress,
        onTasks,
        ...words,
      };
      const result = await agent.advance(input, run);
      await settleViews(atWork, live, result);
      if ((result.kind === "awaitingTasks" || result.kind === "outage") && signal.aborted) {
        await stopTurn(atWork, signal);
      } else if (result.kind !== "outage") {
        await waits.end(atWork, result.kind === "failed" ? "failed" : "answered");
        await settle(atWork, result);
      } else if (await waits.begin(atWork, result)) {
        return "waiting";
      } else {
        await settle(atWork, { kind: "failed", code: result.code, message: result.message });
      }
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      // Revoked before anything is awaited: no further call of this round may begin.
      if (code === "TURN_STOPPED") await stopTurn(atWork, signal);
      await settleViews(atWork, live);
      if (code === "TURN_LOST") await leaveLost(item, atWork.lease);
      else if (code !== "TURN_STOPPED") throw error;
    } finally {
      if (input.chatKind === "group") parts.marks.follow(atWork.lease.turn);
    }
    return "ended";
  }

  /** The row of a turn that another process took over is that one's to finish. */
  async function leaveLost({ id }: InboxItem, { turn }: TurnLease): Promise<void> {
    const state = (await findTurn(store.main, turn))?.state ?? "ended";
    if (state === "ended") await setInboxState(store.main, id, "done", clock.now());
    else log.warn({ turn, inbox: id }, "a late write was refused: another process works on the turn");
  }

  async function fail(item: InboxItem, { code, reason }: Fault): Promise<boolean> {
    const session = await findSession(store.main, item.session);
    const living = session && (await claimBegun(item, session));
    if (!living || living === "not begun") return false;
    await store.turnCheckpoints.fence(living.lease.turn, living.lease.token);
    await measure.during(living, async () => {
      await settle(living, { kind: "failed", code, message: reason });
      return "ended";
    });
    parts.marks.follow(living.lease.turn);
    return true;
  }

  /** No view may appear after the message that replaces it. */
  async function settleViews(atWork: TurnAtWork, live: LiveReply | undefined, result?: TurnResult): Promise<void> {
    await live?.settle();
    if (result?.kind === "awaitingApproval" && atWork.task?.parent) await taskViews.close(atWork.task.parent);
    await taskViews.leave(atWork);
    // The parent may have been stopped while a view of the task was about to appear.
    if (atWork.task) await dropStrayLiveItems(store.main, clock.now());
  }

  /** /stop ends the turn for good; after a shutdown the next start resumes it. */
  async function stopTurn(atWork: TurnAtWork, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.reason;
    if (!(reason instanceof JobAborted) || reason.kind !== "stop") return;
    await waits.end(atWork, "stopped");
    await settleStop(atWork);
  }

  function showLive(work: TurnAtWork, findRow?: () => Promise<string>): LiveReply | undefined {
    const { cause, input, outboxId, preview, session, shownTurn } = work;
    const channel = parts.findChannel(session.platform);
    if (!channel) return undefined;
    const context = { chat: session.id, language: input.language };
    return createLiveReply({
      ...parts,
      channel,
      address: toAddress(session),
      outboxId: findRow ?? (() => Promise.resolve(outboxId)),
      preview: findRow ? undefined : preview,
      turn: shownTurn,
      cause,
      language: input.language,
      sayProgress: (kind) => parts.voice(session.id).progress(context, kind),
      onShown: () => measure.seen(work),
      now: () => clock.now(),
    });
  }

  /** Claims the row's turn, or begins it. Returns undefined when nothing is left to do. */
  async function takeUp(item: InboxItem, signal: AbortSignal): Promise<TurnAtWork | undefined> {
    const session = await findSession(store.main, item.session);
    if (!session) return undefined;
    const begun = await claimBegun(item, session);
    if (begun !== "not begun") return begun;
    const begunNow = await parts.beginTurn(item, session, parts.owner, signal);
    if (begunNow === undefined) return undefined;
    const { input, lease } = begunNow;
    const place = { cause: causeOf(item), outboxId: `${lease.turn}.0`, shownTurn: lease.turn };
    const fresh = { answered: undefined, preview: null, views: 0, rested: false, task: undefined };
    return { item, input, lease, session, ...place, ...fresh };
  }

  /** Returns undefined when the turn has ended. */
  async function claimBegun(item: InboxItem, session: SessionRow): Promise<TurnAtWork | "not begun" | undefined> {
    // The row is taken in by the transaction that begins its turn.
    const isNew = item.state === "received" && !tried.has(item);
    tried.add(item);
    if (isNew) return "not begun";
    const resume = item.kind === "resume" ? (JSON.parse(item.payload) as ResumeJob) : undefined;
    const begun = resume?.turn ?? (await findTurnByInbox(store.main, item.id))?.id;
    if (begun !== undefined) return claimAgain(item, session, begun, resume);
    return item.kind === "task" ? undefined : "not begun";
  }

  /**
   * Names the row that shows a turn: the same after a crash, a new one after each answer. Tasks are shown where the
   * reply of their parent will appear, below the last question that one of them asked.
   */
  async function nameOutboxRow(
    db: Kysely<Database>,
    turn: TurnRow,
    answers: number,
    joined: number | undefined,
  ): Promise<string> {
    if (turn.kind === "task") return nameTaskView(turn);
    if (joined === undefined) return `${turn.id}.${answers}`;
    return `${turn.id}.r${joined}.${await countTaskQuestions(db, turn.id)}`;
  }

  /** The claim and the row of the reply share one transaction, because the approver waits for both. */
  async function claimAgain(
    item: InboxItem,
    session: SessionRow,
    id: string,
    resume: ResumeJob | undefined,
  ): Promise<TurnAtWork | undefined> {
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const rested = item.state === "running" && (await findTurn(tx, id))?.state === "parked";
      const claimed = await claimTurn(tx, id, parts.owner, now, resume?.cause);
      if (!claimed) return undefined;
      const { lease, turn } = claimed;
      const { cause } = turn;
      const questions = await listDecidedQuestions(tx, id);
      const views = Number(/^model:(\d+)$/.exec(turn.waiting ?? "")?.[1] ?? 0);
      const usual = await nameOutboxRow(tx, turn, questions.length, resume?.round);
      const outboxId = views === 0 ? usual : `${usual}.w${views}`;
      const isShown = turn.kind === "chat" && canShowTurns(parts.findChannel(session.platform));
      const live = { id: outboxId, session: session.id, turn: id, cause, now };
      const preview = isShown ? await saveLiveItem(tx, live) : undefined;
      await setInboxRunning(tx, item.id);
      const input = JSON.parse(turn.input) as TurnInput;
      const answered = questions.at(-1);
      const task = turn.kind === "task" ? turn : undefined;
      const shownTurn = turn.background ? id : (turn.parent ?? id);
      return { item, input, lease, session, cause, answered, outboxId, preview, views, rested, task, shownTurn };
    });
  }

  return { work, fail };
}
