import type { Clock } from "../../core/clock.ts";
import { insertInboxItem, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { listRecentQuestions } from "../../store/queries/question-prompts.ts";
import type { Question } from "../../store/queries/questions.ts";
import { keepQuestionsOfLine } from "../../store/queries/current-line.ts";
import type { Store } from "../../store/open-store.ts";
import { findPerson, type LinkedPerson } from "../gate/find-person.ts";
import { mayDecide, placeOf } from "../gate/may-decide.ts";
import {
  describeClosed,
  describeDecisionFault,
  describePreviewStart,
  describeStatus,
  describeVotes,
  describeWhoMay,
} from "../questions/render-status.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import type { RefuseFast } from "./refuse-fast.ts";
import { whyNoAnswer } from "../outbox/refuse-message.ts";
import type { AgainJob } from "../lanes/jobs.ts";
import { toRequester } from "../../channels/session-id.ts";
import type { AnswerWords } from "../questions/approval-words.ts";
import { bindAnswer } from "../questions/bind-answer.ts";
import type { DecideQuestion } from "../questions/decide-question.ts";
import type { Previews } from "../questions/previews.ts";

/** A message that contains the words of an answer. */
export interface GivenAnswer extends AdmittedMessage {
  readonly said: AnswerWords;
}

/** Returns true when the words were an answer or got a fixed reply. Such words never reach the model. */
export type DispatchAnswer = (given: GivenAnswer) => Promise<boolean>;

const dayMs = 24 * 3_600_000;

export function createDispatchAnswer(parts: {
  readonly store: Store;
  readonly decide: DecideQuestion;
  readonly previews: Previews;
  /** Features can have questions of their own, next to the kernel's. */
  readonly questions: CallHooks["questions"];
  readonly systemReplies: SystemReplies;
  readonly refuseFast: RefuseFast;
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
}): DispatchAnswer {
  const { store, systemReplies, clock } = parts;

  async function decide(given: GivenAnswer, question: Question, who: LinkedPerson): Promise<void> {
    const { item, message, person, said } = given;
    const place = placeOf(question, item.session);
    const decided = await parts.decide({
      question,
      decision: said.kind === "approve" ? "approved" : "rejected",
      by: { id: person.id, name: person.name, role: person.role, person: who, place },
      how: "words",
      ...("numbers" in said && said.numbers && { numbers: said.numbers }),
      ...("grant" in said && said.grant && { grant: said.grant }),
      chat: item.session,
      cause: item.id,
      inbox: item.id,
    });
    switch (decided.kind) {
      case "decided":
        return;
      case "expired":
        // The expiry notice already answers this message.
        if (decided.told) return systemReplies.finish(item);
        return systemReplies.answer(item, message, describeClosed({ ...question, state: "expired" }, given, said.kind));
      case "closed":
        return systemReplies.answer(item, message, describeClosed(decided.question, given, said.kind));
      case "voted":
        return systemReplies.answer(item, message, describeVotes(decided.question, decided.again, given.words));
      case "forbidden":
        return systemReplies.answer(item, message, describeWhoMay(decided.question, item.session, given));
      case "refused":
        return systemReplies.answer(item, message, describeDecisionFault(decided.why, given));
    }
  }

  async function preview({ item, message, person, language, words }: GivenAnswer, question: Question): Promise<void> {
    const { code } = question;
    const announce = () => systemReplies.answer(item, message, words.previews.started(code), true);
    const start = await parts.previews.begin({ question, person, language, cause: item.id, announce });
    if (start.kind === "started") return;
    // The expiry notice already answers this message.
    if (start.kind === "expired" && start.told) return systemReplies.finish(item);
    await systemReplies.answer(item, message, describePreviewStart(start, code, { words, language }));
  }

  async function askAgain({ item, message }: GivenAnswer, question: Question): Promise<void> {
    const payload: AgainJob = { question: question.id, message, cause: item.id };
    const again = await store.main.transaction().execute(async (tx) => {
      await setInboxState(tx, item.id, "done", clock.now());
      return insertInboxItem(tx, {
        id: `${item.id}.again`,
        platform: message.address.platform,
        account: message.address.account,
        eventKey: `${message.key}.again`,
        session: item.session,
        requester: toRequester(message),
        kind: "again",
        state: "queued",
        payload: JSON.stringify(payload),
        now: clock.now(),
      });
    });
    if (again) parts.pushToLane(again);
  }

  return async (given) => {
    const { item, language, message, person, words, said } = given;
    const asked = parts.questions.list(item.session);
    const own = await listRecentQuestions(store.main, item.session, clock.now() - dayMs);
    const open = [...own.open, ...asked.open];
    const who = await findPerson(store.main, person.id);
    // The terms may let more people reject than approve.
    const decision = said.kind === "reject" ? "rejected" : "approved";
    const isTheirs = (question: Question) =>
      mayDecide(
        question,
        { id: person.id, role: person.role, person: who, place: placeOf(question, item.session) },
        decision,
      );
    const reason = whyNoAnswer(message, words);
    if (reason !== undefined) {
      if (!open.some(isTheirs)) return false;
      await systemReplies.answer(item, message, reason);
      return true;
    }
    const closed = [...own.closed, ...asked.closed].toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0));
    const binding = bindAnswer({
      words: said,
      quote: message.quote,
      seq: item.seq,
      sentAt: message.sentAt,
      now: clock.now(),
      decider: { id: person.id },
      mayDecide: (question) => message.sender.kind === "person" && isTheirs(question),
      open,
      // A question of another world line cannot be repeated on this one.
      closed: said.kind === "again" ? await keepQuestionsOfLine(store.main, item.session, own.closed) : closed,
    });
    switch (binding.kind) {
      case "ordinary":
        return false;
      case "status":
        await systemReplies.answer(
          item,
          message,
          describeStatus(binding.status, {
            words,
            language,
            said: said.kind,
            typed: message.text,
            session: item.session,
          }),
        );
        return true;
      case "preview":
        if (asked.open.includes(binding.question))
          await systemReplies.answer(item, message, words.previews.cannotPreview(binding.question.code));
        else await preview(given, binding.question);
        return true;
      case "again":
        if (!(await parts.refuseFast(given))) await askAgain(given, binding.question);
        return true;
      case "decide":
        if (asked.open.includes(binding.question)) {
          const taken = await parts.questions.decide(binding.question.id, said.kind === "approve", given);
          const over = { ...binding.question, state: "expired" } as const;
          if (!taken) await systemReplies.answer(item, message, describeClosed(over, given, said.kind));
          return true;
        }
        await decide(given, binding.question, who);
        return true;
    }
  };
}
