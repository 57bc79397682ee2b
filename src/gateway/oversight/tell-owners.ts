import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { listPrivateChats } from "../../store/queries/owner-chats.ts";
import type { Store } from "../../store/open-store.ts";
import { toAddress } from "../approvals/parked-turns.ts";
import { queueMessage, type Outbox } from "../outbox.ts";

/** The same id is said once, also after a restart. */
export type TellOwners = (id: string, text: (words: Words) => string) => Promise<void>;

export function createTellOwners(parts: {
  readonly store: Pick<Store, "main">;
  readonly outbox: Outbox;
  /** Of the configuration; those who paired are in the store. */
  readonly owners: readonly string[];
  readonly clock: Clock;
}): TellOwners {
  const { store, outbox, clock } = parts;
  return async (id, text) => {
    for (const session of await listPrivateChats(store.main, parts.owners)) {
      const words = text(wordsFor(session.language as Language));
      const notice = { id: `${id}:${session.id}`, kind: "notice", text: words, plain: true } as const;
      await queueMessage(store.main, { ...notice, address: toAddress(session) }, clock.now());
      outbox.wake(session.id);
    }
  };
}
