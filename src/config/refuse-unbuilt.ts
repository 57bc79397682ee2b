import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { AppError } from "../core/errors.ts";
import type { Configuration } from "../config.ts";

/** Settings that are known but have nothing behind them yet: better refused than ignored. */
export function refuseUnbuilt(configuration: Configuration): void {
  const faults = channelDefinitions.flatMap(({ name, listUnbuilt }) => {
    const settings = configuration.channels[name];
    return settings === undefined ? [] : (listUnbuilt?.(settings) ?? []).map((fault) => `environment ${fault}`);
  });
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
