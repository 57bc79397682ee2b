import type { Logger } from "pino";
import type { Configuration } from "./config/types.ts";
import { systemClock } from "./core/clock.ts";
import type { ChatHistory } from "./channels/onebot/open-gaps.ts";
import type { IsOwnMessageKnown } from "./channels/onebot/find-own-message.ts";
import { createOneBotChannel } from "./channels/onebot/onebot-channel.ts";
import { createTelegramChannel } from "./channels/telegram/telegram-channel.ts";
import { listCommandMenus } from "./gateway/commands/list-command-menus.ts";
import type { HttpServer } from "./gateway/http/http-server.ts";
import type { Channel } from "./channels/types.ts";
import type { Store } from "./store/open-store.ts";
import { isSentMessage } from "./store/queries/outbox.ts";
import { createGuardedFetch } from "./web/guarded-fetch.ts";
import { findLastMessageTime, listKnownChats } from "./store/queries/recent-chats.ts";

/** A file of many megabytes takes its time. */
const fileTimeoutMs = 60_000;

/** The chat platforms that are configured. */
export function assemblePlatforms(
  { telegram, onebot, language }: Configuration,
  store: Store,
  http: HttpServer,
  log: Logger,
): Channel[] {
  const clock = systemClock;
  const fetchPublic = createGuardedFetch({ timeoutMs: fileTimeoutMs });
  const qq = { platform: "qq" };
  const history: ChatHistory = {
    listChats: (account, limit) => listKnownChats(store.main, { ...qq, account, limit }),
    findLastMessageTime: (account) => findLastMessageTime(store.main, { ...qq, account }),
  };
  const isOwnMessageKnown: IsOwnMessageKnown = (account, chat, messageId) =>
    isSentMessage(store.main, { ...qq, account, chat, messageId });
  return [
    ...(telegram ? [createTelegramChannel({ ...telegram, menus: listCommandMenus(language), clock, log })] : []),
    ...(onebot ? [createOneBotChannel({ ...onebot, http, history, isOwnMessageKnown, fetchPublic, clock, log })] : []),
  ];
}
