import { AppError } from "../core/errors.ts";
import type { Configuration } from "./types.ts";

/** Settings that are known but have nothing behind them yet: better refused than ignored. */
export function refuseUnbuilt(configuration: Configuration): void {
  const wanted = [
    ["DATABASE_URL", configuration.store.url, "the Postgres store"],
    [
      "TELEGRAM_WEBHOOK_URL",
      configuration.telegram?.webhook,
      "receiving from Telegram by webhook; long polling is used",
    ],
    ["ONEBOT_WS_URL", configuration.onebot, "QQ by OneBot"],
    ["QQ_APP_ID", configuration.qq, "the official QQ bot"],
  ] as const;
  const faults = wanted
    .filter(([, value]) => value !== undefined)
    .map(([name, , what]) => `environment ${name}: not there yet (${what}); unset it`);
  if (faults.length > 0) throw new AppError("CONFIG_INVALID", faults.join("\n"));
}
