import type { Kysely } from "kysely";
import type { TaskResult } from "../agent/task-result.ts";
import type { TurnInput, TurnResult } from "../agent/types.ts";
import { wordsFor } from "../../core/words/words.ts";
import { appendAudit, isAudited } from "../../store/queries/audit.ts";
import { type InboxItem, setInboxState } from "../../store/queries/inbox.ts";
import { listLedger, type LedgerRow } from "../../store/queries/ledger.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropLiveOutboxItem, dropOtherLiveItems, findOutboxItem } from "../../store/queries/outbox.ts";
import { listTasks } from "../../store/queries/tasks.ts";
import { endTurn, findTurn, revokeTurn } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { FitResult } from "../tools/fit-result.ts";
import { createPrepareDisplays } from "./prepare-displays.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import { describeFailure, describeOutage, needsOperator } from "./describe-failure.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";
import { type QuestionParts, createParkWithQuestion } from "./park-with-question.ts";
import { type TurnAtWork, outbound } from "./turn-at-work.ts";
import { createLimitNotes } from "./note-limits.ts";
import { scrubSaid } from "./scrub-said.ts";
import { createUntagNames, untagSaid } from "./untag-names.ts";
import { createSettleTask } from "./settle-task.ts";
import { createWaitForTasks } from "./wait-for-tasks.ts";
import type { GivenUp } from "./wait-for-model.ts";
import { saveOutage } from "../../store/queries/outages.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { tameLinks } from "../../channels/markdown/tame-links.ts";
import { queueMessage } from "../outbox/outbox.ts";
import type { OutgoingFiles } from "../outbox/outgoing-files.ts";
import type { ReadFile } from "../../workspace/types.ts";
import type { Channel } from "../../channels/types.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { Budget } from "../../models/budget.ts";
import type { Clock } from "../../core/clock.ts";

type FailedTurn = Extract<TurnResult, { kind: "failed" }>;

/** Stores a turn's result: the conversation, the outgoing messages, its state. One transaction each. */
export interface SettleTurn {
  settle(work: TurnAtWork, result: Exclude<TurnResult, { kind: "outage" }>): Promise<void>;
  /** No model answered in time. */
  settleGivenUp(work: TurnAtWork, given: GivenUp): Promise<void>;
  /** The person stopped the turn; it ends for good. */
  settleStop(work: TurnAtWork): Promise<void>;
}

export interface SettleParts extends QuestionParts {
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly voice: FindVoice;
  readonly tasks: Tasks;
  readonly fit: FitResult;
  readonly tellOwners: TellOwners;
  readonly outgoing: Pick<OutgoingFiles, "keep">;
  readonly readFile: ReadFile;
  readonly scrub: Scrub;
  readonly budget: Pick<Budget, "listClose">;
  /** Whether the rule-driven offline model is the only one. */
  readonly isOffline: () => boolean;
  /** Gives a job to its lane. */
  readonly pushToLane: (item: InboxItem) => void;
}

