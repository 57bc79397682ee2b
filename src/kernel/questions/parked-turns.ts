import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropOtherLiveItems } from "../../store/queries/outbox.ts";
import {
  findEarliestDeadline,
  findQuestionTaint,
  listOpenQuestions,
  type Question,
} from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { revokeTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalManager } from "../gate/approval-manager.ts";
import { expireGrants } from "../gate/make-grants.ts";
import type { FindVoice, PersonaWrapper } from "../tools/persona-wrapper.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import { takeResume } from "../lanes/jobs.ts";
import { type TaskEnd, type Tasks, noteChangedQuestion, noteClosedQuestion } from "../tasks/tasks.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { MessageMarks } from "../outbox/message-marks.ts";
import { describeBriefly, listPlaces, type QuestionCards } from "./question-cards.ts";

/** Why a question ends without an answer. */
type ClosingCause = "expiry" | "changed" | "stop" | "new" | "worldline" | "policy" | "pause";

export interface ParkedTurns {
  /**
   * Ends the question and its turn without a model call, in the transaction of the notice. Returns false when the
   * question is closed already. `inbox` is the row whose sender waits for the notice.
   */
  end(question: Question, cause: ClosingCause, by: string, inbox?: string): Promise<boolean>;
  /**
   * Ends the turn of an answered question before it acts on the answer. Returns false when the turn runs or has ended.
   */
  revokeDecision(question: Question): Promise<boolean>;
  /** Ends every open question that was asked under another policy. */
  endForeignPolicies(policy: string, session?: string): Promise<void>;
  /** Ends every open question about one of these tools, because they have changed since. */
  endForTools(names: readonly string[]): Promise<void>;
  /** After a restart, reminds people of their open questions, once per question. */
  remind(): Promise<void>;
  /**
   * Checks the deadlines now and whenever the next one is due: of one session in addition to earlier ones, or of all.
   */
  watch(session?: string): Promise<void>;
  /** A new question may have the next deadline. Never throws. */
  look(): Promise<void>;
  /** Stops checking deadlines and waits for a running check. */
  stop(): Promise<void>;
}

const maxSleepMs = 30_000;
const retryMs = 5_000;

