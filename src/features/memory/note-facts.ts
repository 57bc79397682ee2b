import type { Kysely } from "kysely";
import type { InboundMessage } from "../../channels/types.ts";
import type { Language, Taint } from "../../core/conversation.ts";
import { mayCorrect, readCorrection } from "../../language/facts/read-correction.ts";
import { readPlainFacts } from "../../language/facts/read-plain-facts.ts";
import type { MemoryOptions } from "./memory-options.ts";
import { remember } from "./people/remember.ts";
import { findMemoryScope, type MemoryScope } from "./scope.ts";
import type { Person } from "../../kernel/gate/types.ts";
import { countMessage } from "./queries/acquaintances.ts";
import { noteFactSource, type FactSpeaker } from "./queries/fact-sources.ts";
import { listActive, type Memory } from "./queries/memories.ts";
import { findSaidSource } from "./queries/memory-sources.ts";
import type { Database } from "../../store/schema/database.ts";

/** The settings for keeping memories. */
export interface MemoryKeeping {
  /** The id of the persona that speaks in a session, as of now. */
  readonly personaOf: (session: string) => string;
  readonly options: () => MemoryOptions;
  /** Takes known secrets out of a text. */
  readonly scrub: (text: string) => string;
}

/** Her confidence in facts that she noticed without being asked to remember them. */
const noticed = 0.8;
/** How far back a correction may refer. */
const justMs = 10 * 60_000;
const maxTold = 5;

/** Memories of what this account has said here in the last minutes, newest first. */
async function listJustTold(tx: Kysely<Database>, scope: MemoryScope, now: number): Promise<readonly Memory[]> {
  const rows = { accounts: [scope.account], place: "", persona: scope.persona };
  const newest = await listActive(tx, rows, { most: maxTold });
  return newest.filter(({ place, validFrom }) => place === scope.place && validFrom >= now - justMs);
}

/**
 * Counts the message for the acquaintance, and keeps what the speaker plainly says about themself, in the transaction
 * that stores their message: exactly once, even after a crash.
 */
export type NoteFacts = (
  tx: Kysely<Database>,
  said: {
    readonly message: Pick<
      InboundMessage,
      "chatKind" | "forwarded" | "messageId" | "ordered" | "sender" | "text" | "viaBot"
    >;
    readonly person: Person;
    readonly session: string;
    /** The label of the message. */
    readonly taint: Taint;
    /** The label of the turn that it begins or goes into. */
    readonly turnTaint: Taint;
    readonly language: Language;
    readonly now: number;
  },
) => Promise<void>;

export function createNoteFacts({
  isOffline,
  onDue,
  options,
  personaOf,
  scrub,
}: MemoryKeeping & {
  /** No model is there but the built-in one that follows rules. */
  readonly isOffline: () => boolean;
  /** Called when enough of the speaker's messages wait for a model. */
  readonly onDue: (speaker: FactSpeaker) => void;
}): NoteFacts {
  /**
   * Queues the words of a speaker whose turn has read nothing untrusted, for a model to read later together with those
   * around them.
   */
  async function leaveForModel(tx: Kysely<Database>, speaker: FactSpeaker, messageId: string): Promise<void> {
    const { messages, quiet } = options().extract;
    const noted = await noteFactSource(tx, speaker, messageId);
    if (noted === undefined) return;
    // Messages that no model could read are tried again after as many more.
    if (noted.waiting % messages === 0 || noted.quietMs >= quiet) onDue(speaker);
  }

  return async (tx, { language, message, now, person, session, taint, turnTaint }) => {
    const { chatKind, forwarded, ordered, sender, text, viaBot } = message;
    if (person.role === "guest" || sender.kind === "bot" || ordered) return;
    const persona = personaOf(session);
    await countMessage(tx, { person: person.id, name: person.name, persona, language, now });
    if (!options().extract.enabled || taint === "untrusted" || forwarded || viaBot) return;
    const isClean = turnTaint === "owner" || turnTaint === "user";
    if (options().extract.model && isClean && text.trim() !== "" && !isOffline())
      await leaveForModel(tx, { session, person: person.id, persona }, message.messageId);
    const facts = readPlainFacts(text);
    if (facts.length === 0 && !mayCorrect(text)) return;
    const scope = await findMemoryScope(tx, { person, session, chatKind, persona });
    const sourceLog = await findSaidSource(tx, session, message.messageId);
    const told = facts.length > 0 ? [] : await listJustTold(tx, scope, now);
    const correction = readCorrection(text, told);
    const ends = correction?.ends && [correction.ends.id];
    for (const fact of correction === undefined ? facts : [correction.fact])
      await remember(tx, scope, { ...fact, origin: "said", confidence: noticed, sourceLog, taint, now, ends }, scrub);
  };
}
