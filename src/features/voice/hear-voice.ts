import type { Logger } from "pino";
import type { FeatureHooks } from "../../kernel/feature/define-feature.ts";
import type { HeardVoice, SavedFile } from "../../kernel/files/heard-voice.ts";
import { isShutdown } from "../../kernel/lanes/session-lanes.ts";
import type { Transcribe } from "./transcribe.ts";
import { voiceWords } from "./words.ts";

type WhyUnheard = keyof (typeof voiceWords)["zh"]["unheard"];

const maxSeconds = 600;

/** Writes down what a voice message says. */
export function createHearVoice(parts: {
  /** undefined if no server is configured. */
  readonly transcribe: Transcribe | undefined;
  readonly log: Logger;
}): NonNullable<FeatureHooks["hearVoice"]> {
  const { transcribe, log } = parts;
  return async ({ file, read, seconds, session, signal }) => {
    if (transcribe === undefined) return unheard("noEndpoint", file);
    if (seconds > maxSeconds) return unheard("tooLong", file);
    const content = await read();
    if (content === undefined) return unheard("failed", file);
    const transcript = await transcribe(content, signal);
    if (transcript.kind === "heard") return { kind: "heard", words: transcript.text, shown: `🎤 ${transcript.text}` };
    if (transcript.kind === "unheard") return unheard(transcript.why, file);
    // After a shutdown, the next start processes the message again; a stopped turn sends nothing.
    if (signal.aborted && isShutdown(signal)) throw signal.reason;
    if (signal.aborted) return undefined;
    log.warn({ session, reason: transcript.reason }, "a voice message could not be transcribed");
    return unheard("failed", file);
  };
}

function unheard(why: WhyUnheard, { path }: SavedFile): HeardVoice {
  return {
    kind: "unheard",
    note: (language) => voiceWords[language].note(voiceWords[language].unheard[why]),
    refusal: (language) => voiceWords[language].refusal({ why: voiceWords[language].unheard[why], path }),
  };
}
