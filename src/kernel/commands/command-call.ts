import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Person } from "../gate/types.ts";
import type { InboundMessage, OutboundMessage } from "../../channels/types.ts";
import type { Told } from "../outbox/tell-as.ts";

/** A command that a person wrote in a chat. */
export interface CommandCall {
  /** The row of the message. */
  readonly item: InboxItem;
  readonly message: InboundMessage;
  readonly session: string;
  readonly person: Person;
  readonly words: Words;
  readonly language: Language;
  /** The text after the command's name. */
  readonly rest: string;
}

/** A command's answer; `also` goes to another chat. */
export interface CommandAnswer extends Told, Pick<OutboundMessage, "choices" | "preformatted"> {
  readonly also?: { readonly session: string; readonly text: (words: Words, language: Language) => string };
}
