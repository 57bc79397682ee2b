import { z } from "zod";
import { channelOptions, type ChannelProbe, defineChannel, reactionsOption } from "../define-channel.ts";
import { definePace, toSendPace } from "../pace-options.ts";
import { warnOfWebhook } from "../warn-of-webhook.ts";
import type { BotApi } from "./bot-api.ts";
import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable, webhookVariable } from "../../core/variable-schemas.ts";

const wholeNumber = { error: "must be a whole number from 0 on" };

const documentOption = z
  .int(wholeNumber)
  .min(0, wholeNumber)
  .default(4)
  .describe("An answer of more messages than this goes as its beginning and a file with all of it; 0 = never.");

/** Telegram publishes no figures for certain; these are the ones of its FAQ. A server of one's own may allow more. */
const paceOptions = definePace({ chat: 1, burst: 4, group: 20, all: 30 });

export const telegram = defineChannel({
  name: "telegram",
  platform: "telegram",
  options: channelOptions
    .extend({ pace: paceOptions, documentAfter: documentOption, reactions: reactionsOption })
    .prefault({})
    .describe("Telegram; on when TELEGRAM_BOT_TOKEN is set."),
  environment: {
    TELEGRAM_BOT_TOKEN: secretVariable.optional().describe("Token of @BotFather. Default: unset, and Telegram is off."),
    TELEGRAM_API_ROOT: httpAddressVariable
      .default("https://api.telegram.org")
      .describe("Another Bot API server, such as http://127.0.0.1:8081."),
    TELEGRAM_WEBHOOK_URL: webhookVariable
      .optional()
      .describe(
        "Address under which Telegram reaches `/webhook/telegram` (docs/channels.md#telegram-by-a-webhook). Default: unset, long polling.",
      ),
    TELEGRAM_WEBHOOK_SECRET: z
      .string()
      .regex(/^[\w-]{16,256}$/, { error: "must be 16 to 256 letters, digits, _ or -" })
      .meta({ sensitive: true })
      .optional()
      .describe(
        "Proof that an update comes from Telegram, 16 to 256 letters, digits, _ or -; needed with TELEGRAM_WEBHOOK_URL, and requests without it get 403.",
      ),
  },
  needs: [
    {
      variable: "TELEGRAM_WEBHOOK_URL",
      needed: "TELEGRAM_WEBHOOK_SECRET",
      reason: "without it anybody could send updates to the webhook",
    },
    {
      variable: "TELEGRAM_WEBHOOK_SECRET",
      needed: "TELEGRAM_WEBHOOK_URL",
      reason: "a secret alone makes no webhook",
    },
  ],
  credentials: { variables: ["TELEGRAM_BOT_TOKEN"], hint: "from @BotFather" },
  configure(options, values) {
    const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = values;
    if (token === undefined) return undefined;
    const webhook = url === undefined || secret === undefined ? undefined : { url, secret };
    return { ...options, token, apiRoot: values.TELEGRAM_API_ROOT, ...dropUnset({ webhook }) };
  },
  listPublicNames: ({ webhook }) =>
    webhook ? [{ host: new URL(webhook.url).host, routes: ["/webhook/telegram"] }] : [],
  async create(settings, parts) {
    const { createTelegramChannel } = await import("./telegram-channel.ts");
    return createTelegramChannel({
      ...settings(),
      ...parts,
      documentAfter: () => settings().documentAfter,
      pace: () => toSendPace(settings().pace),
    });
  },
  async doctor({ token, apiRoot, webhook, observe }, log) {
    const { createBotApi } = await import("./bot-api.ts");
    const found = await probeTelegram(createBotApi({ token, apiRoot, log }), webhook?.url, observe);
    return warnOfWebhook(found, webhook?.url, { ports: [443, 80, 88, 8443], path: "/webhook/telegram" });
  },
});

const probeLimits = { timeoutMs: 10_000 };

/** Asks the server who the token belongs to, and how it gets along with the webhook at `webhookUrl`. */
async function probeTelegram(api: BotApi, webhookUrl: string | undefined, observe: boolean): Promise<ChannelProbe> {
  const answer = await api.call("getMe", {}, probeLimits);
  switch (answer.kind) {
    case "ok": {
      const { username, can_read_all_group_messages: readsAll } = answer.value;
      const refused = webhookUrl === undefined ? undefined : await findWebhookFault(api, webhookUrl);
      if (refused !== undefined) return { state: "broken", detail: refused };
      if (readsAll) return { state: "ok", detail: `@${username}; sees every message of its groups` };
      const detail = `@${username}; privacy mode is on, so in groups it sees only commands, mentions and replies. That is fine; buttons work.`;
      if (!observe) return { state: "ok", detail };
      const remedy =
        "telegram.observe is on, but Telegram hides from it what it should observe: switch privacy mode off at @BotFather (/setprivacy), then take the bot out of the group and add it again";
      return { state: "warning", detail: `${detail} ${remedy}` };
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

/** Telegram's complaint about the webhook, while something waits for it. */
async function findWebhookFault(api: BotApi, url: string): Promise<string | undefined> {
  const answer = await api.call("getWebhookInfo", {}, probeLimits);
  if (answer.kind !== "ok" || answer.value.url !== url || answer.value.pending_update_count === 0) return undefined;
  const { last_error_message: reason, pending_update_count: count } = answer.value;
  if (reason === undefined) return undefined;
  return `Telegram cannot deliver to ${url} (${reason}); ${count} updates wait there. See docs/channels.md`;
}
