import type { ConversationMessage, Language, Taint } from "../core/conversation.ts";
import { joinSources, joinTaint } from "../core/taint.ts";
import { wordsFor } from "../core/words/words.ts";

export type HistoryMessage = ConversationMessage & { readonly taint: Taint; readonly turn: string | null };

interface Reader {
  readonly person: { readonly id: string };
  readonly chatKind: "private" | "group";
  readonly language: Language;
}

/** What a turn inherits from the conversation that it reads. */
interface HistoryLabel {
  readonly taint: Taint;
  readonly sources: readonly string[];
  /** Web addresses that this person wrote out in it. */
  readonly named: readonly string[];
}

/**
 * The label of a conversation for one of the people in it: what others wrote, and what was answered to them, is nobody's
 * order for this person. What was said after untrusted content keeps its label, so that no summary makes it clean; only a
 * new conversation does.
 */
export function labelHistory(history: readonly HistoryMessage[], reader: Reader): HistoryLabel {
  const words = wordsFor(reader.language).sources;
  const labels = labelEach(history, reader);
  const sources = joinSources(...labels.map((label) => label.sources));
  const taint = joinTaint("owner", ...labels.map((label) => label.taint));
  const own = history.flatMap((message) =>
    message.role === "user" && message.senderId === reader.person.id ? (message.named ?? []) : [],
  );
  return {
    taint,
    sources: taint === "untrusted" && sources.length === 0 ? [words.earlier] : sources,
    named: [...new Set(own)],
  };
}

/** The messages that this person can take for their own, or for an answer to them. */
export function listTrusted(history: readonly HistoryMessage[], reader: Reader): readonly HistoryMessage[] {
  const labels = labelEach(history, reader);
  return history.filter((_, index) => labels[index]?.taint !== "untrusted");
}

function labelEach(
  history: readonly HistoryMessage[],
  { chatKind, language, person }: Reader,
): readonly { readonly taint: Taint; readonly sources?: readonly string[] }[] {
  const words = wordsFor(language).sources;
  const askers = new Map<string, { readonly senderId: string; readonly senderName: string }>();
  for (const message of history)
    if (message.role === "user" && message.turn !== null) askers.set(message.turn, message);
  // Whose turn it was may have left the window.
  const isShared = chatKind === "group" || [...askers.values()].some(({ senderId }) => senderId !== person.id);
  return history.map((message) => {
    const asker = message.role === "user" ? message : askers.get(message.turn ?? "");
    const isForeign = asker === undefined ? isShared && message.turn !== null : asker.senderId !== person.id;
    const said = isForeign && asker !== undefined ? [words.messageOf({ name: asker.senderName })] : [];
    const written = "sources" in message ? message.sources : undefined;
    if (!isForeign && message.taint !== "untrusted") return { taint: message.taint };
    return { taint: "untrusted", sources: [...said, ...(written ?? [])] };
  });
}
