import type { Configuration } from "../config.ts";

/** Settings that are accepted because they are part of the contract, but that nothing reads yet. */
export function listUnusedSettings({ telemetry }: Configuration): string[] {
  const settings = [["OTEL_EXPORTER_OTLP_ENDPOINT", telemetry.endpoint]] as const;
  return settings.filter(([, value]) => value !== undefined).map(([name]) => name);
}
