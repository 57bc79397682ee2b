import { defineFeature } from "../../kernel/define-feature.ts";
import { checkEndpoints } from "./check-endpoints.ts";
import { createChooseVoice } from "./choose-voice.ts";
import { createHearVoice } from "./hear-voice.ts";
import { createSpeak } from "./speak.ts";
import { createSpeakReply } from "./speak-reply.ts";
import { createTranscribe } from "./transcribe.ts";
import { configureVoice, voiceVariables } from "./voice-settings.ts";
import { voiceWords } from "./words.ts";

/**
 * Voice messages, through two OpenAI-compatible servers that the operator names.
 *
 *     a voice message arrives -> readAttachment: its words become the message's text before the turn begins
 *     a turn ends             -> ended: where the chat wants it (/voice), its words are queued as a voice message
 *     that message goes out   -> speak: the words become sound; when that fails, the channel sends a line of text instead
 *
 * A chat's choice is the column `sessions.voice`: on, auto (only in reply to voice) or null.
 */
export const voice = defineFeature({
  name: "voice",
  environment: voiceVariables,
  configure: configureVoice,
  words: voiceWords,
  check: checkEndpoints,
  make(kernel, { transcription, speech }) {
    const canSpeak = speech !== undefined;
    return {
      readAttachment: createHearVoice({
        transcribe: transcription && createTranscribe(transcription),
        log: kernel.log,
      }),
      ended: createSpeakReply({ ...kernel, canSpeak }),
      ...(speech && { speak: createSpeak(speech) }),
      chooseVoice: createChooseVoice({ ...kernel, canSpeak }),
    };
  },
  commands: [
    {
      names: ["voice"],
      menu: { zh: voiceWords.zh.menu, en: voiceWords.en.menu, ja: voiceWords.ja.menu },
      who: "members",
      inGroups: true,
      answer: ({ chooseVoice }, call) => chooseVoice(call),
    },
  ],
});
