import type { Kysely } from "kysely";
import type { Clock } from "../core/clock.ts";
import type { Language } from "../core/conversation.ts";
import type { Words } from "../core/words/dictionary.ts";
import { detectLanguage } from "../core/words/detect-language.ts";
import { wordsFor } from "../core/words/words.ts";
import { insertInboxItem, setInboxState, type InboxItem } from "../store/queries/inbox.ts";
import { listClosedQuestions, listOpenQuestions, type Question } from "../store/queries/questions.ts";
import { findSession } from "../store/queries/sessions.ts";
import type { Store } from "../store/open-store.ts";
import type { Database } from "../store/schema.ts";
import type { ApprovalManager, Decider } from "../tools/approval.ts";
import type { Person } from "../tools/types.ts";
import type { Access, Admission } from "./access.ts";
import { readAnswerWords, type AnswerWords } from "./approvals/approval-words.ts";
import { bindAnswer } from "./approvals/bind-answer.ts";
import { readCommand, type RunCommand } from "./chat-commands.ts";
import type { DecideQuestion } from "./approvals/decide-question.ts";
import { describeClosed, describeStatus } from "./describe-status.ts";
import { describePreviewStart } from "./approvals/describe-preview-start.ts";
import type { PreviewQuestions } from "./approvals/preview-question.ts";
import type { ReadPress } from "./approvals/dispatch-press.ts";
import type { AgainJob } from "./turns/jobs.ts";
import { queueMessage, type Outbox } from "./outbox.ts";
import { refuseMessage, whyNoAnswer } from "./refuse-message.ts";
import { toAddress } from "./approvals/parked-turns.ts";
import type { ButtonPress, Channel, InboundMessage } from "./types.ts";

/** Decides what an accepted event is: an answer to a question, a command, or work for its session's lane. */
export type Dispatch = (item: InboxItem) => Promise<void>;

const dayMs = 24 * 3_600_000;

