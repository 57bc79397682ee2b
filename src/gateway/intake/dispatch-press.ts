import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findQuestion, type Question } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { ApprovalManager } from "../../policy/approval-manager.ts";
import { placeOf } from "../../policy/may-decide.ts";
import type { Person } from "../../policy/types.ts";
import type { Access } from "../people/access.ts";
import type { DecideQuestion } from "../approvals/decide-question.ts";
import {
  describeClosed,
  describeDecisionFault,
  describePreviewStart,
  describeVotes,
  describeWhoMay,
} from "../approvals/render-status.ts";
import type { QuestionCards } from "../approvals/question-cards.ts";
import type { PreviewQuestions } from "../approvals/preview-question.ts";
import type { ButtonPress } from "../../channels/types.ts";

/** Does what a button says and answers the short text for the presser. */
export type ReadPress = (item: InboxItem, press: ButtonPress) => Promise<string>;

export function createReadPress(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly approvals: ApprovalManager;
  readonly cards: QuestionCards;
  readonly decide: DecideQuestion;
  readonly previews: PreviewQuestions;
}): ReadPress {
  const { store, access, approvals, cards } = parts;

  async function preview(question: Question, person: Person, cause: string, words: Words): Promise<string> {
    const start = await parts.previews.begin({ question, person, cause });
    // The card may still have its buttons after a crash.
    if (start.kind === "closed") await cards.showOutcome(start.question);
    return describePreviewStart(start, question.code, words);
  }

  return async (item, press) => {
    const session = await findSession(store.main, item.session);
    const words = wordsFor((session?.language ?? "zh") as Language);
    const [, id, choice] = /^a:([\w]+):([ynp])$/.exec(press.data) ?? [];
    const question = id === undefined ? undefined : await findQuestion(store.main, id);
    if (!question) return words.decision.noneOpen;
    const place = placeOf(question, item.session);
    if (place === "elsewhere") return words.decision.wrongChat;
    const person = await access.identify(press);
    const by = { id: person.id, name: person.name, role: person.role, place };
    const decision = choice === "n" ? "rejected" : "approved";
    if (press.sender.kind !== "person" || !approvals.mayDecide(question, by, decision)) {
      if (question.terms) return describeWhoMay(question, item.session, words);
      return person.id === question.asker ? words.decision.notAllowed : words.decision.notYours(question.askerName);
    }
    if (choice === "p") return preview(question, person, item.id, words);
    const decided = await parts.decide({ question, decision, by, how: "button", chat: item.session, cause: item.id });
    switch (decided.kind) {
      case "decided":
        return words.decision.decidedToast;
      case "expired":
        return words.decision.lateForExpired(question.code);
      case "voted":
        return describeVotes(decided.question, decided.again, words);
      case "forbidden":
        return describeWhoMay(decided.question, item.session, words);
      case "refused":
        return describeDecisionFault(decided.why, words);
      case "closed":
        // The card may still have its buttons after a crash.
        await cards.showOutcome(decided.question);
        return describeClosed(decided.question, words);
    }
  };
}
