import type { FileRecord } from "../../core/conversation.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Store } from "../../store/open-store.ts";
import type { HeardVoice } from "../files/heard-voice.ts";
import type { HearVoices } from "../files/hear-voices.ts";
import type { FileSender, ReceiveFiles } from "../files/receive-files.ts";
import type { ReceivedFile } from "../files/word-attachments.ts";
import type { InboundMessage } from "../../channels/types.ts";
import { describeMessage, joinHeard, recordFile } from "./describe-message.ts";
import { labelMessage, type MessageAtHand, type MessageLabel } from "./label-message.ts";

/** The attachments of a message; those of a quotation come last. */
interface TakenIn {
  readonly received: readonly (ReceivedFile | undefined)[];
  readonly heard: readonly (HeardVoice | undefined)[];
  /** The transcript of the message's own voice. */
  readonly spoken: string;
  readonly isQuoteHeard: boolean;
}

/** A message as the conversation keeps it. */
interface ReadMessageText extends MessageLabel {
  readonly text: string;
  readonly files: readonly FileRecord[];
}

/** Reads a person's message: fetches its files first, then labels its text. */
export interface ReadMessage {
  takeIn(message: InboundMessage, person: FileSender, session: string, signal: AbortSignal): Promise<TakenIn>;
  describe(taken: TakenIn, atHand: MessageAtHand): Promise<ReadMessageText>;
}

export function createReadMessage(parts: {
  readonly store: Store;
  readonly receiveFiles: ReceiveFiles;
  readonly hearVoices: HearVoices;
}): ReadMessage {
  return {
    async takeIn(message, person, session, signal) {
      const attachments = [...message.attachments, ...(message.quote?.attachments ?? [])];
      if (attachments.length === 0) return { received: [], heard: [], spoken: "", isQuoteHeard: false };
      const received = await parts.receiveFiles({ ...message, attachments }, person, session, signal);
      const heard = await parts.hearVoices(attachments, received, session, signal);
      const [own, quoted] = [heard.slice(0, message.attachments.length), heard.slice(message.attachments.length)];
      return { received, heard, spoken: joinHeard(own), isQuoteHeard: joinHeard(quoted) !== "" };
    },
    async describe({ received, heard, spoken, isQuoteHeard }, atHand) {
      const { language, message } = atHand;
      const label = await labelMessage(parts.store, atHand);
      // A spoken address is not spelled out and may be misheard. A quoted voice may be any person's.
      const ofVoices = isQuoteHeard ? "untrusted" : spoken === "" ? label.taint : "exposed";
      return {
        taint: joinTaint(label.taint, ofVoices),
        sources: joinSources(label.sources, isQuoteHeard ? [wordsFor(language).sources.quoted] : []),
        named: label.named,
        text: describeMessage(message, { received, heard, language }),
        files: received.flatMap((file) => recordFile(file)),
      };
    },
  };
}
