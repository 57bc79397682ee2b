import type { OutboundMessage } from "../../channels/types.ts";
import type { FeatureHooks, Kernel } from "../../kernel/feature/define-feature.ts";
import { voiceWords } from "./words.ts";
import { wordSpeech } from "./word-speech.ts";

type Ended = NonNullable<FeatureHooks["ended"]>;

/** Queues the words of a reply as a voice message behind its text, where the chat wants that and the platform can play it. */
export function createSpeakReply(kernel: Pick<Kernel, "findChannel" | "scrub" | "soundOf">): Ended {
  function buildVoice({ buildMessage, input, outboxId, session, text }: Parameters<Ended>[1]): OutboundMessage[] {
    const isWanted = session.voice === "on" || (session.voice === "auto" && input.spoken === true);
    const format = kernel.findChannel(session.platform)?.capabilities.voice ?? false;
    if (!isWanted || format === false) return [];
    const words = kernel.scrub(wordSpeech(text));
    if (words === "") return [];
    const sound = kernel.soundOf(session.id);
    const instead = {
      id: `${outboxId}.voice`,
      kind: "voice",
      text: voiceWords[input.language].failed,
      plain: true,
    } as const;
    return [{ ...buildMessage(instead), speech: { text: words, format, ...(sound && { sound }) } }];
  }

  return (_tx, turn) => Promise.resolve(buildVoice(turn));
}
