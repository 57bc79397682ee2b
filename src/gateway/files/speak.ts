import { fetchFromEndpoint } from "../../web/ask-endpoint.ts";
import { detectSound } from "../../core/media-type.ts";
import type { SpeechFormat } from "../../channels/channel-capabilities.ts";
import type { PersonaSound } from "../../core/persona/persona.ts";
import type { SoundEndpoint } from "./transcribe.ts";

type Spoken =
  | { readonly kind: "spoken"; readonly content: Buffer }
  /** For the log. */
  | { readonly kind: "failed"; readonly reason: string };

/** A text as sound, in the persona's own way where it has one. Never throws. */
export type Speak = (text: string, format: SpeechFormat, sound?: PersonaSound) => Promise<Spoken>;

const timeoutMs = 30_000;
/** Ten minutes of mp3 have some 10 MB. */
const largestBytes = 20_000_000;
const types: Readonly<Record<SpeechFormat, string>> = { opus: "audio/ogg", mp3: "audio/mpeg" };

/** Asks POST /audio/speech of the server that the operator named (SPEECH_BASE_URL). */
export function createSpeak(endpoint: SoundEndpoint & { readonly voice?: string }): Speak {
  const { baseUrl, apiKey, model = "tts-1", voice = "alloy" } = endpoint;
  return async (input, format, sound) => {
    const asked = await fetchFromEndpoint(
      {
        url: new URL(`${baseUrl}/audio/speech`),
        method: "POST",
        headers: { accept: "*/*", ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
        body: { model, voice, ...sound, input, response_format: format },
        timeoutMs,
        signal: AbortSignal.timeout(timeoutMs),
      },
      largestBytes,
    );
    if (asked.kind === "failed") return asked;
    if (asked.status !== 200) return { kind: "failed", reason: `HTTP ${asked.status}` };
    if (asked.truncated || detectSound(asked.content) !== types[format])
      return { kind: "failed", reason: `its answer is no ${format} of at most ${largestBytes} bytes` };
    return { kind: "spoken", content: asked.content };
  };
}
