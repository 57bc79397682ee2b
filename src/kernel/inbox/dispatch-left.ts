import type { Store } from "../../store/open-store.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { ChatLog } from "../../features/chatlog/chat-log.ts";
import type { HandleEvent } from "./dispatch.ts";

/** Somebody is no member of a group any more: they no longer read its log from elsewhere. What they asked there goes on. */
export function createDispatchLeft(parts: {
  readonly store: Store;
  readonly chatLog: Pick<ChatLog, "leave">;
  readonly systemReplies: Pick<SystemReplies, "finish">;
}): HandleEvent<"left"> {
  return async (item, event) => {
    await parts.chatLog.leave(parts.store.main, item, event);
    await parts.systemReplies.finish(item);
  };
}
