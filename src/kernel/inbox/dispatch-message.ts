import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { wordsFor } from "../../core/words/words.ts";
import { setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { savePrivateChat } from "../../store/queries/private-chats.ts";
import { markChatBack } from "../../store/queries/chat-moves.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { Access, AccessResult } from "../people/access.ts";
import { readAnswerWords } from "../questions/approval-words.ts";
import { readNearAnswer } from "../questions/near-answer.ts";
import { readChange } from "../questions/read-change.ts";
import type { DispatchAnswer, GivenAnswer } from "./dispatch-answer.ts";
import type { DispatchChange } from "./dispatch-change.ts";
import type { DispatchNearAnswer } from "./dispatch-near-answer.ts";
import { readCommand, type CommandTable } from "../commands/command-table.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import { tellAs } from "../outbox/tell-as.ts";
import type { RecentTalk } from "../outbox/recent-talk.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";
import type { RefuseFast } from "./refuse-fast.ts";
import { refuseMessage } from "../outbox/refuse-message.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import type { LaterWordsDesk } from "../turns/later-words.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { MessageMarks } from "../outbox/message-marks.ts";
import type { HandleEvent } from "./dispatch.ts";
import type { GatherAlbum } from "./gather-album.ts";

/** Decides whether a message answers a question, is a command, or goes to the lane of its session. */
export function createDispatchMessage(parts: {
  readonly store: Store;
  readonly access: Access;
  readonly recentTalk: Pick<RecentTalk, "hear" | "take">;
  readonly gatherAlbum: GatherAlbum;
  readonly dispatchAnswer: DispatchAnswer;
  readonly dispatchChange: DispatchChange;
  readonly dispatchNearAnswer: DispatchNearAnswer;
  readonly killSwitch: Pick<KillSwitch, "find" | "keep">;
  readonly commands: CommandTable;
  readonly refuseFast: RefuseFast;
  readonly systemReplies: SystemReplies;
  readonly outbox: Outbox;
  /** Whether the bot reacts to every message of a group that does not use `mentionOnly`. */
  readonly answerAll: (platform: string) => boolean;
  /** Whether messages may join a running turn. They may not where each client waits for a reply of its own. */
  readonly joins: (platform: string) => boolean;
  readonly mentionOnly: (platform: string) => boolean;
  readonly observe: (platform: string) => boolean;
  readonly clock: Clock;
  readonly marks: Pick<MessageMarks, "take">;
  readonly laterWords: Pick<LaterWordsDesk, "push">;
  readonly hooks: Pick<CallHooks, "amended" | "heard" | "isForHer" | "leavesUnanswered" | "take">;
}): HandleEvent<"message"> {
  const { store, access, systemReplies, outbox } = parts;
  /** The private chats that are already stored. A person keeps the same one, so most messages need no write. */
  const privateChats = new Map<string, string>();

  return async function dispatchWhole(item, message) {
    if (message.album === undefined) return dispatchMessage(item, message);
    const whole = await parts.gatherAlbum(item, message);
    return whole && dispatchMessage(whole.item, whole.message);
  };

  async function dispatchMessage(item: InboxItem, message: InboundMessage): Promise<void> {
    // Before any decision, because ignored messages belong to the recent talk too.
    if (!message.edited) parts.recentTalk.hear(item, message);
    const session = await findSession(store.main, item.session);
    // A message from a chat proves that the bot is in it.
    if (session && session.gone_at !== null) await markChatBack(store.main, message.address);
    const stored = (session?.language ?? "zh") as Language;
    const isChosen = session !== undefined && session.chosen_language !== null;
    const language = isChosen ? stored : detectLanguage(message.text, message.sender.locale, stored);
    const words = wordsFor(language);
    const result = (await access.recognize(message)) ?? (await admitOrAnswer(item, message, words));
    // Questions that only an owner can answer go to the owner's private chat.
    const isOwner = "person" in result && result.person.role === "owner";
    if (isOwner && message.chatKind === "private" && message.isOverlooked === undefined)
      await notePrivateChat(result.person.id, item.session);
    switch (result.kind) {
      case "ignored":
        return systemReplies.finish(item);
      case "admitted":
        // A second check before the model: a person admitted for one command may use only that command.
        if (result.only !== undefined && findOrder(message)?.name !== result.only) return systemReplies.finish(item);
        return dispatchAdmitted(item, message, await whoIs(message, result.person), language);
      case "hint":
      case "no-owner":
      case "wrong-code":
      case "group-off":
      case "became-owner":
        outbox.wake(item.session);
    }
  }

  /** In one transaction, so that no code is issued without its reply. */
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
      return systemReplies.answer(item, message, tellAs("denied", language, words.control.pause.nothingRuns));
    }
    const given = { item, message, person, language, words };
    // A rejection counts even while everything is paused: it starts nothing.
    const concerns = said ? !paused || said.kind === "reject" : !paused;
    if (concerns && (await dispatchReply(given, said))) return;
    const command = findOrder(message);
    const row = command && parts.commands.find(command.name);
    const { role } = person;
    const { platform } = message.address;
    const needsMention = !(command && row?.withoutMention?.({ role, rest: command.rest }));
    const isMentionNeeded = needsMention && parts.mentionOnly(platform);
    const isForHer =
      message.addressed ||
      (!isMentionNeeded && (row !== undefined || parts.answerAll(platform) || parts.hooks.isForHer(item, message)));
    const isLive = !message.edited && message.sender.kind !== "bot";
    if (message.edited) await parts.hooks.amended(item.session, message, person);
    if (!isLive) return systemReplies.finish(item);
    if (!isForHer) return stayOut(given);
    if (paused && !row?.whilePaused) {
      if (await parts.killSwitch.keep(item, message)) return undefined;
      return dispatchAdmitted(item, message, person, language);
    }
    if (command) {
      if (row?.beginsTurn?.(command.rest) && (await parts.refuseFast(given))) return undefined;
      const call = { ...given, session: item.session, rest: command.rest };
      const result = await parts.commands.answer(command.name, call);
      if (!result) return undefined;
      if (result.also) await systemReplies.tell(`${item.id}.also`, result.also.session, result.also.text);
      const { also: _, ...said } = result;
      return systemReplies.answer(item, message, said);
    }
    if (parts.joins(platform) && (await parts.hooks.leavesUnanswered(given))) return stayOut(given);
    if (await parts.refuseFast(given)) return undefined;
    const refusal = refuseMessage(message, words);
    if (refusal !== undefined) return systemReplies.answer(item, message, tellAs("unreadable", language, refusal));
    // Writes nothing: if the process dies before the turn begins, the next start handles the row like a new one.
    parts.recentTalk.take(item);
    parts.marks.take(item, message);
    parts.laterWords.push(item, message, person);
  }

  /**
   * Handles a message that belongs to a question and not to the model. Answers come first: only other words fill in a
   * form, change a call, or resemble an answer. Features come next, since the text that one of them waits for can be
   * anything.
   */
  async function dispatchReply(given: AdmittedMessage, said: GivenAnswer["said"] | undefined): Promise<boolean> {
    if (said) return parts.dispatchAnswer({ ...given, said });
    if (await parts.hooks.take(given)) return true;
    const wish = readChange(given.message.text);
    if (wish) return parts.dispatchChange(given, wish);
    const near = readNearAnswer(given.message.text);
    return near !== undefined && parts.dispatchNearAnswer(given, near);
  }

  /** Gives no reply. A group that is observed keeps the message as context. */
  function stayOut({ item, message, person }: AdmittedMessage): Promise<void> {
    const isHeard = message.chatKind === "group" && parts.observe(message.address.platform);
    return isHeard ? overhear(item, message, person) : systemReplies.finish(item);
  }

  /**
   * Stores the message as context for the next turn in this chat. It has already been read as neither an answer nor a
   * command.
   */
  async function overhear(item: InboxItem, message: InboundMessage, person: Person): Promise<void> {
    if (message.text.trim() === "") return systemReplies.finish(item);
    await store.main.transaction().execute(async (tx) => {
      const said = { item, message, person, words: message.text, taint: "untrusted" } as const;
      await parts.hooks.heard(tx, said);
      await setInboxState(tx, item.id, "done", parts.clock.now());
    });
  }

  /** A group can raise a person's role, for example an administrator's. */
  async function whoIs(message: InboundMessage, admitted: Person): Promise<Person> {
    return message.chatKind === "group" ? access.identify(message) : admitted;
  }
}

/** Reads the command in a message. A message that was forwarded or sent through another bot is never a command. */
function findOrder({ forwarded, text, viaBot }: InboundMessage): ReturnType<typeof readCommand> {
  return forwarded || viaBot ? undefined : readCommand(text);
}

/** The text for a person who was not admitted. Returns undefined when they get no reply. */
function describeAccess(result: AccessResult, words: Words): string | undefined {
  switch (result.kind) {
    case "hint":
      return words.access.strangerHint(result.code);
    case "no-owner":
      return words.access.noOwner;
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
