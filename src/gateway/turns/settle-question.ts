import type { TurnResult } from "../../agents/types.ts";
import type { Clock } from "../../core/clock.ts";
import { wordsFor } from "../../core/words/words.ts";
import { setInboxState } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { dropLiveItemsNamed } from "../../store/queries/outbox.ts";
import { findQuestionByInterrupt, type Question } from "../../store/queries/questions.ts";
import { parkTurn, requireHold } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalManager } from "../../tools/approval.ts";
import type { PrepareCalls } from "../../tools/prepare-calls.ts";
import type { WordQuestion } from "../approvals/word-question.ts";
import { queueMessage, type Outbox } from "../outbox.ts";
import type { OutboundMessage } from "../types.ts";
import { outbound, settleShown } from "./settle-shown.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

export interface QuestionParts {
  readonly store: Store;
  readonly approvals: ApprovalManager;
  readonly outbox: Outbox;
  readonly wordQuestion: WordQuestion;
  /** Whether one of these tools can be tried out on a copy. */
  readonly supportsPreview: (tools: readonly string[]) => boolean;
  readonly prepare: PrepareCalls;
  readonly onParked: () => void;
  readonly clock: Clock;
}

/** Parks a turn with what it asks: the question, its prompt and the record for the model in one transaction, once. */
export function createSettleQuestion(parts: QuestionParts) {
  const { store, approvals, outbox, clock } = parts;

  async function settleQuestion(
    work: TurnAtWork,
    result: Extract<TurnResult, { kind: "awaitingApproval" }>,
  ): Promise<void> {
    const { hold, item, input, session } = work;
    const question = await store.main.transaction().execute(async (tx) => {
      await requireHold(tx, hold);
      if (work.task) await dropLiveItemsNamed(tx, work.shownTurn, work.outboxId, clock.now());
      else await settleShown(tx, work, { text: result.shown, linked: result.linked }, clock.now());
      const known = await findQuestionByInterrupt(tx, hold.turn, result.interrupt);
      const question =
        known ??
        (await approvals.open(tx, {
          session: input.session,
          chatKind: input.chatKind,
          turn: hold.turn,
          interrupt: result.interrupt,
          person: input.person,
          ...(input.agent && { agent: input.agent.id }),
          policy: input.policy,
          calls: result.question.calls,
        }));
      if (!known) {
        const words = wordsFor(input.language).question;
        await queueMessage(tx, questionMessage(work, question), clock.now());
        await appendMessages(tx, {
          session: input.session,
          turn: hold.turn,
          question: question.id,
          taint: result.taint,
          messages: [{ role: "note", text: words.waitingNote(describeWaiting(question)), sources: result.sources }],
          now: clock.now(),
        });
      }
      await parkTurn(tx, hold, clock.now());
      await setInboxState(tx, item.id, "done", clock.now());
      return question;
    });
    outbox.wake(session.id);
    parts.prepare(question);
    parts.onParked();
  }

  function questionMessage(work: TurnAtWork, question: Question): OutboundMessage {
    const { language } = work.input;
    const words = wordsFor(language).question;
    const preview = { label: words.previewButton, data: `a:${question.id}:p`, style: "plain" } as const;
    const canPreview = parts.supportsPreview(question.calls.map(({ tool }) => tool));
    return {
      ...outbound(work, {
        id: question.id,
        kind: "question",
        text: parts.wordQuestion(question, work.session, language),
        plain: false,
      }),
      choices: [
        { label: words.approveButton, data: `a:${question.id}:y`, style: "approve" },
        ...(canPreview ? [preview] : []),
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

  return settleQuestion;
}

function describeWaiting(question: Question): { readonly code: string; readonly calls: string } {
  return {
    code: question.code,
    // The arguments are the model's, from whatever it has read.
    calls: question.calls.map(({ summary, tool }) => `${tool}: ${JSON.stringify(summary.slice(0, 200))}`).join("; "),
  };
}
