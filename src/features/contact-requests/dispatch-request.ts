import type { ContactRequests } from "./contact-requests.ts";
import type { SystemReplies } from "../../kernel/outbox/system-replies.ts";
import type { HandleEvent } from "../../kernel/inbox/dispatch.ts";

/** The owners are told; the person who asks gets no answer. */
export function createDispatchRequest(parts: {
  readonly requests: Pick<ContactRequests, "note">;
  readonly systemReplies: Pick<SystemReplies, "finish">;
}): HandleEvent<"request"> {
  return async (item, event) => {
    await parts.requests.note(event);
    await parts.systemReplies.finish(item);
  };
}
