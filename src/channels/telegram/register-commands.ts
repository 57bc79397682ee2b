import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { CommandMenu } from "../define-channel.ts";
import type { BotApi } from "./bot-api.ts";

const requestLimitMs = 20_000;
const mostTries = 3;
const retryMs = 5_000;

/** Tells Telegram the commands of each language, for private chats and for groups. A failure is logged, and no more. */
export async function registerCommands(
  menus: readonly CommandMenu[],
  { api, log, signal }: { readonly api: BotApi; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  for (const { languageCode, commands } of menus) {
    for (const scope of ["all_private_chats", "all_group_chats"] as const) {
      const shown = commands.filter(({ privateOnly }) => scope === "all_private_chats" || !privateOnly);
      const payload = {
        commands: shown.map(({ command, description }) => ({ command, description })),
        scope: { type: scope },
        ...(languageCode !== undefined && { language_code: languageCode as "zh" }),
      };
      for (let tries = 1; ; tries += 1) {
        const answer = await api.call("setMyCommands", payload, { timeoutMs: requestLimitMs, signal });
        if (answer.kind === "ok") break;
        if (answer.kind === "stopped") return;
        const passes = answer.kind === "flood" || answer.kind === "unreachable";
        if (passes && tries < mostTries) {
          if (!(await sleep(answer.kind === "flood" ? answer.retryAfterMs : retryMs, signal))) return;
          continue;
        }
        log.warn({ reason: answer.reason, scope, languageCode }, "Telegram did not take the list of commands");
        break;
      }
    }
  }
}
