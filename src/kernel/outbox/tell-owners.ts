import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { findPrivateSession } from "../../store/queries/sessions.ts";
import { listOwners } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import type { Said, SystemReplies } from "./system-replies.ts";

/**
 * Sends a text to every owner who has ever written in private, and returns the number of chats. Each id is sent once.
 */
export type TellOwners = (id: string, text: (words: Words, language: Language) => Said) => Promise<number>;

export function createTellOwners(parts: {
  readonly store: Pick<Store, "main">;
  readonly systemReplies: Pick<SystemReplies, "tell">;
  /** The configured owners, as `platform:user`. */
  readonly owners: readonly string[];
}): TellOwners {
  const { store, systemReplies } = parts;
  return async (id, text) => {
    const people = new Set([...parts.owners, "cli:owner", consoleOwner, ...(await listOwners(store.main))]);
    const sessions = new Set<string>();
    for (const person of people) {
      const [platform = "", ...user] = person.split(":");
      const session = await findPrivateSession(store.main, platform, user.join(":"));
      if (session !== undefined) sessions.add(session);
    }
    for (const session of sessions) await systemReplies.tell(`${id}.${session}`, session, text);
    return sessions.size;
  };
}
