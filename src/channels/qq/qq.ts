import { z } from "zod";
import { systemClock } from "../../core/clock.ts";
import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable, webhookVariable } from "../../core/variable-schemas.ts";
import { channelOptions, defineChannel } from "../define-channel.ts";
import { warnOfWebhook } from "../warn-of-webhook.ts";

/** A file of many megabytes takes its time. */
const fileTimeoutMs = 60_000;
const together = "the two belong together";

/**
 * The official QQ bot, API v2. Its people and chats have the platform `qqbot`; `qq` is OneBot, where people have
 * numbers.
 */
export const qq = defineChannel({
  name: "qq",
  platform: "qqbot",
  options: channelOptions
    .extend({
      proactive: z
        .boolean()
        .default(false)
        .describe(
          "true = QQ lets this bot speak without being asked; what is late need not wait for the next message.",
        ),
      streaming: z.boolean().default(true).describe("In private chats an answer grows while she writes it."),
    })
    .prefault({})
    .describe("The official QQ bot; on when QQ_APP_ID is set."),
  environment: {
    QQ_APP_ID: z
      .string()
      .regex(/^[\w-]{1,64}$/, { error: "must be the AppID of q.qq.com" })
      .optional()
      .describe("Number of the official QQ bot, such as 102000000. Default: unset, and the channel is off."),
    QQ_APP_SECRET: secretVariable.optional().describe("Its secret; needed with QQ_APP_ID."),
    QQ_API_ROOT: httpAddressVariable.prefault("https://api.bot.qq.com").describe("Its API."),
    QQ_TOKEN_URL: httpAddressVariable
      .default("https://api.bot.qq.com/app/getAppAccessToken")
      .describe("Where its access tokens come from."),
    QQ_WEBHOOK_URL: webhookVariable
      .optional()
      .describe(
        "Address under which QQ reaches `/webhook/qq`, such as https://bot.example/webhook/qq; with it she does not connect to QQ. Default: unset, and she connects to the gateway of QQ.",
      ),
  },
  needs: [
    { variable: "QQ_APP_ID", needed: "QQ_APP_SECRET", reason: together },
    { variable: "QQ_APP_SECRET", needed: "QQ_APP_ID", reason: together },
  ],
  credentials: { variables: ["QQ_APP_ID"], hint: "from q.qq.com" },
  longestQuestionMs: { group: 4 * 60_000 },
  configure(options, values) {
    const { QQ_APP_ID: appId, QQ_APP_SECRET: appSecret, QQ_WEBHOOK_URL: url } = values;
    if (appId === undefined || appSecret === undefined) return undefined;
    const webhook = url === undefined ? undefined : { url };
    const addresses = { apiRoot: values.QQ_API_ROOT, tokenUrl: values.QQ_TOKEN_URL };
    return { ...options, appId, appSecret, ...addresses, ...dropUnset({ webhook }) };
  },
  listPublicNames: ({ webhook }) => (webhook ? [{ host: new URL(webhook.url).host, routes: ["/webhook/qq"] }] : []),
  async create(settings, { http, store, clock, log }) {
    const { createQqChannel } = await import("./qq-channel.ts");
    const { createGuardedFetch } = await import("../../web/guarded-fetch.ts");
    const fetchPublic = createGuardedFetch({ timeoutMs: fileTimeoutMs });
    return createQqChannel({
      ...settings(),
      proactive: () => settings().proactive,
      http,
      store,
      fetchPublic,
      clock,
      log,
    });
  },
  async doctor(settings) {
    const { probeQq } = await import("./probe-qq.ts");
    const found = await probeQq(settings, systemClock);
    return warnOfWebhook(found, settings.webhook?.url, { ports: [443, 80, 8080, 8443], path: "/webhook/qq" });
  },
});
