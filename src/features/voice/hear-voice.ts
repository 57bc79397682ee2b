import type { Logger } from "pino";
import type { AttachmentAtHand, FeatureHooks } from "../../kernel/define-feature.ts";
import type { AttachmentReading } from "../../gateway/files/attachment-reading.ts";
import { isShutdown } from "../../gateway/lanes/session-lanes.ts";
import type { Transcribe } from "./transcribe.ts";
import { voiceWords } from "./words.ts";

type WhyUnheard = keyof (typeof voiceWords)["zh"]["unheard"];

const maxSeconds = 600;

/** Writes down what a voice message says. Anything but a voice message is none of its business. */
export function createHearVoice(parts: {
  /** undefined = no endpoint is configured. */
  readonly transcribe: Transcribe | undefined;
  readonly log: Logger;
}): NonNullable<FeatureHooks["readAttachment"]> {
  const { transcribe, log } = parts;
  return async ({ attachment, file, read, session, signal }) => {
    if (attachment.kind !== "voice") return undefined;
    if (transcribe === undefined) return unheard("noEndpoint", file);
    if ((attachment.seconds ?? 0) > maxSeconds) return unheard("tooLong", file);
    const content = await read();
    if (content === undefined) return unheard("failed", file);
    const transcript = await transcribe(content, signal);
    if (transcript.kind === "heard") return { kind: "read", words: transcript.text, shown: `🎤 ${transcript.text}` };
    if (transcript.kind === "unheard") return unheard(transcript.why, file);
    // After a shutdown the message is begun again at the next start; a turn that was stopped says nothing.
    if (signal.aborted && isShutdown(signal)) throw signal.reason;
    if (signal.aborted) return undefined;
    log.warn({ session, reason: transcript.reason }, "a voice message could not be transcribed");
    return unheard("failed", file);
  };
}

function unheard(why: WhyUnheard, { path }: AttachmentAtHand["file"]): AttachmentReading {
  return {
    kind: "unread",
    note: (language) => voiceWords[language].note(voiceWords[language].unheard[why]),
    refusal: (language) => voiceWords[language].refusal({ why: voiceWords[language].unheard[why], path }),
  };
}
