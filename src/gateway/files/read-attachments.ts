import type { Attachment } from "../../channels/attachment.ts";
import type { AttachmentAtHand } from "../../kernel/define-feature.ts";
import type { AttachmentReading } from "./attachment-reading.ts";
import type { MadeFeature } from "../../kernel/make-features.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { ReceivedFile } from "./word-attachments.ts";

/** One reading per attachment; undefined = no feature reads it, or its file is not there. */
export type ReadAttachments = (
  attachments: readonly Attachment[],
  received: readonly (ReceivedFile | undefined)[],
  session: string,
  signal: AbortSignal,
) => Promise<readonly (AttachmentReading | undefined)[]>;

/** Calls the features' hook `readAttachment`. */
export function createReadAttachments(parts: {
  readonly features: readonly MadeFeature[];
  readonly workspace: Pick<Workspace, "readBytes">;
}): ReadAttachments {
  async function ask(given: AttachmentAtHand): Promise<AttachmentReading | undefined> {
    for (const { hooks } of parts.features) {
      const reading = await hooks.readAttachment?.(given);
      if (reading !== undefined) return reading;
    }
    return undefined;
  }

  return async (attachments, received, session, signal) => {
    const readings: (AttachmentReading | undefined)[] = [];
    for (const [index, attachment] of attachments.entries()) {
      const file = received[index];
      if (file?.kind !== "saved") {
        readings.push(undefined);
        continue;
      }
      const read = async () => {
        const found = await parts.workspace.readBytes(session, file.path);
        return found.ok ? Buffer.from(found.bytes) : undefined;
      };
      readings.push(await ask({ attachment, file, session, read, signal }));
    }
    return readings;
  };
}
