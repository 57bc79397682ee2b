import { type InboxItem, rewriteInboxItem } from "../../store/queries/inbox.ts";
import { listQuestionsShownIn } from "../../store/queries/question-prompts.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { RefuseFast } from "./refuse-fast.ts";
import { whyNoAnswer } from "../outbox/refuse-message.ts";
import type { InboundMessage } from "../../channels/types.ts";
import { bindChange } from "../questions/bind-change.ts";
import type { ParkedTurns } from "../questions/parked-turns.ts";
import type { ChangeWish } from "../questions/read-change.ts";

/** Returns true when the message withdrew a question; it then goes to the model as ordinary words. */
export type DispatchChange = (given: AdmittedMessage, wish: ChangeWish) => Promise<boolean>;

/**
 * 「改成 …」 ends the question without running any of its calls. The words then go to the model like any others, after a
 * record of those calls, and whatever the model proposes is assessed again. The inbox row names the question before it
 * ends, so that the turn knows what to change even after a restart.
 */
export function createDispatchChange(parts: {
  readonly store: Store;
  readonly parked: ParkedTurns;
  readonly systemReplies: SystemReplies;
  readonly refuseFast: RefuseFast;
  readonly pushToLane: (item: InboxItem) => void;
}): DispatchChange {
  async function change(item: InboxItem, message: InboundMessage, person: Person, question: Question) {
    const payload: InboundMessage = { ...message, changes: question.id };
    const row = await rewriteInboxItem(parts.store.main, item.id, JSON.stringify(payload));
    if (!(await parts.parked.end(question, "changed", person.id))) return false;
    parts.pushToLane(row ?? item);
    return true;
  }

  return async ({ item, language, message, person, words }, wish) => {
    const isTheirs = message.sender.kind === "person" && whyNoAnswer(message, words) === undefined;
    if (!isTheirs || person.role === "guest") return false;
    const open = await listQuestionsShownIn(parts.store.main, item.session);
    const binding = bindChange({ wish, quote: message.quote, by: person.id, seq: item.seq, open });
    switch (binding.kind) {
      case "ordinary":
        return false;
      case "several":
        await parts.systemReplies.answer(item, message, words.approval.changeWhich(binding.codes));
        return true;
      case "change":
        if (await parts.refuseFast({ item, language, message, person, words })) return true;
        return change(item, message, person, binding.question);
    }
  };
}
