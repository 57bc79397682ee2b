import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Clock } from "../../core/clock.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { wordsFor } from "../../core/words/words.ts";
import { insertInboxItem, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { savePrivateChat } from "../../store/queries/private-chats.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../../policy/types.ts";
import type { Access, AccessResult } from "../people/access.ts";
import { readAnswerWords } from "../approvals/approval-words.ts";
import { readNearYes } from "../approvals/near-yes.ts";
import { readChange } from "../approvals/read-change.ts";
import type { DispatchAnswer, GivenAnswer } from "./dispatch-answer.ts";
import type { DispatchChange } from "./dispatch-change.ts";
import type { DispatchNearYes } from "./dispatch-near-yes.ts";
import type { PressAnswer, ReadPress } from "./dispatch-press.ts";
import { findCommand, readCommand, type RunCommand } from "../commands/chat-commands.ts";
import { readExample } from "../commands/greet.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { Elicitations } from "../mcp/elicitations.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { KillSwitch } from "../oversight/kill-switch.ts";
import type { RefuseFast } from "./refuse-fast.ts";
import { refuseMessage } from "../outbox/refuse-message.ts";
import { toInboxId, toRequester } from "../../channels/session-id.ts";
import type { ButtonPress, Channel, InboundMessage } from "../../channels/types.ts";

/** Decides what an accepted event is: an answer to a question, a command, or work for its session's lane. */
export type Dispatch = (item: InboxItem) => Promise<void>;

export function createDispatch(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly dispatchAnswer: DispatchAnswer;
  readonly elicitations: Pick<Elicitations, "fillIn">;
  readonly dispatchChange: DispatchChange;
  readonly dispatchNearYes: DispatchNearYes;
  readonly readPress: ReadPress;
  readonly killSwitch: Pick<KillSwitch, "find" | "keep">;
  readonly runCommand: RunCommand;
  readonly refuseFast: RefuseFast;
  readonly systemReplies: SystemReplies;
  readonly outbox: Outbox;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly mentionOnly: (platform: string) => boolean;
  readonly pushToLane: (item: InboxItem) => void;
  /** Dispatches a row that came of another one, after it. */
  readonly takeUp: (item: InboxItem) => void;
  readonly clock: Clock;
}): Dispatch {
  const { store, access, systemReplies, outbox } = parts;
  /** The private chats that were written down: a person stays in the same one. */
  const privateChats = new Map<string, string>();

  return async function dispatch(item) {
    // After a restart: this far it had come already.
    if (item.state !== "received") parts.pushToLane(item);
    else if (item.kind === "message") await dispatchMessage(item, JSON.parse(item.payload) as InboundMessage);
    else if (item.kind === "press") await dispatchPress(item, JSON.parse(item.payload) as ButtonPress);
    else parts.pushToLane(item);
  };

  async function dispatchMessage(item: InboxItem, message: InboundMessage): Promise<void> {
    const language = await languageOf(item.session, message);
    const words = wordsFor(language);
    const result = (await access.recognize(message)) ?? (await admitOrAnswer(item, message, words));
    // Questions that an owner has to answer are asked where they talk with her.
    const isOwner = "person" in result && result.person.role === "owner";
    if (isOwner && message.chatKind === "private") await notePrivateChat(result.person.id, item.session);
    switch (result.kind) {
      case "ignored":
        return systemReplies.finish(item);
      case "admitted":
        return dispatchAdmitted(item, message, await whoIs(message, result.person), language);
      case "hint":
      case "wrong-code":
      case "group-off":
      case "became-owner":
        outbox.wake(item.session);
    }
  }

  /** In one transaction: nobody is given a code and never hears it. */
  function admitOrAnswer(item: InboxItem, message: InboundMessage, words: Words): Promise<AccessResult> {
    return store.main.transaction().execute(async (tx) => {
      const found = await access.admit(message, tx);
      const text = describeAccess(found, words);
      if (text !== undefined) await systemReplies.queue(tx, item, message, text);
      return found;
    });
  }

  async function notePrivateChat(person: string, session: string): Promise<void> {
    if (privateChats.get(person) === session) return;
    await savePrivateChat(store.main, person, session);
    privateChats.set(person, session);
  }

  async function dispatchAdmitted(
    item: InboxItem,
    message: InboundMessage,
    person: Person,
    language: Language,
  ): Promise<void> {
    const words = wordsFor(language);
    const said = readAnswerWords(message.text);
    const paused = (await parts.killSwitch.find()) !== undefined;
    if (paused && said?.kind === "approve" && message.addressed) {
      return systemReplies.answer(item, message, words.oversight.pause.nothingRuns);
    }
    const given = { item, message, person, language, words };
    // A no counts while everything is paused: it sets nothing going.
    const concerns = said ? !paused || said.kind === "reject" : !paused;
    if (concerns && (await dispatchReply(given, said))) return;
    // A message that was forwarded or written through another bot is nobody's order.
    const command = message.forwarded || message.viaBot ? undefined : readCommand(message.text);
    const row = command && findCommand(command.name);
    const needsMention = !(row?.withoutMention && person.role === "owner");
    const unaddressed = !message.addressed && needsMention && parts.mentionOnly(message.address.platform);
    if (message.edited || unaddressed || message.sender.kind === "bot") return systemReplies.finish(item);
    if (paused && !row?.whilePaused) {
      if (await parts.killSwitch.keep(item, message)) return undefined;
      return dispatchAdmitted(item, message, person, language);
    }
    if (command) {
      if (row?.beginsTurn?.(command.rest) && (await parts.refuseFast(given))) return undefined;
      const call = { ...given, session: item.session, rest: command.rest };
      const result = await parts.runCommand(command.name, call);
      if (!result) return undefined;
      if (result.also) await systemReplies.tell(`${item.id}.also`, result.also.session, result.also.text);
      const { also: _, ...said } = result;
      return systemReplies.answer(item, message, said);
    }
    if (await parts.refuseFast(given)) return undefined;
    const refusal = refuseMessage(message, words);
    if (refusal !== undefined) return systemReplies.answer(item, message, refusal);
    // Nothing is written here: should the process end before the turn begins, the row is looked at like a new one.
    parts.pushToLane(item);
  }

  /**
   * A message that is for a question and not for the model. An answer comes first: only other words fill in a form, change
   * what is asked, or sound like a yes. The form comes next, since its text may be any.
   */
  async function dispatchReply(
    given: Omit<GivenAnswer, "said">,
    said: GivenAnswer["said"] | undefined,
  ): Promise<boolean> {
    if (said) return parts.dispatchAnswer({ ...given, said });
    if (await parts.elicitations.fillIn(given)) return true;
    const wish = readChange(given.message.text);
    if (wish) return parts.dispatchChange(given, wish);
    const near = readNearYes(given.message.text);
    return near !== undefined && parts.dispatchNearYes(given, near);
  }

  /** In a group they may be more than elsewhere. */
  async function whoIs(message: InboundMessage, admitted: Person): Promise<Person> {
    return message.chatKind === "group" ? access.identify(message) : admitted;
  }

  async function dispatchPress(item: InboxItem, press: ButtonPress): Promise<void> {
    const example = readExample(press.data);
    if (example !== undefined) return dispatchExample(item, press, example);
    const { text, result } = (await parts.killSwitch.find())
      ? await describePause(item)
      : await parts.readPress(item, press);
    await systemReplies.finish(item);
    await parts.findChannel(press.address.platform)?.answerPress?.(press, text, result);
  }

  async function describePause({ session }: InboxItem): Promise<PressAnswer> {
    const language = ((await findSession(store.main, session))?.language ?? "zh") as Language;
    return { text: wordsFor(language).oversight.pause.nothingRuns, result: "failed" };
  }

  /** A pressed example is a message of the presser, as if they had typed it: judged, counted and answered like one. */
  async function dispatchExample(item: InboxItem, press: ButtonPress, text: string): Promise<void> {
    const { platform, account } = press.address;
    const key = `${press.key}.example`;
    const session = await findSession(store.main, item.session);
    // Examples stand in chats that have a session; a made-up press elsewhere is nobody's private chat.
    if (session === undefined) return systemReplies.finish(item);
    const { address, messageId, sender, sentAt } = press;
    const common = { address, messageId, sender, sentAt, key, text, attachments: [], addressed: true } as const;
    const not = { edited: false, forwarded: false, caption: false, viaBot: false } as const;
    const chatKind = session.chat_kind === "group" ? "group" : "private";
    const message: InboundMessage = { kind: "message", chatKind, ...common, ...not };
    const typed = await store.main.transaction().execute(async (tx) => {
      await setInboxState(tx, item.id, "done", parts.clock.now());
      return insertInboxItem(tx, {
        id: toInboxId(address, key),
        platform,
        account,
        eventKey: key,
        session: item.session,
        requester: toRequester(message),
        kind: "message",
        state: "received",
        payload: JSON.stringify(message),
        now: parts.clock.now(),
      });
    });
    if (typed) parts.takeUp(typed);
    await parts.findChannel(platform)?.answerPress?.(press, text);
  }

  async function languageOf(session: string, message: InboundMessage): Promise<Language> {
    const row = await findSession(store.main, session);
    const stored = (row?.language ?? "zh") as Language;
    return detectLanguage(message.text, message.sender.locale, stored);
  }
}

/** The text for somebody who is not let in; undefined = silence. */
function describeAccess(result: AccessResult, words: Words): string | undefined {
  switch (result.kind) {
    case "hint":
      return words.access.strangerHint(result.code);
    case "wrong-code":
      return words.access.wrongCode;
    case "group-off":
      return words.access.groupOff;
    case "became-owner":
      return words.access.ownerWelcome(result.person.name);
    case "ignored":
    case "admitted":
      return undefined;
  }
}
