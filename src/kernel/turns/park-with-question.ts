import type { Kysely } from "kysely";
import type { TurnResult } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { setInboxState } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropLiveItemsNamed } from "../../store/queries/outbox.ts";
import { findQuestionByInterrupt, type Question } from "../../store/queries/questions.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Database } from "../../store/schema/database.ts";
import { parkTurn, assertLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalManager } from "../gate/approval-manager.ts";
import type { WarmUpCalls } from "../tools/warm-up-calls.ts";
import { shortenArgument } from "../tools/key-argument.ts";
import { placeOf } from "../gate/may-decide.ts";
import { type RenderQuestion, buildChoices } from "../questions/render-question.ts";
import type { ListOwnerChats } from "../questions/owner-chats.ts";
import { toAddress } from "../../channels/to-address.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import { type TurnAtWork, outbound, settleShown } from "./turn-at-work.ts";

export interface QuestionParts {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly outbox: Outbox;
  readonly renderQuestion: RenderQuestion;
  /** Whether one of these tools can be tried out on a copy. */
  readonly supportsPreview: (tools: readonly string[]) => boolean;
  readonly listOwnerChats: ListOwnerChats;
  readonly warmUp: WarmUpCalls;
  readonly onParked: () => void;
  readonly hooks: Pick<CallHooks, "ended" | "said" | "settled">;
  readonly clock: Clock;
}

/**
 * Parks a turn with its question: the question, its prompt and the record for the model are written once, in one
 * transaction.
 */
export function createParkWithQuestion(parts: QuestionParts) {
  const { store, approvals, outbox, clock } = parts;

  async function parkWithQuestion(
    work: TurnAtWork,
    result: Extract<TurnResult, { kind: "awaitingApproval" }>,
  ): Promise<void> {
    const { lease, item, input, session } = work;
    const question = await store.usage.inTransaction(async (tx) => {
      await assertLease(tx, lease);
      if (work.task) await dropLiveItemsNamed(tx, work.shownTurn, work.outboxId, clock.now());
      else {
        const shown = { text: result.shown, linked: result.linked, taint: result.taint };
        await settleShown(tx, work, shown, { hooks: parts.hooks, now: clock.now() });
      }
      const known = await findQuestionByInterrupt(tx, lease.turn, result.interrupt);
      const question =
        known ??
        (await approvals.open(tx, {
          session: input.session,
          chatKind: input.chatKind,
          turn: lease.turn,
          interrupt: result.interrupt,
          person: input.person,
          ...(input.agent && { agent: input.agent.id }),
          policy: input.policy,
          ...(result.question.terms && { terms: result.question.terms }),
          ownerChats: await parts.listOwnerChats(tx, input.session),
          calls: result.question.calls,
        }));
      if (!known) {
        const words = wordsFor(input.language).question;
        for (const message of await wordPrompts(tx, work, question)) await queueMessage(tx, message, clock.now());
        await appendMessages(tx, {
          session: input.session,
          turn: lease.turn,
          question: question.id,
          taint: result.taint,
          messages: [{ role: "note", text: words.waitingNote(describeWaiting(question)), sources: result.sources }],
          now: clock.now(),
        });
      }
      await parkTurn(tx, lease, clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
      return question;
    });
    outbox.wake(session.id, wordHere(work, question));
    for (const place of question.routed) outbox.wake(place.session);
    parts.warmUp(question);
    parts.onParked();
  }

  /**
   * The prompt for each chat where the question can be answered, and a waiting notice for the asking chat otherwise.
   */
  async function wordPrompts(
    tx: Kysely<Database>,
    work: TurnAtWork,
    question: Question,
  ): Promise<readonly OutboundMessage[]> {
    const messages = [wordHere(work, question)];
    for (const place of question.routed) {
      const session = place.session === work.session.id ? undefined : await findSession(tx, place.session);
      if (!session) continue;
      const id = `${question.id}.${session.id}`;
      const address = toAddress(session);
      const words = wordPrompt(question, session, { language: session.language as Language });
      messages.push({ id, kind: "question", address, plain: false, ...words });
    }
    return messages;
  }

  function wordHere(work: TurnAtWork, question: Question): OutboundMessage {
    const isAskedHere = placeOf(question, work.session.id) === "same-chat";
    return isAskedHere ? promptMessage(work, question) : waitingNotice(work, question);
  }

  function promptMessage(work: TurnAtWork, question: Question): OutboundMessage {
    const { text, ...more } = wordPrompt(question, work.session, work.input);
    return { ...outbound(work, { id: question.id, kind: "question", text, plain: false }), ...more };
  }

  function wordPrompt(
    question: Question,
    session: SessionRow,
    { language, zone }: { readonly language: Language; readonly zone?: string },
  ) {
    const canPreview = parts.supportsPreview(question.calls.map(({ tool }) => tool));
    return {
      text: parts.renderQuestion(question, session, language, zone),
      choices: buildChoices(question, wordsFor(language), canPreview),
      question: {
        id: question.id,
        code: question.code,
        calls: question.calls.map(({ call, tool, summary }) => ({ call, tool, summary })),
        expiresAt: question.deadline,
      },
    };
  }

  function waitingNotice(work: TurnAtWork, question: Question): OutboundMessage {
    const words = wordsFor(work.input.language);
    const { waitsForOwner, noOwnerChat } = words.approval;
    const term = words.duration(question.deadline - question.createdAt);
    const calls = question.calls.map(({ tool, summary }) => `${tool} ${shortenArgument(summary)}`).join("; ");
    const say = question.routed.length > 0 ? waitsForOwner : noOwnerChat;
    const text = say({ code: question.code, term, calls });
    return { ...outbound(work, { id: question.id, kind: "notice", text, plain: true }), standsFor: question.id };
  }

  return parkWithQuestion;
}

function describeWaiting(question: Question): { readonly code: string; readonly calls: string } {
  return {
    code: question.code,
    // The model derived the arguments from anything it has read.
    calls: question.calls.map(({ summary, tool }) => `${tool}: ${JSON.stringify(summary.slice(0, 200))}`).join("; "),
  };
}
