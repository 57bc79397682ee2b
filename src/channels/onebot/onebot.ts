import { z } from "zod";
import { dropUnset } from "../../core/drop-unset.ts";
import { addressVariable, secretVariable } from "../../core/variable-schemas.ts";
import { isSentMessage } from "../../store/queries/outbox.ts";
import { findLastMessageTime, listKnownChats } from "../../store/queries/recent-chats.ts";
import { channelOptions, defineChannel, reactionsOption } from "../define-channel.ts";
import { definePace } from "../pace-options.ts";
import { defaultOneBotPace, toOneBotSendPace } from "./onebot-pace.ts";

const platform = "qq";
/** A file of many megabytes takes its time. */
const fileTimeoutMs = 60_000;

/** QQ through OneBot 11: NapCat, LLBot and others. */
export const onebot = defineChannel({
  name: "onebot",
  platform,
  options: channelOptions
    .extend({
      reactions: reactionsOption,
      pace: definePace({ chat: 1, burst: 1, group: 20, all: 2 }),
      messageFormat: z
        .enum(["array", "string"])
        .default("array")
        .describe(
          "How messages are sent: segments (array), or CQ codes (string) for an implementation that knows no others.",
        ),
      forwardFrom: z
        .int()
        .min(0)
        .default(4_000)
        .describe("Answers of so many characters go as one merged forward instead of several messages; 0 = none do."),
      filesUrl: z
        .string()
        .regex(/^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/, { error: "must be an address such as http://kurisu:10485" })
        .exactOptional()
        .describe(
          "Address by which the QQ side reaches this server, such as http://kurisu:10485: files over 8 MB go by links for one fetch.",
        ),
    })
    .prefault({})
    .describe("QQ through OneBot 11; on when ONEBOT_WS_URL or ONEBOT_ACCESS_TOKEN is set."),
  environment: {
    ONEBOT_WS_URL: addressVariable("ws", "wss")
      .optional()
      .describe("OneBot 11 server that she connects to, such as ws://127.0.0.1:3001."),
    ONEBOT_ACCESS_TOKEN: secretVariable
      .optional()
      .describe(
        "Its token; a client that connects to her must show it, too. Default: unset, and she accepts no connections.",
      ),
  },
  credentials: { variables: ["ONEBOT_WS_URL", "ONEBOT_ACCESS_TOKEN"], hint: "NapCat, LLBot" },
  configure(options, { ONEBOT_WS_URL: url, ONEBOT_ACCESS_TOKEN: accessToken }) {
    if (url === undefined && accessToken === undefined) return undefined;
    // With `url` we connect to it; with `accessToken` the reverse side is open too.
    return { ...options, ...dropUnset({ url, accessToken }) };
  },
  /** The QQ side comes by this address for files, and may come by it for everything that is its own. */
  listPublicNames: ({ filesUrl }) =>
    filesUrl === undefined ? [] : [{ host: new URL(filesUrl).host, routes: ["/onebot/v11/"] }],
  async create(settings, { http, store, clock, log }) {
    const { createOneBotChannel } = await import("./onebot-channel.ts");
    const { createGuardedFetch } = await import("../../web/guarded-fetch.ts");
    return createOneBotChannel({
      ...settings(),
      messageFormat: () => settings().messageFormat,
      forwardFrom: () => settings().forwardFrom,
      pace: defaultOneBotPace,
      sendPace: () => toOneBotSendPace(settings().pace),
      http,
      history: {
        listChats: (account, limit) => listKnownChats(store.main, { platform, account, limit }),
        findLastMessageTime: (account) => findLastMessageTime(store.main, { platform, account }),
      },
      isOwnMessageKnown: (account, chat, messageId) =>
        isSentMessage(store.main, { platform, account, chat, messageId }),
      fetchPublic: createGuardedFetch({ timeoutMs: fileTimeoutMs }),
      clock,
      log,
    });
  },
  async doctor(settings, log) {
    const { probeOneBot } = await import("./probe-onebot.ts");
    return probeOneBot({ ...settings, log });
  },
});
