import type { ConversationMessage, Language, Speaker, Taint } from "../../core/conversation.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { wordsFor } from "../../core/words/words.ts";

export type HistoryMessage = ConversationMessage & {
  readonly taint: Taint;
  readonly turn: string | null;
  /** Only for a summary: the speakers that it covers. */
  readonly speakers?: readonly Speaker[];
};

interface Reader {
  readonly person: { readonly id: string };
  readonly chatKind: "private" | "group";
  readonly language: Language;
}

/** The labels that a turn inherits from the conversation it reads. */
interface HistoryLabel {
  readonly taint: Taint;
  readonly sources: readonly string[];
  /** Web addresses that this person wrote in it. */
  readonly named: readonly string[];
}

/**
 * Labels a conversation for one of its people. Messages of others, and the replies to them, carry no orders of this
 * person, although an owner's own words only make them exposed. Messages after untrusted content keep its label, so
 * that no summary cleans it; only a new conversation does.
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

/** The messages that are not untrusted for this person, with the label that they have for them. */
export function listTrusted(history: readonly HistoryMessage[], reader: Reader): readonly HistoryMessage[] {
  const labels = labelEach(history, reader);
  return history.flatMap((message, index) => {
    const { taint = "untrusted" } = labels[index] ?? {};
    return taint === "untrusted" ? [] : [{ ...message, taint }];
  });
}

function labelEach(
  history: readonly HistoryMessage[],
  { chatKind, language, person }: Reader,
): readonly { readonly taint: Taint; readonly sources?: readonly string[] }[] {
  const words = wordsFor(language).sources;
  const askers = new Map<string, Asker>();
  for (const message of history) {
    const speaker = findSpeaker(message);
    if (speaker !== undefined && message.turn !== null) askers.set(message.turn, speaker);
  }
  // The message that began the turn may have left the window.
  const isShared =
    chatKind === "group" ||
    [...askers.values()].some(({ senderId }) => senderId !== person.id) ||
    history.some(({ speakers = [] }) => speakers.some(({ id }) => id !== "" && id !== person.id));
  return history.map((message) => {
    if (message.speakers) return labelSummary(message, message.speakers);
    const asker = findSpeaker(message) ?? askers.get(message.turn ?? "");
    const isForeign = asker === undefined ? isShared && message.turn !== null : asker.senderId !== person.id;
    const said = isForeign && asker !== undefined ? [words.messageOf({ name: asker.senderName })] : [];
    const written = "sources" in message ? message.sources : undefined;
    if (message.taint !== "untrusted") {
      if (!isForeign) return { taint: message.taint };
      // An owner's words may lead a turn of a lower role, but to no address that its person did not name.
      if (asker?.taint === "owner") return { taint: "exposed" };
    }
    return { taint: "untrusted", sources: [...said, ...(written ?? [])] };
  });

  /** Labelled like the messages it covers: no summary cleans them. */
  function labelSummary(message: HistoryMessage, speakers: readonly Speaker[]) {
    const foreign = speakers.filter(({ id }) => (id === "" ? isShared : id !== person.id));
    const written = "sources" in message ? message.sources : undefined;
    const said = foreign.flatMap(({ name }) => (name === "" ? [] : [words.messageOf({ name })]));
    if (message.taint !== "untrusted") {
      if (foreign.length === 0) return { taint: message.taint };
      if (foreign.every(({ taint }) => taint === "owner")) return { taint: "exposed" as const };
    }
    return { taint: "untrusted" as const, sources: [...said, ...(written ?? [])] };
  }
}

interface Asker {
  readonly senderId: string;
  readonly senderName: string;
  readonly taint: Taint;
}

/** The person who said it, or whose reminder did. */
function findSpeaker(message: HistoryMessage): Asker | undefined {
  if (message.role === "user") return message;
  return message.role === "note" && message.of !== undefined ? { ...message.of, taint: message.taint } : undefined;
}
