import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { tidyEntities } from "../markdown/tidy-entities.ts";
import type { ChatAddress, Choice, Delivery } from "../types.ts";
import { isNotModified, type ApiAnswer } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";
import { readChat } from "./chat.ts";
import { buildKeyboard } from "./build-payload.ts";
import { editMessage, requestLimitMs, withPlainRetry } from "./edit-message.ts";
import { createDeliveryJudge, type SentMessage } from "./judge-delivery.ts";

/**
 * Changes of messages that were sent already. The tables do not repeat them, so a chat that has to wait gets them
 * later.
 */
export interface CardEdits {
  readonly close: (address: ChatAddress, messageId: string, text: string) => Promise<Delivery>;
  readonly relabel: (address: ChatAddress, messageId: string, choices: readonly Choice[]) => Promise<Delivery>;
  readonly remove: (address: ChatAddress, messageId: string) => Promise<Delivery>;
}

const limits = { timeoutMs: requestLimitMs };
const unreachableMs = 5_000;
const giveUpAfterMs = 10 * 60_000;

export function createCardEdits(parts: { api: BotApi; log: Logger; signal: AbortSignal }): CardEdits {
  const { api, log, signal } = parts;
  const judge = createDeliveryJudge();
  /** The newest change of each message that has to wait: an older one must not come after it. */
  const newest = new Map<string, object>();

  async function change(
    { chat }: ChatAddress,
    messageId: string,
    attempt: () => Promise<ApiAnswer<SentMessage>>,
  ): Promise<ApiAnswer<SentMessage>> {
    const key = `${chat} ${messageId}`;
    const mark = {};
    newest.set(key, mark);
    const answer = await attempt();
    void repeat(answer, attempt, () => newest.get(key) === mark)
      .catch((error: unknown) => log.error({ reason: String(error) }, "a change of a message ended with a fault"))
      .then(() => newest.get(key) === mark && newest.delete(key));
    return answer;
  }

  async function repeat(
    first: ApiAnswer<unknown>,
    attempt: () => Promise<ApiAnswer<unknown>>,
    isNewest: () => boolean,
  ): Promise<void> {
    const began = performance.now();
    let answer = first;
    while (answer.kind === "flood" || answer.kind === "unreachable") {
      const pauseMs = answer.kind === "flood" ? answer.retryAfterMs : unreachableMs;
      if (!(await sleep(pauseMs, signal, { ref: false }))) return;
      if (!isNewest() || performance.now() - began > giveUpAfterMs) return;
      answer = await attempt();
    }
    if (answer.kind !== "ok" && answer.kind !== "stopped")
      log.debug({ reason: answer.reason }, "a message could not be changed");
  }

  async function replaceKeyboard(address: ChatAddress, messageId: string, choices: readonly Choice[]) {
    const keyboard = choices.length === 0 ? { inline_keyboard: [] } : buildKeyboard(choices);
    if (keyboard === undefined) return undefined;
    const payload = { chat_id: readChat(address.chat).id, message_id: Number(messageId), reply_markup: keyboard };
    return change(address, messageId, async () => {
      const answer = await api.call("editMessageReplyMarkup", payload, limits);
      return answer.kind === "ok" || isNotModified(answer) ? { kind: "ok", value: { messageId } } : answer;
    });
  }

  return {
    async close(address, messageId, text) {
      const content = tidyEntities(text.toWellFormed(), []);
      const answer = await change(address, messageId, () =>
        withPlainRetry(content, log, (content) => editMessage(api, { address, messageId }, content, "card")),
      );
      // If the text cannot be replaced, the buttons at least must go.
      const bare = answer.kind === "refused" ? await replaceKeyboard(address, messageId, []) : undefined;
      if (answer.kind === "ok" || bare?.kind === "ok") return { kind: "sent", messageId };
      return judge(answer);
    },

    async relabel(address, messageId, choices) {
      const answer = await replaceKeyboard(address, messageId, choices);
      if (answer === undefined) return { kind: "refused", reason: "the buttons cannot be shown" };
      return judge(answer);
    },

    async remove(address, messageId) {
      const payload = { chat_id: readChat(address.chat).id, message_id: Number(messageId) };
      const answer = await change(address, messageId, async () => {
        const answer = await api.call("deleteMessage", payload, limits);
        const isGone = answer.kind === "refused" && answer.reason.includes("message to delete not found");
        return answer.kind === "ok" || isGone ? { kind: "ok", value: { messageId } } : answer;
      });
      return judge(answer);
    },
  };
}
