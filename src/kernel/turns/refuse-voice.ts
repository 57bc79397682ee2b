import { chooseGiven } from "../agent/given-files.ts";
import type { InputKind } from "../../core/content-part.ts";
import type { FileRecord, Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { listOpenQuestions } from "../../store/queries/questions.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { HeardVoice } from "../files/heard-voice.ts";
import type { ReceivedFile } from "../files/word-attachments.ts";
import { tellAs, type Told } from "../outbox/tell-as.ts";
import { readAnswerWords } from "../questions/approval-words.ts";
import type { InboundMessage } from "../../channels/types.ts";

/**
 * Returns a fixed reply for a message that is only a voice, if it could not be transcribed or was meant to answer a
 * question.
 */
export async function refuseVoice(given: {
  readonly store: Store;
  /** The input kinds that the models accept besides text. */
  readonly inputs: ReadonlySet<InputKind>;
  readonly message: InboundMessage;
  readonly received: readonly (ReceivedFile | undefined)[];
  readonly heard: readonly (HeardVoice | undefined)[];
  readonly files: readonly FileRecord[];
  readonly language: Language;
  readonly session: SessionRow;
}): Promise<Told | undefined> {
  const { store, inputs, message, received, heard, files, language, session } = given;
  if (message.text !== "" || message.attachments.length !== 1) return undefined;
  const [voice, file] = [heard[0], received[0]];
  if (voice === undefined || file?.kind !== "saved") return undefined;
  if (voice.kind === "heard") {
    const isAnswer = readAnswerWords(voice.words) !== undefined;
    return isAnswer && (await listOpenQuestions(store.main, session.id)).length > 0
      ? { text: wordsFor(language).decision.voiceIgnored }
      : undefined;
  }
  if (chooseGiven(files, inputs).some(({ path }) => path === file.path)) return undefined;
  return tellAs("failed", language, voice.refusal(language));
}
