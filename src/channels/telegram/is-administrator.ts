import type { Clock } from "../../core/clock.ts";
import type { ChatAddress } from "../types.ts";
import { createShortMemory } from "../short-memory.ts";
import type { BotApi } from "./bot-api.ts";

/** Whether somebody runs a group. No answer = no. Source: core.telegram.org/bots/api#getchatmember. */
export function createIsAdministrator(parts: { readonly api: Pick<BotApi, "call">; readonly clock: Clock }) {
  const remember = createShortMemory(parts.clock);
  return ({ chat }: ChatAddress, user: string): Promise<boolean> => {
    // Groups have negative numbers; a person's own chat has nobody who runs it.
    if (!chat.startsWith("-")) return Promise.resolve(false);
    return remember(`${chat} ${user}`, async () => {
      const payload = { chat_id: Number(chat), user_id: Number(user) };
      const answer = await parts.api.call("getChatMember", payload, { timeoutMs: 10_000 });
      if (answer.kind !== "ok") return undefined;
      return answer.value.status === "administrator" || answer.value.status === "creator";
    });
  };
}
