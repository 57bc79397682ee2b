import type { FeatureHooks, Kernel } from "../../kernel/define-feature.ts";
import { voiceWords } from "./words.ts";
import { wordSpeech } from "./word-speech.ts";

/** Queues the words of a reply as a voice message behind its text, where the chat wants that and the platform has it. */
export function createSpeakReply(
  kernel: Pick<Kernel, "findChannel" | "scrub" | "soundOf"> & { readonly canSpeak: boolean },
): NonNullable<FeatureHooks["ended"]> {
  return (_tx, { input, message, outboxId, session, text }) => {
    const format = kernel.findChannel(session.platform)?.capabilities.voice ?? false;
    const isWanted = session.voice === "on" || (session.voice === "auto" && input.spoken === true);
    const spoken = isWanted && format !== false && kernel.canSpeak ? kernel.scrub(wordSpeech(text)) : "";
    if (spoken === "" || format === false) return Promise.resolve([]);
    const instead = voiceWords[input.language].failed;
    const sound = kernel.soundOf(session.id);
    return Promise.resolve([
      {
        ...message({ id: `${outboxId}.voice`, kind: "voice", text: instead, plain: true }),
        speech: { text: spoken, format, ...(sound && { sound }) },
      },
    ]);
  };
}
