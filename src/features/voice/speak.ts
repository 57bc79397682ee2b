import { askEndpoint } from "../../web/ask-endpoint.ts";
import { detectSound } from "./detect-sound.ts";
import type { SpeechFormat } from "../../channels/channel-capabilities.ts";
import type { FeatureHooks } from "../../kernel/feature/define-feature.ts";
import type { SoundEndpoint } from "./voice-settings.ts";

const timeoutMs = 30_000;
/** Ten minutes of mp3 have some 10 MB. */
const maxBytes = 20_000_000;
const types: Readonly<Record<SpeechFormat, string>> = { opus: "audio/ogg", mp3: "audio/mpeg" };

/**
 * Text to sound, in the persona's own manner if it has one. Calls POST /audio/speech of the server that the operator
 * configured (SPEECH_BASE_URL).
 */
export function createSpeak(endpoint: SoundEndpoint & { readonly voice?: string }): NonNullable<FeatureHooks["speak"]> {
  const { baseUrl, apiKey, model = "tts-1", voice = "alloy" } = endpoint;
  return async ({ text: input, format, sound }) => {
    const asked = await askEndpoint({
      url: new URL(`${baseUrl}/audio/speech`),
      method: "POST",
      headers: { accept: "*/*", ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      body: { model, voice, ...sound, input, response_format: format },
      maxBytes,
      timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (asked.kind === "failed") return asked;
    if (asked.status !== 200) return { kind: "failed", reason: `HTTP ${asked.status}` };
    if (asked.truncated || detectSound(asked.content) !== types[format])
      return { kind: "failed", reason: `its answer is no ${format} of at most ${maxBytes} bytes` };
    return { kind: "spoken", content: asked.content };
  };
}