export function createSettleTurn(parts: SettleParts): SettleTurn {
  const { store, outbox, tasks, clock } = parts;
  const prepareDisplays = createPrepareDisplays(parts);
  const untag = createUntagNames(store);
  const settleTask = createSettleTask(parts);
  const parkWithQuestion = createParkWithQuestion(parts);
  const waitForTasks = createWaitForTasks(parts);
  const addSetupHint = createSetupHint(parts);
  const { listClose, noteClose } = createLimitNotes(parts);

  /** No model output is stored or sent with a known secret in it. */
  async function settle(work: TurnAtWork, result: Exclude<TurnResult, { kind: "outage" }>): Promise<void> {
    return settleScrubbed(work, await untagSaid(scrubSaid(result, parts.scrub), untag));
  }

  async function settleScrubbed(work: TurnAtWork, result: Exclude<TurnResult, { kind: "outage" }>): Promise<void> {
    switch (result.kind) {
      case "reported":
        return settleTask.settle(work, result);
      case "awaitingTasks":
        return waitForTasks(work, result);
      case "replied":
        return settleReply(work, result);
      case "awaitingApproval":
        return parkWithQuestion(work, result);
      case "failed":
        return work.task ? settleTask.settle(work, result) : settleFailure(work, result);
    }
  }

  async function settleReply(work: TurnAtWork, result: Extract<TurnResult, { kind: "replied" }>): Promise<void> {
    const { lease, item, input } = work;
    // Only the holder of the lease writes these, and the transaction begins with the lease.
    const ledger = result.acted ? await listLedger(store.main, lease.turn) : [];
    const shown = await prepareDisplays(work, ledger);
    const close = await listClose(input);
    const reply = await store.usage.inTransaction(async (tx) => {
      await endTurn(tx, lease, "replied", clock.now());
      await appendMessages(tx, {
        session: input.session,
        turn: lease.turn,
        ...(work.answered && { question: work.answered.id }),
        taint: result.taint,
        messages: result.messages,
        now: clock.now(),
      });
      const said = { session: input.session, id: work.outboxId, text: result.text, taint: result.taint };
      await parts.hooks.said(tx, said);
      const hint = `${await addSetupHint(tx, input)}${await noteClose(tx, input, close)}`;
      const text = `${tameLinks(result.text, result.linked)}${await describeUnknown(tx, work, ledger, result.acted)}${hint}`;
      const reply = outbound(work, { id: work.outboxId, kind: "reply", text, plain: false });
      await queueMessage(tx, reply, clock.now());
      const turn = {
        input,
        item,
        session: work.session,
        outboxId: work.outboxId,
        text: result.text,
        tools: ledger.map(({ tool }) => tool),
        buildMessage: (part: Parameters<typeof outbound>[1]) => outbound(work, part),
      };
      for (const message of await parts.hooks.ended(tx, turn)) await queueMessage(tx, message, clock.now());
      for (const message of shown) await queueMessage(tx, message, clock.now());
      // In its first run a turn that called nothing has shown nothing else.
      if (result.acted || lease.token > 1) await dropOtherLiveItems(tx, lease.turn, work.outboxId, clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
      return reply;
    });
    outbox.wake(input.session, reply);
    await store.turnCheckpoints.remove(lease.turn);
    await parts.hooks.settled(input, result.isLong);
  }

  /** Reports calls with an unknown outcome to the person, whatever the model wrote about them. */
  async function describeUnknown(
    tx: Kysely<Database>,
    { lease, input }: TurnAtWork,
    ledger: readonly LedgerRow[],
    hasTasks: boolean,
  ): Promise<string> {
    const unsure = ledger.filter((row) => row.state === "started").map(({ tool }) => tool);
    const reported = input.report === undefined ? undefined : await findTurn(tx, input.report);
    const ended = [
      ...(hasTasks ? await listTasks(tx, lease.turn) : []).filter(({ background }) => !background),
      ...(reported ? [reported] : []),
    ];
    for (const { result } of ended) if (result) unsure.push(...(JSON.parse(result) as TaskResult).unsure);
    if (unsure.length === 0) return "";
    return `\n\n${wordsFor(input.language).turn.unknownOutcome(unsure.join(", "))}`;
  }

  async function settleFailure(work: TurnAtWork, result: FailedTurn): Promise<void> {
    const { lease, input } = work;
    // In a group, other members would read about the key.
    const isOperator = input.person.role === "owner" && input.chatKind === "private";
    await endFailed(work, result, async (tx) => {
      const { language } = input;
      const context = { chat: input.session, language, owner: input.person.role === "owner", operator: isOperator };
      await appendRecord(tx, work, `This turn failed (${result.code}) and got no reply.`);
      const failure = { ...result, message: parts.scrub(result.message) };
      return describeFailure(tx, lease.turn, failure, context, parts.voice(input.session));
    });
    if (needsOperator(result.code) && !isOperator) await tellOperators(result.code);
  }

  async function settleGivenUp(work: TurnAtWork, { notice, outage }: GivenUp): Promise<void> {
    const result = {
      kind: "failed",
      code: "MODEL_UNAVAILABLE",
      message: "No model answered while it waited.",
    } as const;
    if (work.task) return settleTask.settle(work, result);
    const ledger = await listLedger(store.main, work.lease.turn);
    return endFailed(work, result, async (tx) => {
      await saveOutage(tx, outage);
      await appendRecord(tx, work, "No model answered for so long that this turn was given up; it got no reply.");
      return notice && `${notice}${await describeUnknown(tx, work, ledger, true)}`;
    });
  }

  /** `describe` returns the notice, or undefined when the chat already has one. */
  async function endFailed(
    work: TurnAtWork,
    result: FailedTurn,
    describe: (tx: Kysely<Database>) => Promise<string | undefined>,
  ): Promise<void> {
    const { lease, item, input } = work;
    const notice = await store.usage.inTransaction(async (tx) => {
      await endTurn(tx, lease, "failed", clock.now());
      const text = await describe(tx);
      const notice =
        text === undefined ? undefined : outbound(work, { id: work.outboxId, kind: "notice", text, plain: true });
      if (notice) await queueMessage(tx, { ...notice, error: { code: result.code } }, clock.now());
      else await dropLiveOutboxItem(tx, work.outboxId, clock.now());
      await appendAudit(tx, {
        actor: "gateway",
        action: "turn.failed",
        session: input.session,
        turn: lease.turn,
        detail: { code: result.code, message: result.message },
        now: clock.now(),
      });
      await dropOtherLiveItems(tx, lease.turn, work.outboxId, clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
      return notice;
    });
    outbox.wake(input.session, notice);
    await store.turnCheckpoints.remove(lease.turn);
    await tasks.endOrphans(input.session);
  }

  /** Notifies the owners once a day, whichever person got no answer. */
  async function tellOperators(code: string): Promise<void> {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await parts.tellOwners(`outage:${code}:${day}`, (words) =>
      words.outage.toOwner(describeOutage(code, words, true) ?? ""),
    );
  }

  async function settleStop(work: TurnAtWork): Promise<void> {
    if (work.task) return settleTask.settleStop(work);
    const { lease, item, input, outboxId, session } = work;
    await store.usage.inTransaction(async (tx) => {
      const revoked = await revokeTurn(tx, lease.turn, "stopped", clock.now());
      // In the turn's transaction: a message whose turn was stopped must not look like one that waits for an answer.
      await setInboxState(tx, item.id, "done", clock.now());
      if (!revoked) return;
      await appendRecord(tx, work, "The person stopped this turn; it got no reply.");
      const seen = (await findOutboxItem(tx, outboxId))?.preview !== null || session.platform === "cli";
      const notice = outbound(work, {
        id: outboxId,
        kind: "notice",
        text: wordsFor(input.language).turn.unfinished,
        plain: true,
      });
      // If nothing was shown yet, the reply to /stop is enough.
      if (seen) await queueMessage(tx, { ...notice, error: { code: "TURN_STOPPED" } }, clock.now());
      else await dropLiveOutboxItem(tx, outboxId, clock.now());
      await dropOtherLiveItems(tx, lease.turn, outboxId, clock.now());
    });
    outbox.wake(session.id);
    await store.turnCheckpoints.remove(lease.turn);
    await tasks.endOrphans(session.id);
  }

  /** Later turns need to know what this one did, although it sent no reply. */
  async function appendRecord(tx: Kysely<Database>, work: TurnAtWork, what: string): Promise<void> {
    const ran = await listLedger(tx, work.lease.turn);
    const calls = ran.map((row) => `${row.tool} (${row.state === "done" ? "ran" : "may or may not have run"})`);
    const text = calls.length === 0 ? what : `${what} Tools it had called: ${calls.join(", ")}.`;
    await appendMessages(tx, {
      session: work.input.session,
      turn: work.lease.turn,
      taint: work.input.taint,
      messages: [{ role: "note", text }],
      now: clock.now(),
    });
  }

  return { settle, settleGivenUp, settleStop };
}

/** The hint below a reply, in the transaction that sends it. Returns "" when there is none. */
type AddSetupHint = (tx: Kysely<Database>, input: TurnInput) => Promise<string>;

const action = "setup.hinted";

/**
 * Each owner is reminded once, in private and across restarts, that no real model is connected. Members and strangers
 * cannot change that, and a group is the wrong place for it.
 */
function createSetupHint(parts: { readonly isOffline: () => boolean; readonly clock: Clock }): AddSetupHint {
  const hinted = new Set<string>();
  return async (tx, { agent, chatKind, language, person, session, turn }) => {
    const isFor = person.role === "owner" && chatKind === "private" && agent === undefined;
    if (!parts.isOffline() || !isFor || hinted.has(person.id)) return "";
    // Remembered only once it is stored: this transaction may be rolled back.
    if (await isAudited(tx, person.id, action)) {
      hinted.add(person.id);
      return "";
    }
    await appendAudit(tx, { actor: person.id, action, session, turn, now: parts.clock.now() });
    return `\n\n${wordsFor(language).outage.offlineModel}`;
  };
}
