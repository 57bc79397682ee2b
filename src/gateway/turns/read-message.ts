import type { FileRecord } from "../../core/conversation.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Store } from "../../store/open-store.ts";
import type { AttachmentReading } from "../files/attachment-reading.ts";
import type { ReadAttachments } from "../files/read-attachments.ts";
import type { FileSender, ReceiveFiles } from "../files/receive-files.ts";
import type { ReceivedFile } from "../files/word-attachments.ts";
import type { InboundMessage } from "../../channels/types.ts";
import { describeMessage, joinRead, recordFile } from "./describe-message.ts";
import { labelMessage, type MessageAtHand, type MessageLabel } from "./label-message.ts";

/** The things beside the text; those of a quotation come last. */
interface TakenIn {
  readonly received: readonly (ReceivedFile | undefined)[];
  readonly readings: readonly (AttachmentReading | undefined)[];
  /** The words that were read from the message's own attachments, such as a voice message. */
  readonly spoken: string;
  readonly isQuoteRead: boolean;
}

/** A message as the conversation keeps it. */
interface ReadMessageText extends MessageLabel {
  readonly text: string;
  readonly files: readonly FileRecord[];
}

/** Reads a person's message: first its files are fetched, then come its words with their label. */
export interface ReadMessage {
  takeIn(message: InboundMessage, person: FileSender, session: string, signal: AbortSignal): Promise<TakenIn>;
  describe(taken: TakenIn, atHand: MessageAtHand): Promise<ReadMessageText>;
}

export function createReadMessage(parts: {
  readonly store: Store;
  readonly receiveFiles: ReceiveFiles;
  readonly readAttachments: ReadAttachments;
}): ReadMessage {
  return {
    async takeIn(message, person, session, signal) {
      const attachments = [...message.attachments, ...(message.quote?.attachments ?? [])];
      if (attachments.length === 0) return { received: [], readings: [], spoken: "", isQuoteRead: false };
      const received = await parts.receiveFiles({ ...message, attachments }, person, session, signal);
      const readings = await parts.readAttachments(attachments, received, session, signal);
      const [own, quoted] = [readings.slice(0, message.attachments.length), readings.slice(message.attachments.length)];
      return { received, readings, spoken: joinRead(own), isQuoteRead: joinRead(quoted) !== "" };
    },
    async describe({ received, readings, spoken, isQuoteRead }, atHand) {
      const { language, message } = atHand;
      const label = await labelMessage(parts.store, atHand);
      // An address that was spoken is not written out; it may be misheard, too. A quoted voice may be anybody's.
      const ofVoices = isQuoteRead ? "untrusted" : spoken === "" ? label.taint : "exposed";
      return {
        taint: joinTaint(label.taint, ofVoices),
        sources: joinSources(label.sources, isQuoteRead ? [wordsFor(language).sources.quoted] : []),
        named: label.named,
        text: describeMessage(message, { received, readings, language }),
        files: received.flatMap((file) => recordFile(file)),
      };
    },
  };
}
