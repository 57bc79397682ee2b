import { wordSpeech } from "../../../src/features/voice/word-speech.ts";

export const adapters = { "features/voice/word-speech.ts": wordSpeech };
