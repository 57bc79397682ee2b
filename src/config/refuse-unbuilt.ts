import { AppError } from "../core/errors.ts";
import type { Configuration } from "./types.ts";

/** Settings that are known but have nothing behind them yet: better refused than ignored. */
export function refuseUnbuilt(configuration: Configuration): void {
  const wanted = [
    [
      "TELEGRAM_WEBHOOK_URL",
      configuration.telegram?.webhook,
      "receiving from Telegram by webhook; long polling is used",
    ],
    ["QQ_APP_ID", configuration.qq, "the official QQ bot"],
  ] as const;
  const faults = wanted
    .filter(([, value]) => value !== undefined)
    .map(([name, , what]) => `environment ${name}: not there yet (${what}); unset it`);
  if (faults.length > 0) throw new AppError("CONFIG_INVALID", faults.join("\n"));
}

/** Settings that are accepted because they are part of the contract, but that nothing reads yet. */
export function listUnusedSettings({ telemetry, transcription }: Configuration): string[] {
  const settings = [
    ["TRANSCRIBE_BASE_URL", transcription],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", telemetry.endpoint],
  ] as const;
  return settings.filter(([, value]) => value !== undefined).map(([name]) => name);
}
