import type { Words } from "../../core/words/dictionary.ts";
import { listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Store } from "../../store/open-store.ts";
import { findPerson } from "../gate/find-person.ts";
import { mayDecide, placeOf } from "../gate/may-decide.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import { whyNoAnswer } from "../outbox/refuse-message.ts";
import type { NearAnswer } from "../questions/near-answer.ts";

/**
 * Returns true when the message nearly answered an open question. It then got a fixed reply and never reaches the
 * model.
 */
export type DispatchNearAnswer = (given: AdmittedMessage, near: NearAnswer) => Promise<boolean>;

/**
 * 好, ok and similar words approve nothing, but people who write them believe that they approved; the model must not
 * take them for an approval either. 「别跑」 and "wait" cancel nothing, and the reply explains how to cancel. Members of a
 * group write such words to one another: unless they address the bot, they get one reply per question.
 */
export function createDispatchNearAnswer(parts: {
  readonly store: Store;
  readonly questions: Pick<CallHooks["questions"], "list">;
  readonly systemReplies: SystemReplies;
}): DispatchNearAnswer {
  const { store, systemReplies } = parts;
  return async ({ item, message, person, words }, near) => {
    const { chatKind, quote, addressed, sender } = message;
    const isGroup = chatKind === "group";
    if (sender.kind !== "person" || whyNoAnswer(message, words) !== undefined) return false;
    // The message replies to another member.
    if (isGroup && quote && !quote.fromUs) return false;
    const standing = [
      ...(await listQuestionsShownIn(store.main, item.session)),
      ...parts.questions.list(item.session).open,
    ];
    if (standing.length === 0) return false;
    const who = await findPerson(store.main, person.id);
    const isTheirs = (question: Question): boolean =>
      question.shownAfter !== null &&
      item.seq > question.shownAfter &&
      (!isGroup || question.asker === person.id) &&
      mayDecide(
        question,
        { id: person.id, role: person.role, person: who, place: placeOf(question, item.session) },
        near.kind === "yes" ? "approved" : "rejected",
      );
    const open = standing.filter(isTheirs);
    const named = open.filter(({ code, promptMessage }) => near.code === code || quote?.messageId === promptMessage);
    const meant = named.length > 0 ? named : open;
    const [first] = meant;
    if (!first) return false;
    const codes = meant.map(({ code }) => code);
    const say = ({ decision }: Words): string => {
      const { one, oneOf, several } = near.kind === "yes" ? decision.nearYes : decision.nearNo;
      if (codes.length > 1) return several(codes);
      return open.length > 1 ? oneOf(first.code) : one(first.code);
    };
    if (!isGroup || addressed) await systemReplies.answer(item, message, say(words));
    else {
      await systemReplies.tell(`${first.id}.near-${near.kind}`, item.session, say);
      await systemReplies.finish(item);
    }
    return true;
  };
}