export function createDispatch(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly approvals: ApprovalManager;
  readonly decide: DecideQuestion;
  readonly previews: PreviewQuestions;
  readonly readPress: ReadPress;
  readonly runCommand: RunCommand;
  readonly outbox: Outbox;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly mentionOnly: (platform: string) => boolean;
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
}): Dispatch {
  const { store, access, approvals, outbox, clock } = parts;

  return async function dispatch(item) {
    // After a restart: this far it had come already.
    if (item.state !== "received") parts.pushToLane(item);
    else if (item.kind === "message") await dispatchMessage(item, JSON.parse(item.payload) as InboundMessage);
    else if (item.kind === "press") await dispatchPress(item, JSON.parse(item.payload) as ButtonPress);
    else parts.pushToLane(item);
  };

  async function dispatchMessage(item: InboxItem, message: InboundMessage): Promise<void> {
    const words = wordsFor(await languageOf(item.session, message));
    const admission = await store.main.transaction().execute(async (tx) => {
      const found = await access.admit(message, tx);
      const text = describeAdmission(found, words);
      if (text !== undefined) await queueAnswer(tx, item, message, text);
      return found;
    });
    switch (admission.kind) {
      case "ignored":
        return finish(item);
      case "admitted":
        return dispatchAdmitted(item, message, admission.person, words);
      case "hint":
      case "wrong-code":
      case "group-off":
      case "became-owner":
        outbox.wake(item.session);
    }
  }

  async function dispatchAdmitted(
    item: InboxItem,
    message: InboundMessage,
    person: Person,
    words: Words,
  ): Promise<void> {
    const said = readAnswerWords(message.text);
    if (said) {
      const handled = await dispatchAnswer(item, message, person, words, said);
      if (handled) return;
    }
    const command = readCommand(message.text);
    const opensGroup = command?.name === "pair" && person.role === "owner";
    const unaddressed = !message.addressed && !opensGroup && parts.mentionOnly(message.address.platform);
    if (message.edited || unaddressed || message.sender.kind === "bot") return finish(item);
    if (command && !message.forwarded) {
      const call = { message, session: item.session, person, words, rest: command.rest };
      const result = await parts.runCommand(command.name, call);
      if (result.also) await tell(`${item.id}.also`, result.also.session, result.also.text);
      return answer(item, message, result.text);
    }
    const refusal = refuseMessage(message, words);
    if (refusal !== undefined) return answer(item, message, refusal);
    // Nothing is written here: should the process end before the turn begins, the row is looked at like a new one.
    parts.pushToLane(item);
  }

  /** true = the words were an answer, or got a fixed text; they never reach the model. */
  async function dispatchAnswer(
    item: InboxItem,
    message: InboundMessage,
    person: Person,
    words: Words,
    said: AnswerWords,
  ): Promise<boolean> {
    const open = await listOpenQuestions(store.main, item.session);
    const decider: Decider = { id: person.id, role: person.role, place: "same-chat" };
    const reason = whyNoAnswer(message, words);
    if (reason !== undefined) {
      if (!open.some((question) => approvals.mayDecide(question, decider))) return false;
      await answer(item, message, reason);
      return true;
    }
    const binding = bindAnswer({
      words: said,
      quote: message.quote,
      seq: item.seq,
      now: clock.now(),
      decider,
      mayDecide: (question) => message.sender.kind === "person" && approvals.mayDecide(question, decider),
      open,
      closed: await listClosedQuestions(store.main, item.session, clock.now() - dayMs),
    });
    switch (binding.kind) {
      case "ordinary":
        return false;
      case "status":
        await answer(item, message, describeStatus(binding.status, words, said.kind));
        return true;
      case "preview":
        await preview(item, message, person, words, binding.question);
        return true;
      case "again":
        await askAgain(item, message, binding.question);
        return true;
      case "decide":
        await decide(item, message, person, words, binding.question, said.kind === "approve" ? "approved" : "rejected");
        return true;
    }
  }

  async function decide(
    item: InboxItem,
    message: InboundMessage,
    person: Person,
    words: Words,
    question: Question,
    decision: "approved" | "rejected",
  ): Promise<void> {
    const by = { id: person.id, name: person.name };
    const decided = await parts.decide({ question, decision, by, how: "words", cause: item.id, inbox: item.id });
    switch (decided.kind) {
      case "decided":
        return;
      case "expired":
        // The notice that the question expired is the answer to this word too.
        return decided.told ? finish(item) : answer(item, message, words.decision.lateForExpired(question.code));
      case "closed":
        return answer(item, message, describeClosed(decided.question, words));
    }
  }

  async function preview(
    item: InboxItem,
    message: InboundMessage,
    person: Person,
    words: Words,
    question: Question,
  ): Promise<void> {
    const { code } = question;
    const language = await languageOf(item.session, message);
    const announce = () => answer(item, message, words.preview.started(code), true);
    const start = await parts.previews.begin({ question, person, language, cause: item.id, announce });
    if (start.kind === "started") return;
    // The notice that the question expired is the answer to this word too.
    if (start.kind === "expired" && start.told) return finish(item);
    await answer(item, message, describePreviewStart(start, code, words));
  }

  async function askAgain(item: InboxItem, message: InboundMessage, question: Question): Promise<void> {
    const payload: AgainJob = { question: question.id, message };
    const again = await store.main.transaction().execute(async (tx) => {
      await setInboxState(tx, item.id, "done", clock.now());
      return insertInboxItem(tx, {
        id: `${item.id}.again`,
        platform: message.address.platform,
        account: message.address.account,
        eventKey: `${message.key}.again`,
        session: item.session,
        kind: "again",
        state: "queued",
        payload: JSON.stringify(payload),
        now: clock.now(),
      });
    });
    if (again) parts.pushToLane(again);
  }

  async function dispatchPress(item: InboxItem, press: ButtonPress): Promise<void> {
    const toast = await parts.readPress(item, press);
    await finish(item);
    await parts.findChannel(press.address.platform)?.answerPress?.(press, toast);
  }

  async function finish(item: InboxItem): Promise<void> {
    await setInboxState(store.main, item.id, "done", clock.now());
  }

  /** Answers with a fixed text and finishes the row, in one transaction. */
  async function answer(item: InboxItem, message: InboundMessage, text: string, partial?: true): Promise<void> {
    await store.main.transaction().execute((tx) => queueAnswer(tx, item, message, text, partial));
    outbox.wake(item.session);
  }

  async function queueAnswer(
    db: Kysely<Database>,
    item: InboxItem,
    message: InboundMessage,
    text: string,
    partial?: true,
  ): Promise<void> {
    const replyTo = message.chatKind === "group" ? { replyTo: message.messageId } : {};
    const { address } = message;
    const id = `${item.id}.answer`;
    const notice = { id, kind: "notice", address, text, plain: true, cause: item.id, ...replyTo } as const;
    await queueMessage(db, { ...notice, ...(partial && { partial }) }, clock.now());
    await setInboxState(db, item.id, "done", clock.now());
  }

  async function tell(id: string, session: string, text: (words: Words) => string): Promise<void> {
    const row = await findSession(store.main, session);
    if (!row) return;
    const words = wordsFor(row.language as Language);
    await queueMessage(
      store.main,
      { id, kind: "notice", address: toAddress(row), text: text(words), plain: true },
      clock.now(),
    );
    outbox.wake(session);
  }

  async function languageOf(session: string, message: InboundMessage): Promise<Language> {
    const row = await findSession(store.main, session);
    const stored = (row?.language ?? "zh") as Language;
    return detectLanguage(message.text, message.sender.locale, stored);
  }
}

/** What those who are not let in are told; undefined = nothing. */
function describeAdmission(admission: Admission, words: Words): string | undefined {
  switch (admission.kind) {
    case "hint":
      return words.access.strangerHint(admission.code);
    case "wrong-code":
      return words.access.wrongCode;
    case "group-off":
      return words.access.groupOff;
    case "became-owner":
      return words.access.ownerWelcome(admission.person.name);
    case "ignored":
    case "admitted":
      return undefined;
  }
}
