import type { z } from "zod";
import { dropUnset } from "../../core/drop-unset.ts";
import { httpAddressVariable, secretVariable, textVariable } from "../../core/variable-schemas.ts";

/** A server that speaks OpenAI's API. */
export interface SoundEndpoint {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model?: string;
}

/** Fields are undefined if the operator configured no such server. */
export interface VoiceSettings {
  readonly transcription?: SoundEndpoint;
  readonly speech?: SoundEndpoint & { readonly voice?: string };
}

export const voiceVariables = {
  TRANSCRIBE_BASE_URL: httpAddressVariable
    .optional()
    .describe(
      "OpenAI-compatible transcription of voice messages, such as http://127.0.0.1:9000/v1; `/audio/transcriptions` is appended (docs/channels.md#voice). Default: unset, and she says that she cannot listen.",
    ),
  TRANSCRIBE_API_KEY: secretVariable.optional().describe("Key for the transcription."),
  TRANSCRIBE_MODEL: textVariable.optional().describe("Model for the transcription. Default: `whisper-1`."),
  SPEECH_BASE_URL: httpAddressVariable
    .optional()
    .describe(
      "OpenAI-compatible speech for spoken answers, such as http://127.0.0.1:8880/v1; `/audio/speech` is appended (docs/channels.md#voice). Default: unset, and she does not speak.",
    ),
  SPEECH_API_KEY: secretVariable.optional().describe("Key for the speech."),
  SPEECH_MODEL: textVariable.optional().describe("Model for the speech. Default: `tts-1`."),
  SPEECH_VOICE: textVariable.optional().describe("Voice of the speech. Default: `alloy`."),
};

export function configureVoice(values: z.output<z.ZodObject<typeof voiceVariables>>): VoiceSettings {
  const hearing = { apiKey: values.TRANSCRIBE_API_KEY, model: values.TRANSCRIBE_MODEL };
  const speaking = { apiKey: values.SPEECH_API_KEY, model: values.SPEECH_MODEL, voice: values.SPEECH_VOICE };
  return dropUnset({
    transcription: toEndpoint(values.TRANSCRIBE_BASE_URL, hearing),
    speech: toEndpoint(values.SPEECH_BASE_URL, speaking),
  });
}

function toEndpoint<More extends object>(baseUrl: string | undefined, more: More) {
  return baseUrl === undefined ? undefined : { baseUrl, ...dropUnset(more) };
}
