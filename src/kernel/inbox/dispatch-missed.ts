import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";
import type { HandleEvent } from "./dispatch.ts";

/**
 * Reports a gap in the history that cannot be filled, once: to the person in a private chat, to the owners for a group.
 */
export function createDispatchMissed(parts: {
  readonly store: Store;
  readonly systemReplies: Pick<SystemReplies, "finish" | "tell">;
  readonly tellOwners: TellOwners;
}): HandleEvent<"missed"> {
  const { store, systemReplies, tellOwners } = parts;
  return async (item, { address }) => {
    const session = await findSession(store.main, item.session);
    if (session?.chat_kind === "private") {
      await systemReplies.tell(`${item.id}.missed`, item.session, ({ missed }) => missed.here);
    } else {
      const chat = `${address.platform}:${address.chat}`;
      await tellOwners(`${item.id}.missed`, ({ missed }) => missed.there(chat));
    }
    await systemReplies.finish(item);
  };
}
