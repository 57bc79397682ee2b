import type { Logger } from "pino";
import type { Agent } from "../../agents/agent.ts";
import type { TurnInput, TurnProgress } from "../../agents/types.ts";
import { AppError } from "../../core/errors.ts";
import { fenceThread } from "../../store/queries/checkpoints.ts";
import { beginInboxAttempt, forgiveInboxAttempt, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { listDecidedQuestions } from "../../store/queries/questions.ts";
import { saveLiveItem } from "../../store/queries/outbox.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import { claimTurn, findTurnByInbox, renewLease, type TurnHold } from "../../store/queries/turns.ts";
import { isStoreFault } from "../../store/is-store-fault.ts";
import type { BeginTurn } from "./begin-turn.ts";
import type { ResumeJob } from "./jobs.ts";
import { createLiveReply, type LiveReply } from "./live-reply.ts";
import { toAddress } from "../approvals/parked-turns.ts";
import { JobAborted } from "../session-lanes.ts";
import { createSettleTurn, type SettleParts, type TurnAtWork } from "./settle-turn.ts";

/** What one lane does with one inbox row. */
export type RunTurn = (item: InboxItem, signal: AbortSignal) => Promise<void>;

const mostAttempts = 3;

export function createRunTurn(
  parts: SettleParts & {
    readonly agent: Agent;
    readonly beginTurn: BeginTurn;
    /** This process, and how long a turn is its own. */
    readonly owner: string;
    readonly leaseMs: number;
    readonly log: Logger;
  },
): RunTurn {
  const { store, agent, clock, log } = parts;
  const { settle, settleStop } = createSettleTurn(parts);

  return async function runTurn(item, signal) {
    const taken = await takeUp(item);
    if (!taken) {
      await setInboxState(store.main, item.id, "done", clock.now());
      return;
    }
    const { atWork, attempts } = taken;
    if (attempts >= mostAttempts) {
      const message = `The turn was tried ${mostAttempts} times and never came to its end.`;
      return settle(atWork, { kind: "failed", code: "INTERNAL", message });
    }
    await fenceThread(store.checkpoints, atWork.hold.turn, atWork.hold.token);
    const live = showLive(atWork);
    const renewing = setInterval(() => void renew(atWork.hold), parts.leaseMs / 3);
    try {
      const onProgress = (progress: TurnProgress) => live?.update(progress);
      const result = await agent.advance(atWork.input, { hold: atWork.hold, signal, onProgress });
      await live?.settle();
      await settle(atWork, result);
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      // Revoked before anything is waited for: a call of this round that has not begun must not begin now.
      if (code === "TURN_STOPPED") await stopTurn(atWork, signal);
      await live?.settle();
      if (code === "TURN_LOST") await setInboxState(store.main, item.id, "done", clock.now());
      else if (code !== "TURN_STOPPED") {
        if (isStoreFault(error)) await forgiveInboxAttempt(store.main, item.id);
        throw error;
      }
    } finally {
      clearInterval(renewing);
    }
  };

  /** /stop ends the turn for good; a shutdown leaves it to the next start. */
  async function stopTurn(atWork: TurnAtWork, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.reason;
    if (reason instanceof JobAborted && reason.kind === "stop") await settleStop(atWork);
    else await forgiveInboxAttempt(store.main, atWork.item.id);
  }

  function showLive({ cause, hold, input, outboxId, session }: TurnAtWork): LiveReply | undefined {
    const channel = parts.findChannel(session.platform);
    if (!channel) return undefined;
    const spot = { chat: session.id, language: input.language };
    return createLiveReply({
      store,
      channel,
      log,
      address: toAddress(session),
      outboxId,
      turn: hold.turn,
      cause,
      sayProgress: (tool) => parts.voice().progress(spot, tool),
      now: () => clock.now(),
    });
  }

  async function renew(hold: TurnHold): Promise<void> {
    try {
      await renewLease(store.main, hold, clock.now() + parts.leaseMs);
    } catch (error) {
      log.warn({ err: error, turn: hold.turn }, "the lease of a turn could not be renewed");
    }
  }

  /** Claims the row's turn, or begins it, and counts the attempt. undefined = there is nothing left to do. */
  async function takeUp(item: InboxItem): Promise<{ atWork: TurnAtWork; attempts: number } | undefined> {
    const session = await findSession(store.main, item.session);
    if (!session) return undefined;
    const lease = clock.now() + parts.leaseMs;
    const resume = item.kind === "resume" ? (JSON.parse(item.payload) as ResumeJob) : undefined;
    const begun = resume?.turn ?? (await findTurnByInbox(store.main, item.id))?.id;
    if (begun !== undefined) return claimAgain(item, session, begun, lease, resume?.cause ?? item.id);
    const { input, hold, attempts } = await parts.beginTurn(item, session, parts.owner, lease);
    const atWork = { item, input, hold, session, cause: item.id, answered: undefined, outboxId: `${hold.turn}.0` };
    return { atWork, attempts };
  }

  /** One transaction, since a person who said yes waits for it: the claim, the attempt and the row of the reply. */
  async function claimAgain(item: InboxItem, session: SessionRow, turn: string, lease: number, cause: string) {
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const claimed = await claimTurn(tx, turn, parts.owner, lease, now);
      if (!claimed) return undefined;
      const questions = await listDecidedQuestions(tx, turn);
      const outboxId = `${turn}.${questions.length}`;
      if (parts.findChannel(session.platform)?.show) {
        await saveLiveItem(tx, { id: outboxId, session: session.id, turn, cause, now });
      }
      const attempts = await beginInboxAttempt(tx, item.id);
      const input = JSON.parse(claimed.input) as TurnInput;
      const answered = questions.at(-1);
      return { atWork: { item, input, hold: claimed.hold, session, cause, answered, outboxId }, attempts };
    });
  }
}
