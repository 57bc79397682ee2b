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
  TRANSCRIBE_BASE_URL: httpAddressVariable.optional(),
  TRANSCRIBE_API_KEY: secretVariable.optional(),
  TRANSCRIBE_MODEL: textVariable.optional(),
  SPEECH_BASE_URL: httpAddressVariable.optional(),
  SPEECH_API_KEY: secretVariable.optional(),
  SPEECH_MODEL: textVariable.optional(),
  SPEECH_VOICE: textVariable.optional(),
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
