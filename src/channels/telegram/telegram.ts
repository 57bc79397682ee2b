import { z } from "zod";
import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { channelOptions, defineChannel } from "../define-channel.ts";

export const telegram = defineChannel({
  name: "telegram",
  platform: "telegram",
  options: channelOptions.prefault({}).describe("Telegram; on when TELEGRAM_BOT_TOKEN is set."),
  environment: {
    TELEGRAM_BOT_TOKEN: secretVariable.optional(),
    TELEGRAM_API_ROOT: httpAddressVariable.default("https://api.telegram.org"),
    TELEGRAM_WEBHOOK_URL: httpAddressVariable.optional(),
    TELEGRAM_WEBHOOK_SECRET: z
      .string()
      .regex(/^[\w-]{1,256}$/, { error: "must be 1 to 256 letters, digits, _ or -" })
      .meta({ sensitive: true })
      .optional(),
  },
  needs: [
    {
      variable: "TELEGRAM_WEBHOOK_URL",
      needed: "TELEGRAM_WEBHOOK_SECRET",
      reason: "without it anybody could send updates to the webhook",
    },
  ],
  credentials: { variables: ["TELEGRAM_BOT_TOKEN"], hint: "from @BotFather" },
  configure(options, values) {
    const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = values;
    if (token === undefined) return undefined;
    const webhook = url === undefined || secret === undefined ? undefined : { url, secret };
    return { ...options, token, apiRoot: values.TELEGRAM_API_ROOT, ...dropUnset({ webhook }) };
  },
  listUnbuilt: ({ webhook }) =>
    webhook
      ? ["TELEGRAM_WEBHOOK_URL: not there yet (receiving from Telegram by webhook; long polling is used); unset it"]
      : [],
  listPublicHosts: ({ webhook }) => (webhook ? [new URL(webhook.url).host] : []),
  async create(settings, parts) {
    const { createTelegramChannel } = await import("./telegram-channel.ts");
    return createTelegramChannel({ ...settings, ...parts });
  },
  async doctor({ token, apiRoot }, log) {
    const { createBotApi } = await import("./bot-api.ts");
    const { probeTelegram } = await import("./probe-telegram.ts");
    return probeTelegram(createBotApi({ token, apiRoot, log }));
  },
});
