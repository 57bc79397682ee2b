import type { Logger } from "pino";
import type { Workspace } from "../../workspace/types.ts";
import type { Attachment } from "../../channels/attachment.ts";
import { isShutdown } from "../lanes/session-lanes.ts";
import type { Transcribe } from "./transcribe.ts";
import type { Heard, ReceivedFile } from "./word-attachments.ts";

/** One answer per attachment; undefined = it is no voice message that is there. */
export type HearVoices = (
  attachments: readonly Attachment[],
  received: readonly (ReceivedFile | undefined)[],
  session: string,
  signal: AbortSignal,
) => Promise<readonly (Heard | undefined)[]>;

const longestSeconds = 600;

export function createHearVoices(parts: {
  /** undefined = no endpoint is set. */
  readonly transcribe: Transcribe | undefined;
  readonly workspace: Pick<Workspace, "readBytes">;
  readonly log: Logger;
}): HearVoices {
  const { transcribe, workspace, log } = parts;

  async function hear(seconds: number, path: string, session: string, signal: AbortSignal): Promise<Heard | undefined> {
    if (transcribe === undefined) return { kind: "unheard", why: "noEndpoint" };
    if (seconds > longestSeconds) return { kind: "unheard", why: "tooLong" };
    const found = await workspace.readBytes(session, path);
    if (!found.ok) return { kind: "unheard", why: "failed" };
    const transcript = await transcribe(Buffer.from(found.bytes), signal);
    if (transcript.kind !== "failed") return transcript;
    // After a shutdown its message is begun again at the next start; a turn that was stopped says nothing.
    if (signal.aborted && isShutdown(signal)) throw signal.reason;
    if (signal.aborted) return undefined;
    log.warn({ session, reason: transcript.reason }, "a voice message could not be transcribed");
    return { kind: "unheard", why: "failed" };
  }

  return async (attachments, received, session, signal) => {
    const heard: (Heard | undefined)[] = [];
    for (const [index, attachment] of attachments.entries()) {
      const file = received[index];
      const isVoice = attachment.kind === "voice" && file?.kind === "saved";
      const seconds = "seconds" in attachment ? (attachment.seconds ?? 0) : 0;
      heard.push(isVoice ? await hear(seconds, file.path, session, signal) : undefined);
    }
    return heard;
  };
}