export function createParkedTurns(parts: {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  /** Gives a job to its lane. When the process ends before that, the next start finds the job. */
  readonly pushToLane: (item: InboxItem) => void;
  readonly cards: QuestionCards;
  readonly marks: Pick<MessageMarks, "follow">;
  readonly voice: FindVoice;
  readonly policy: () => string;
  /** Whether another process has newer rules: then they are judged there. */
  readonly isOutdated: () => boolean;
  /** Receives store errors of a deadline check. */
  readonly onFault: (error: unknown) => void;
  readonly clock: Clock;
  readonly log: Logger;
}): ParkedTurns {
  const { store, approvals, outbox, tasks, clock, log } = parts;
  /** The entry undefined means all sessions. */
  const watched = new Set<string | undefined>();
  const loop = createWakeLoop({ look: checkDeadlines });

  async function end(question: Question, cause: ClosingCause, by: string, inbox?: string): Promise<boolean> {
    const state = cause === "expiry" ? "expired" : "cancelled";
    let job: InboxItem | undefined;
    const won = await store.main.transaction().execute(async (tx) => {
      if (!(await approvals.close(tx, question, state, by, cause))) return false;
      await revokeTurn(tx, question.turn, state, clock.now());
      await dropOtherLiveItems(tx, question.turn, "", clock.now());
      job = await tasks.conclude(tx, question.turn, describeTaskEnd(cause), inbox);
      const session = await findSession(tx, question.session);
      if (!session) return true;
      const language = session.language as Language;
      await appendMessages(tx, {
        session: question.session,
        turn: question.turn,
        question: question.id,
        // The text quotes calls, which the model derived from everything the turn had read.
        taint: (await findQuestionTaint(tx, question.id)) ?? "untrusted",
        messages: [
          {
            role: "note",
            text: cause === "changed" ? noteChangedQuestion(question) : noteClosedQuestion(question, cause),
          },
        ],
        now: clock.now(),
      });
      const text = notice(question, cause, { chat: session.id, language }, parts.voice(session.id));
      if (text === undefined) return true;
      const id = `${question.id}.${state}`;
      const address = toAddress(session);
      const heard = inbox === undefined ? {} : { cause: inbox };
      const message = { id, kind: "notice", address, text, plain: true, turn: question.turn, ...heard } as const;
      await queueMessage(tx, message, clock.now());
      return true;
    });
    if (!won) return false;
    await store.turnCheckpoints.remove(question.turn);
    parts.marks.follow(question.turn);
    outbox.wake(question.session);
    if (job) parts.pushToLane(job);
    await tasks.endOrphans(question.session);
    await parts.cards.showOutcome({ ...question, state, closedHow: cause, closedAt: clock.now() });
    return true;
  }

  async function revokeDecision(question: Question): Promise<boolean> {
    const won = await store.main.transaction().execute(async (tx) => {
      if (!(await revokeTurn(tx, question.turn, "stopped", clock.now()))) return false;
      await dropOtherLiveItems(tx, question.turn, "", clock.now());
      await tasks.conclude(tx, question.turn, describeTaskEnd("stop"));
      const session = await findSession(tx, question.session);
      const resume = await takeResume(tx, question, clock.now());
      // The reply to /stop informs the chat. A one-shot client that gave the answer waits for a message of its own.
      if (session?.platform !== "cli" || resume === undefined) return true;
      const context = { chat: session.id, language: session.language as Language };
      const { decision } = wordsFor(context.language);
      const text = parts.voice(session.id).tell(context, "cancelled", decision.takenBack(question.code));
      const id = `${question.id}.taken-back`;
      const place = { address: toAddress(session), turn: question.turn, cause: resume.cause };
      const message = { id, kind: "notice", text, plain: true, error: { code: "TURN_STOPPED" }, ...place } as const;
      await queueMessage(tx, message, clock.now());
      return true;
    });
    if (!won) return false;
    await store.turnCheckpoints.remove(question.turn);
    parts.marks.follow(question.turn);
    outbox.wake(question.session);
    await tasks.endOrphans(question.session);
    return true;
  }

  async function remind(): Promise<void> {
    for (const question of await listOpenQuestions(store.main)) {
      for (const place of listPlaces(question)) {
        const session = await findSession(store.main, place.session);
        if (!session) continue;
        const words = wordsFor(session.language as Language);
        const term = words.duration(question.deadline - clock.now());
        const text = words.decision.stillWaiting({ code: question.code, term });
        const id =
          place.session === question.session ? `${question.id}.waiting` : `${question.id}.waiting.${place.session}`;
        const message = { id, kind: "notice", address: toAddress(session), text, plain: true } as const;
        await queueMessage(store.main, message, clock.now());
      }
    }
  }

  async function endExpired(session: string | undefined): Promise<void> {
    const open = await listOpenQuestions(store.main, session);
    for (const question of open.filter((one) => one.deadline <= clock.now())) await end(question, "expiry", "gateway");
  }

  /** Returns the milliseconds until the next check. Never throws: one database error must not end the deadlines. */
  async function checkDeadlines(): Promise<number> {
    try {
      for (const session of watched) await endExpired(session);
      if (!parts.isOutdated()) await expireGrants(store.main, parts.policy(), clock.now());
      const next = await findEarliestDeadline(store.main);
      return next === undefined ? maxSleepMs : Math.min(Math.max(next - clock.now(), 0) + 5, maxSleepMs);
    } catch (error) {
      log.error({ err: error }, "deadlines could not be checked; trying again");
      parts.onFault(error);
      return retryMs;
    }
  }

  return {
    end,
    revokeDecision,
    remind,
    look: loop.ring,
    watch(session) {
      watched.add(session);
      return loop.ring();
    },
    async endForeignPolicies(policy, session) {
      if (parts.isOutdated()) return;
      const open = await listOpenQuestions(store.main, session);
      for (const question of open.filter((one) => one.policy !== policy)) await end(question, "policy", "gateway");
      await expireGrants(store.main, policy, clock.now());
    },
    async endForTools(names) {
      const open = names.length > 0 ? await listOpenQuestions(store.main) : [];
      const asked = open.filter(({ calls }) => calls.some(({ tool }) => names.includes(tool)));
      for (const question of asked) await end(question, "policy", "gateway");
    },
    stop: loop.stop,
  };
}

/** Commands write their own replies. */
function notice(
  question: Question,
  cause: ClosingCause,
  context: { readonly chat: string; readonly language: Language },
  voice: PersonaWrapper,
): string | undefined {
  const words = wordsFor(context.language);
  switch (cause) {
    case "expiry":
      return voice.tell(
        context,
        "expired",
        words.decision.expiredNotice({ code: question.code, what: describeBriefly(question.calls) }),
      );
    case "policy":
      return voice.tell(context, "voided", words.decision.policyChanged(question.code));
    case "pause":
      return voice.tell(context, "voided", words.control.pause.questionClosed(question.code));
    case "changed":
    case "stop":
    case "new":
    case "worldline":
      return undefined;
  }
}

/** The result for the parent turn of a sub-agent. A command that ends the question ends the parent too. */
function describeTaskEnd(cause: ClosingCause): TaskEnd {
  const reasons: Readonly<Record<ClosingCause, string>> = {
    expiry: "It asked for a confirmation and nobody answered in time; what it asked for did not run.",
    policy: "The permissions changed while it waited for a confirmation; what it asked for did not run.",
    changed: "The person wants it done another way and says so next; what it asked for did not run.",
    stop: "The person stopped it.",
    new: "The person started a new conversation.",
    pause: "An owner pulled the kill switch; what it asked for did not run.",
    worldline: "The person went to another world line; what it asked for did not run.",
  };
  return {
    status: "failed",
    text: "",
    reason: reasons[cause],
    wakes: cause === "expiry" || cause === "changed" || cause === "policy",
  };
}
