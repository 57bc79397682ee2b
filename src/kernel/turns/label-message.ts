import { listTrusted } from "../agent/history-label.ts";
import type { Language, Taint } from "../../core/conversation.ts";
import { listAddresses } from "../../core/named-addresses.ts";
import { joinTaint } from "../../core/taint.ts";
import { toLetters } from "../../core/persona/plain-text.ts";
import { wordsFor } from "../../core/words/words.ts";
import { readWindow } from "../../store/queries/messages.ts";
import { findWholeSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { InboundMessage } from "../../channels/types.ts";

export interface MessageLabel {
  readonly taint: Taint;
  readonly sources: readonly string[];
  /** Web addresses in the sender's own words. */
  readonly named: readonly string[];
}

export interface MessageAtHand {
  readonly message: InboundMessage;
  readonly person: Person;
  readonly session: SessionRow;
  readonly language: Language;
}

/** Characters of a quotation that are compared with earlier messages and shown to the model. */
export const maxQuoteLength = 500;
/** A quoted forward gets more, because its conversation is the reason for quoting it. */
export const maxForwardLength = 8_000;
/** Messages that are searched for a quotation. */
const maxSearched = 200;

/**
 * Labels how far a message is its sender's own. Forwarded messages and messages through another bot are not. A
 * quotation is when its text occurs in the sender's messages, or in replies to them.
 */
export async function labelMessage(store: Store, atHand: MessageAtHand): Promise<MessageLabel> {
  const { language, message, person } = atHand;
  const words = wordsFor(language).sources;
  const isOwn = !message.forwarded && !message.viaBot;
  const namedThings = [...message.attachments, ...(message.quote?.attachments ?? [])].filter(
    ({ name }) => name !== undefined,
  );
  const isShared = namedThings.some(({ kind }) => kind === "card" || kind === "share");
  const quoted = message.quote === undefined ? "owner" : await labelQuote(store, message.quote, atHand);
  const sources = [...(isOwn && !isShared ? [] : [words.forwarded]), ...(quoted === "untrusted" ? [words.quoted] : [])];
  const own = person.role === "owner" ? "owner" : "user";
  // Another person may have named the file, card or contact.
  const beside = namedThings.length > 0 ? "exposed" : own;
  return {
    taint: sources.length > 0 ? "untrusted" : joinTaint(own, beside, quoted),
    sources,
    named: isOwn ? listAddresses(message.text) : [],
  };
}

/** Compares letters only: the platform shows a message without its markup. */
async function labelQuote(
  store: Store,
  quote: NonNullable<InboundMessage["quote"]>,
  { language, message, person, session }: MessageAtHand,
): Promise<Taint> {
  if (quote.forwarded) return "untrusted";
  const letters = toLetters(quote.text.slice(0, maxQuoteLength));
  if (letters === "") return "owner";
  const upTo = (await findWholeSession(store.main, session.id))?.last_position ?? 0;
  const history = await readWindow(store.main, session.id, { from: Math.max(0, upTo - maxSearched), upTo });
  const trusted = listTrusted(history, { person, chatKind: message.chatKind, language });
  return trusted.find((one) => toLetters(one.text).includes(letters))?.taint ?? "untrusted";
}
