import type { Configuration } from "../config.ts";

/** Settings that are accepted as part of the contract but not read yet. */
export function listUnusedSettings({ telemetry }: Configuration): string[] {
  const settings = [["OTEL_EXPORTER_OTLP_ENDPOINT", telemetry.endpoint]] as const;
  return settings.filter(([, value]) => value !== undefined).map(([name]) => name);
}
