import type { Words } from "../core/words/dictionary.ts";
import type { Question } from "../store/queries/questions.ts";
import type { AnswerWords } from "./approvals/approval-words.ts";
import type { AnswerStatus } from "./approvals/bind-answer.ts";

/** The fixed text for an answer that decides nothing. Who said 「预览」 is never told to say 「确认」. */
export function describeStatus(status: AnswerStatus, words: Words, said: AnswerWords["kind"]): string {
  const texts = words.decision;
  const { severalOpen, codeNeeded } = said === "preview" ? words.preview : texts;
  switch (status.kind) {
    case "several":
      return severalOpen(status.codes);
    case "code-needed":
      return codeNeeded(status.code);
    case "not-sent-yet":
      return texts.notSentYet(status.code);
    case "not-yours":
      return texts.notYours(status.asker);
    case "not-allowed":
      return texts.notAllowed;
    case "unknown-code":
      return texts.unknownCode(status.code);
    case "quote-the-prompt":
      return texts.quoteThePrompt;
    case "closed":
      return describeClosed(status.question, words);
  }
}

export function describeClosed(question: Question, words: Words): string {
  const texts = words.decision;
  switch (question.state) {
    case "open":
      return texts.noneOpen;
    case "decided":
      return question.decision === "approved"
        ? texts.lateForApproved(question.code)
        : texts.lateForRejected(question.code);
    case "expired":
      return texts.lateForExpired(question.code);
    case "cancelled":
      return texts.lateForVoided(question.code);
  }
}

/** What a question's card becomes once it is closed. */
export function describeCard(
  question: Question,
  by: { readonly name: string; readonly time: string },
  words: Words,
): string {
  const texts = words.outcome;
  switch (question.state) {
    case "open":
      return "";
    case "decided":
      return question.decision === "approved" ? texts.approved(by) : texts.rejected(by);
    case "expired":
      return texts.expired;
    case "cancelled":
      return texts.voided;
  }
}
