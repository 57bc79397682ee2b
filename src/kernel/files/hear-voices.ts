import type { Attachment } from "../../channels/attachment.ts";
import type { MadeFeature } from "../feature/make-features.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { HeardVoice } from "./heard-voice.ts";
import type { ReceivedFile } from "./word-attachments.ts";

/** One result per attachment, undefined for anything but a voice message, or without a feature that listens. */
export type HearVoices = (
  attachments: readonly Attachment[],
  received: readonly (ReceivedFile | undefined)[],
  session: string,
  signal: AbortSignal,
) => Promise<readonly (HeardVoice | undefined)[]>;

/** Calls the hook `hearVoice` of the one feature that has it. */
export function createHearVoices(parts: {
  readonly features: readonly MadeFeature[];
  readonly workspace: Pick<Workspace, "readBytes">;
}): HearVoices {
  const listener = parts.features.find(({ hooks }) => hooks.hearVoice !== undefined)?.hooks;
  return async (attachments, received, session, signal) => {
    const heard: (HeardVoice | undefined)[] = [];
    for (const [index, attachment] of attachments.entries()) {
      const file = received[index];
      if (attachment.kind !== "voice" || file?.kind !== "saved") {
        heard.push(undefined);
        continue;
      }
      const read = async () => {
        const found = await parts.workspace.readBytes(session, file.path);
        return found.ok ? Buffer.from(found.bytes) : undefined;
      };
      heard.push(await listener?.hearVoice?.({ seconds: attachment.seconds ?? 0, file, session, read, signal }));
    }
    return heard;
  };
}
