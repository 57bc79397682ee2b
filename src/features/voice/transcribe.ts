import { z } from "zod";
import { detectSound } from "./detect-sound.ts";
import { askEndpoint } from "../../web/ask-endpoint.ts";
import type { SoundEndpoint } from "./voice-settings.ts";

type Transcript =
  | { readonly kind: "heard"; readonly text: string }
  /** `silent` = there were no words in it. */
  | { readonly kind: "unheard"; readonly why: "format" | "tooLarge" | "silent" }
  /** For the log. */
  | { readonly kind: "failed"; readonly reason: string };

/** The words of a voice message. Never throws; a stop is a failure. */
export type Transcribe = (content: Buffer, signal: AbortSignal) => Promise<Transcript>;

/** Source: platform.openai.com/docs, audio/transcriptions. */
const maxBytes = 25 * 1024 * 1024;
const timeoutMs = 60_000;
/** Characters; a person speaks some 250 a minute. */
const maxCharacters = 8_000;
/** The server knows a format by the extension alone. */
const extensions: Readonly<Record<string, string>> = {
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "audio/webm": "webm",
  "audio/mpeg": "mp3",
};
const answer = z.object({ text: z.string() });

/** Asks POST /audio/transcriptions of the server that the operator named (TRANSCRIBE_BASE_URL). */
export function createTranscribe({ baseUrl, apiKey, model = "whisper-1" }: SoundEndpoint): Transcribe {
  return async (content, signal) => {
    const mimeType = detectSound(content);
    const extension = mimeType && extensions[mimeType];
    if (mimeType === undefined || extension === undefined) return { kind: "unheard", why: "format" };
    if (content.length > maxBytes) return { kind: "unheard", why: "tooLarge" };
    const asked = await askEndpoint({
      url: new URL(`${baseUrl}/audio/transcriptions`),
      method: "POST",
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      form: { model, response_format: "json", file: { name: `voice.${extension}`, mimeType, content } },
      timeoutMs,
      signal,
    });
    if (asked.kind === "failed") return asked;
    const read = answer.safeParse(asked.body);
    if (asked.status !== 200) return { kind: "failed", reason: `HTTP ${asked.status}` };
    if (!read.success) return { kind: "failed", reason: "its answer is no transcript" };
    const text = read.data.text.replaceAll("\0", "").toWellFormed().trim().slice(0, maxCharacters).toWellFormed();
    return text === "" ? { kind: "unheard", why: "silent" } : { kind: "heard", text };
  };
}
