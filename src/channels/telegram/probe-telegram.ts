import type { ChannelProbe } from "../define-channel.ts";
import type { BotApi } from "./bot-api.ts";

const limits = { timeoutMs: 10_000 };

/** Asks the server who the token belongs to. */
export async function probeTelegram(api: BotApi): Promise<ChannelProbe> {
  const answer = await api.call("getMe", {}, limits);
  switch (answer.kind) {
    case "ok": {
      const { username, can_read_all_group_messages: readsAll } = answer.value;
      if (readsAll) return { state: "ok", detail: `@${username}; sees every message of its groups` };
      const detail = `@${username}; privacy mode is on, so in groups it sees only commands, mentions and replies. That is fine; buttons work.`;
      return { state: "warning", detail };
    }
    case "unauthorized":
      return {
        state: "broken",
        detail: `the server refused the token (${answer.status}). Get a new one from @BotFather with /token, then set TELEGRAM_BOT_TOKEN`,
      };
    case "unreachable":
      return {
        state: "broken",
        detail: `the server cannot be reached: ${answer.reason}. Check the network and TELEGRAM_API_ROOT`,
      };
    case "stopped":
      return { state: "broken", detail: "the check was stopped" };
    case "conflict":
    case "flood":
    case "migrated":
    case "refused":
      return { state: "broken", detail: answer.reason };
  }
}
