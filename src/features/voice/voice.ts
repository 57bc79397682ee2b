import { defineFeature } from "../../kernel/feature/define-feature.ts";
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
 *     a voice message arrives -> hearVoice: its words become the message's text before the model reads it
 *     a reply is settled      -> ended: where the chat wants it (/voice), its words are queued as a voice message
 *     that message goes out   -> speak: the server turns the words into sound; if it fails, a line of text goes out instead
 *
 * A chat's choice is the column `sessions.voice`: on, auto (only in reply to voice) or null.
 */
export const voice = defineFeature({
  name: "voice",
  environment: voiceVariables,
  configure: configureVoice,
  words: voiceWords,
  check: checkEndpoints,
  make(kernel, settings) {
    const { transcription, speech } = settings();
    return {
      hearVoice: createHearVoice({ transcribe: transcription && createTranscribe(transcription), log: kernel.log }),
      ...(speech && { ended: createSpeakReply(kernel), speak: createSpeak(speech) }),
      lacks: [...(transcription ? [] : ["hearing voice messages"]), ...(speech ? [] : ["sending voice messages"])],
      chooseVoice: createChooseVoice({ ...kernel, canSpeak: speech !== undefined }),
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
