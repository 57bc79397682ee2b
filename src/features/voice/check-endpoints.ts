import type { Finding } from "../../kernel/feature/finding.ts";
import { askEndpoint } from "../../web/ask-endpoint.ts";
import type { VoiceSettings } from "./voice-settings.ts";

const waitMs = 5_000;

/** Checks that the servers answer. It sends no sound and requests none, so it costs nothing. */
export async function checkEndpoints({ speech, transcription }: VoiceSettings): Promise<readonly Finding[]> {
  return Promise.all([
    checkEndpoint("voice in", "TRANSCRIBE_BASE_URL", transcription),
    checkEndpoint("voice out", "SPEECH_BASE_URL", speech),
  ]);
}

async function checkEndpoint(
  check: string,
  variable: string,
  endpoint: { readonly baseUrl: string; readonly apiKey?: string } | undefined,
): Promise<Finding> {
  if (endpoint === undefined)
    return { check, state: "ok", detail: `off. Set ${variable} to use it: docs/channels.md#voice` };
  const asked = await askEndpoint({
    url: new URL(`${endpoint.baseUrl}/models`),
    method: "GET",
    headers: endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` },
    timeoutMs: waitMs,
    signal: AbortSignal.timeout(waitMs),
  });
  if (asked.kind === "failed")
    return { check, state: "broken", detail: `${variable}: ${new URL(endpoint.baseUrl).host} ${asked.reason}` };
  if (asked.status === 401 || asked.status === 403)
    return { check, state: "broken", detail: `${variable}: the key was refused (HTTP ${asked.status})` };
  // Not every server lists its models; any answer proves that it is up.
  return { check, state: "ok", detail: `${new URL(endpoint.baseUrl).host} answers` };
}
