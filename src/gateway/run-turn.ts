import type { Logger } from "pino";
import type { Agent } from "../agents/agent.ts";
import type { TurnInput, TurnResult } from "../agents/types.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { wordsFor } from "../core/words/words.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { deleteCheckpoints, fenceThread } from "../store/queries/checkpoints.ts";
import { beginInboxAttempt, setInboxState, type InboxItem } from "../store/queries/inbox.ts";
import { appendMessages } from "../store/queries/messages.ts";
import { dropLiveOutboxItem } from "../store/queries/outbox.ts";
import { findQuestionByInterrupt, type Question } from "../store/queries/questions.ts";
import { findSession, type SessionRow } from "../store/queries/sessions.ts";
import {
  claimTurn,
  endTurn,
  findTurn,
  findTurnByInbox,
  parkTurn,
  renewLease,
  requireHold,
  revokeTurn,
  type TurnHold,
} from "../store/queries/turns.ts";
import type { Store } from "../store/open-store.ts";
import type { ApprovalManager } from "../tools/approval.ts";
import type { PersonaWrapper } from "../tools/persona-wrapper.ts";
import type { BeginTurn } from "./begin-turn.ts";
import { describeFailure } from "./describe-failure.ts";
import type { ResumeJob } from "./jobs.ts";
import { createLiveReply } from "./live-reply.ts";
import { queueMessage, type Outbox } from "./outbox.ts";
import { toAddress } from "./parked-turns.ts";
import type { Channel, OutboundMessage } from "./types.ts";
import type { WordQuestion } from "./word-question.ts";

/** What one lane does with one inbox row. */
export type RunTurn = (item: InboxItem, signal: AbortSignal) => Promise<void>;

const mostAttempts = 3;

/** Everything about the turn at hand that its end needs. */
interface TurnAtWork {
  readonly item: InboxItem;
  readonly input: TurnInput;
  readonly hold: TurnHold;
  readonly session: SessionRow;
  /** The inbox row whose sender waits for what comes of it. */
  readonly cause: string;
  /** The question whose answer brought the turn back. */
  readonly answered: Question | undefined;
  /** The outbox row its reply goes into; the same after a crash. */
  readonly outboxId: string;
}

