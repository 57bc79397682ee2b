import { requestWords } from "./words.ts";
import type { ButtonPress, Channel } from "../../channels/types.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import type { FeatureGateway } from "../../kernel/feature/define-feature.ts";
import type { AdmittedMessage } from "../../kernel/feature/hook-arguments.ts";
import type { PressAnswer } from "../../kernel/inbox/press-answer.ts";
import { whyNoAnswer } from "../../kernel/outbox/refuse-message.ts";
import type { SystemReplies } from "../../kernel/outbox/system-replies.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { RequestBook } from "./request-book.ts";
import { readRequestAnswer, readRequestPress } from "./read-request-answer.ts";

/** The three ways in which an owner answers a request: in words, by a button, and with /requests. */
export function createAnswerRequests(parts: {
  readonly requests: Pick<RequestBook, "answer" | "describe" | "read">;
  readonly store: Pick<Store, "main">;
  readonly systemReplies: Pick<SystemReplies, "answer">;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly identify: FeatureGateway["identify"];
}) {
  const { store } = parts;
  return {
    /** 「同意 F123」 of an owner, in private. From other people it is ordinary talk. */
    async take({ item, language, message, person, words }: AdmittedMessage): Promise<boolean> {
      const isOwn = message.sender.kind === "person" && whyNoAnswer(message, words) === undefined;
      if (!isOwn || person.role !== "owner" || message.chatKind !== "private") return false;
      const said = await parts.requests.read(message.text);
      if (said === undefined) return false;
      const { accept, code } = said;
      const given = { request: { code }, accept, by: person, cause: item.id, session: item.session, language };
      await parts.systemReplies.answer(item, message, await parts.requests.answer(given));
      return true;
    },

    /** A button below a request; undefined = it is another one. */
    async pressed(item: InboxItem, press: ButtonPress): Promise<PressAnswer | undefined> {
      const said = readRequestPress(press.data);
      if (said === undefined) return undefined;
      const language = ((await findSession(store.main, item.session))?.language ?? "zh") as Language;
      const by = await parts.identify(press);
      if (press.sender.kind !== "person" || by.role !== "owner")
        return { text: wordsFor(language).access.ownerOnly, result: "forbidden" };
      const { id, accept } = said;
      const given = { request: { id }, accept, by, cause: item.id, session: item.session, language };
      const text = await parts.requests.answer(given);
      await parts.findChannel(press.address.platform)?.close?.(press.address, press.messageId, text);
      return { text, result: "done" };
    },

    /** /requests: with an answer after it, it is that answer. A group does not see who asked for what. */
    async command({ item, message, person, rest, session, language }: CommandCall): Promise<CommandAnswer> {
      if (message.chatKind !== "private") return { text: requestWords[language].none };
      const said = readRequestAnswer(rest);
      if (said === undefined) return { text: await parts.requests.describe(language) };
      const { accept, code } = said;
      const given = { request: { code }, accept, by: person, cause: item.id, session, language };
      return { text: await parts.requests.answer(given) };
    },
  };
}
