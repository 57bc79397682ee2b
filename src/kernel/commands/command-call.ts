import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import type { AdmittedMessage } from "../feature/hook-arguments.ts";
import type { Told } from "../outbox/tell-as.ts";

/** A command that a person wrote in a chat. */
export interface CommandCall extends AdmittedMessage {
  readonly session: string;
  /** The text after the command's name. */
  readonly rest: string;
}

/** A command's answer; `also` goes to another chat. */
export interface CommandAnswer extends Told, Pick<OutboundMessage, "choices" | "preformatted"> {
  readonly also?: { readonly session: string; readonly text: (words: Words, language: Language) => string };
}
