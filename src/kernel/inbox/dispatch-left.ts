import type { SystemReplies } from "../outbox/system-replies.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { HandleEvent } from "./dispatch.ts";

/** A person left a group. Work that they requested there continues. */
export function createDispatchLeft(parts: {
  readonly hooks: Pick<CallHooks, "left">;
  readonly systemReplies: Pick<SystemReplies, "finish">;
}): HandleEvent<"left"> {
  return async (item, event) => {
    await parts.hooks.left(item, event);
    await parts.systemReplies.finish(item);
  };
}