export function createRunTurn(parts: {
  readonly store: Store;
  readonly agent: Agent;
  readonly approvals: ApprovalManager;
  readonly outbox: Outbox;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly beginTurn: BeginTurn;
  /** The question as the person reads it. */
  readonly wordQuestion: WordQuestion;
  readonly voice: () => PersonaWrapper;
  readonly onParked: () => void;
  /** This process, and how long a turn is its own. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}): RunTurn {
  const { store, agent, approvals, outbox, clock, log } = parts;

  return async function runTurn(item, signal) {
    const attempts = await beginInboxAttempt(store.main, item.id);
    const atWork = await takeUp(item);
    if (!atWork) {
      await setInboxState(store.main, item.id, "done", clock.now());
      return;
    }
    if (attempts >= mostAttempts) {
      await settleFailure(atWork, {
        kind: "failed",
        code: "INTERNAL",
        message: "The turn ended the process three times.",
      });
      return;
    }
    await fenceThread(store.checkpoints, atWork.hold.turn, atWork.hold.token);
    const channel = parts.findChannel(atWork.session.platform);
    const live =
      channel &&
      createLiveReply({
        store,
        channel,
        log,
        address: toAddress(atWork.session),
        outboxId: atWork.outboxId,
        turn: atWork.hold.turn,
        cause: atWork.cause,
        sayProgress: (tool) =>
          parts.voice().progress({ chat: atWork.session.id, language: atWork.input.language }, tool),
        now: () => clock.now(),
      });
    const renewing = setInterval(() => void renew(atWork.hold), parts.leaseMs / 3);
    try {
      const onProgress = (progress: Parameters<NonNullable<typeof live>["update"]>[0]) => live?.update(progress);
      const result = await agent.advance(atWork.input, { hold: atWork.hold, signal, onProgress });
      await live?.settle();
      await settle(atWork, result);
    } catch (error) {
      await live?.settle();
      if (!(error instanceof AppError)) throw error;
      if (error.code === "TURN_STOPPED") await settleStop(atWork, signal);
      else if (error.code === "TURN_LOST") await setInboxState(store.main, item.id, "done", clock.now());
      else throw error;
    } finally {
      clearInterval(renewing);
    }
  };

  async function renew(hold: TurnHold): Promise<void> {
    try {
      await renewLease(store.main, hold, clock.now() + parts.leaseMs);
    } catch (error) {
      log.warn({ err: error, turn: hold.turn }, "the lease of a turn could not be renewed");
    }
  }

  /** Claims the row's turn, or begins it. undefined = there is nothing left to do. */
  async function takeUp(item: InboxItem): Promise<TurnAtWork | undefined> {
    const session = await findSession(store.main, item.session);
    if (!session) return undefined;
    const lease = clock.now() + parts.leaseMs;
    const resume = item.kind === "resume" ? (JSON.parse(item.payload) as ResumeJob) : undefined;
    const known = resume ? await findTurn(store.main, resume.turn) : await findTurnByInbox(store.main, item.id);
    if (known) {
      const hold = await claimTurn(store.main, known.id, parts.owner, lease, clock.now());
      if (!hold) return undefined;
      const questions = await countAnswered(known.id);
      return {
        item,
        input: JSON.parse(known.input) as TurnInput,
        hold,
        session,
        cause: resume?.cause ?? item.id,
        answered: questions.at(-1),
        outboxId: `${known.id}.${questions.length}`,
      };
    }
    if (resume) return undefined;
    const begun = await parts.beginTurn(item, session, parts.owner, lease);
    return begun && { item, ...begun, session, cause: item.id, answered: undefined, outboxId: `${begun.hold.turn}.0` };
  }

  async function countAnswered(turn: string): Promise<Question[]> {
    const rows = await store.main
      .selectFrom("questions")
      .select("interrupt")
      .where("turn", "=", turn)
      .where("state", "=", "decided")
      .orderBy("closed_at")
      .execute();
    const found = await Promise.all(rows.map((row) => findQuestionByInterrupt(store.main, turn, row.interrupt)));
    return found.filter((question) => question !== undefined);
  }

  async function settle(work: TurnAtWork, result: TurnResult): Promise<void> {
    switch (result.kind) {
      case "replied":
        await settleReply(work, result);
        break;
      case "awaitingApproval":
        await settleQuestion(work, result);
        break;
      case "failed":
        await settleFailure(work, result);
        break;
    }
  }

  async function settleReply(work: TurnAtWork, result: Extract<TurnResult, { kind: "replied" }>): Promise<void> {
    const { hold, item, input } = work;
    await store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      await appendMessages(tx, {
        session: input.session,
        turn: hold.turn,
        ...(work.answered && { question: work.answered.id }),
        taint: result.taint,
        messages: result.messages,
        now: clock.now(),
      });
      await queueMessage(
        tx,
        outbound(work, { id: work.outboxId, kind: "reply", text: result.text, plain: false }),
        clock.now(),
      );
      await endTurn(tx, hold, "replied", clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
    });
    outbox.wake(input.session);
    await deleteCheckpoints(store.checkpoints, hold.turn);
  }

  async function settleQuestion(
    work: TurnAtWork,
    result: Extract<TurnResult, { kind: "awaitingApproval" }>,
  ): Promise<void> {
    const { hold, item, input, session } = work;
    await store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      if (result.shown.trim() === "") await dropLiveOutboxItem(tx, work.outboxId, clock.now());
      else {
        const said = { id: work.outboxId, kind: "notice", text: result.shown.trim(), plain: false } as const;
        await queueMessage(tx, { ...outbound(work, said), partial: true }, clock.now());
      }
      const known = await findQuestionByInterrupt(tx, hold.turn, result.interrupt);
      const question =
        known ??
        (await approvals.open(tx, {
          session: input.session,
          chatKind: input.chatKind,
          turn: hold.turn,
          interrupt: result.interrupt,
          person: input.person,
          policy: input.policy,
          calls: result.question.calls,
        }));
      if (!known) {
        await queueMessage(tx, questionMessage(work, question), clock.now());
        await appendMessages(tx, {
          session: input.session,
          turn: hold.turn,
          question: question.id,
          taint: input.taint,
          messages: [{ role: "note", text: wordsFor(input.language).question.waitingNote(describeWaiting(question)) }],
          now: clock.now(),
        });
      }
      await parkTurn(tx, hold, clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
    });
    outbox.wake(session.id);
    parts.onParked();
  }

  function questionMessage(work: TurnAtWork, question: Question): OutboundMessage {
    const { language } = work.input;
    const words = wordsFor(language).question;
    return {
      ...outbound(work, {
        id: question.id,
        kind: "question",
        text: parts.wordQuestion(question, work.session, language),
        plain: false,
      }),
      choices: [
        { label: words.approveButton, data: `a:${question.id}:y`, style: "approve" },
        { label: words.rejectButton, data: `a:${question.id}:n`, style: "reject" },
      ],
      question: {
        id: question.id,
        code: question.code,
        calls: question.calls.map(({ tool, summary }) => ({ tool, summary })),
        expiresAt: question.deadline,
      },
    };
  }

  async function settleFailure(work: TurnAtWork, result: Extract<TurnResult, { kind: "failed" }>): Promise<void> {
    const { hold, item, input } = work;
    await store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      const spot = { chat: input.session, language: input.language };
      const text = await describeFailure(tx, hold.turn, result.code, spot, parts.voice());
      await queueMessage(
        tx,
        { ...outbound(work, { id: work.outboxId, kind: "notice", text, plain: true }), error: { code: result.code } },
        clock.now(),
      );
      await appendAudit(tx, {
        actor: "gateway",
        action: "turn.failed",
        session: input.session,
        turn: hold.turn,
        detail: { code: result.code, message: result.message },
        now: clock.now(),
      });
      await endTurn(tx, hold, "failed", clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
    });
    outbox.wake(input.session);
    await deleteCheckpoints(store.checkpoints, hold.turn);
  }

  /** /stop ends the turn for good; a shutdown leaves it to the next start. */
  async function settleStop(work: TurnAtWork, signal: AbortSignal): Promise<void> {
    if (signal.reason instanceof Error && signal.reason.message === "shutdown") return;
    await store.main.transaction().execute(async (tx) => {
      await revokeTurn(tx, work.hold.turn, "stopped", clock.now());
      await dropLiveOutboxItem(tx, work.outboxId, clock.now());
      await setInboxState(tx, work.item.id, "done", clock.now());
    });
    await deleteCheckpoints(store.checkpoints, work.hold.turn);
  }

  function outbound(
    work: TurnAtWork,
    message: Pick<OutboundMessage, "id" | "kind" | "text" | "plain">,
  ): OutboundMessage {
    return { ...message, address: toAddress(work.session), turn: work.hold.turn, cause: work.cause };
  }
}

function describeWaiting(question: Question): { readonly code: string; readonly calls: string } {
  return { code: question.code, calls: question.calls.map((call) => `${call.tool}: ${call.summary}`).join("; ") };
}
