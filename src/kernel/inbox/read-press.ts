import type { PressAnswer } from "./press-answer.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findQuestion, type Question } from "../../store/queries/questions.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import { findPerson } from "../gate/find-person.ts";
import { mayDecide, placeOf } from "../gate/may-decide.ts";
import type { Person } from "../gate/types.ts";
import type { Reader } from "../outbox/tell-as.ts";
import type { Access } from "../people/access.ts";
import type { DecideQuestion } from "../questions/decide-question.ts";
import {
  describeClosed,
  describeDecisionFault,
  describePreviewStart,
  describeVotes,
  describeWhoMay,
} from "../questions/render-status.ts";
import type { QuestionCards } from "../questions/question-cards.ts";
import type { Previews } from "../questions/previews.ts";
import type { ButtonPress } from "../../channels/types.ts";

/** Acts on a pressed button. */
export type ReadPress = (item: InboxItem, press: ButtonPress) => Promise<PressAnswer>;

export function createReadPress(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly cards: QuestionCards;
  readonly decide: DecideQuestion;
  readonly previews: Previews;
}): ReadPress {
  const { store, access, cards } = parts;

  async function preview(question: Question, person: Person, cause: string, to: Reader): Promise<PressAnswer> {
    const start = await parts.previews.begin({ question, person, cause });
    // The card may still have its buttons after a crash.
    if (start.kind === "closed") await cards.showOutcome(start.question);
    const { text } = describePreviewStart(start, question.code, to);
    return { text, result: start.kind === "closed" ? "over" : "done" };
  }

  return async (item, press) => {
    const session = await findSession(store.main, item.session);
    const language = (session?.language ?? "zh") as Language;
    const words = wordsFor(language);
    const to = { words, language };
    const [, id, choice] = /^a:([\w]+):([ynp])$/.exec(press.data) ?? [];
    const question = id === undefined ? undefined : await findQuestion(store.main, id);
    if (!question) return { text: words.decision.noneOpen, result: "over" };
    const place = placeOf(question, item.session);
    if (place === "elsewhere") return { text: words.decision.wrongChat, result: "forbidden" };
    const person = await access.identify(press);
    const { id: account, name, role } = person;
    const by = { id: account, name, role, person: await findPerson(store.main, account), place };
    const decision = choice === "n" ? "rejected" : "approved";
    if (press.sender.kind !== "person" || !mayDecide(question, by, decision)) {
      const { notAllowed, notYours } = words.decision;
      const why = person.id === question.asker ? notAllowed : notYours(question.askerName);
      const text = question.terms ? describeWhoMay(question, item.session, to).text : why;
      return { text, result: "forbidden" };
    }
    if (choice === "p") return preview(question, person, item.id, to);
    const decided = await parts.decide({ question, decision, by, how: "button", chat: item.session, cause: item.id });
    switch (decided.kind) {
      case "decided":
        return { text: words.decision.decidedToast, result: "done" };
      case "expired":
        return { text: words.decision.lateForExpired(question.code), result: "over" };
      case "voted":
        return { text: describeVotes(decided.question, decided.again, words), result: "done" };
      case "forbidden":
        return { text: describeWhoMay(decided.question, item.session, to).text, result: "forbidden" };
      case "refused":
        return { text: describeDecisionFault(decided.why, to).text, result: "failed" };
      case "closed":
        // The card may still have its buttons after a crash.
        await cards.showOutcome(decided.question);
        return { text: describeClosed(decided.question, to).text, result: "over" };
    }
  };
}
