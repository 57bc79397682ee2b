import type { ContactRequests } from "../commands/contact-requests.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { HandleEvent } from "./dispatch.ts";

/** Who asks gets no answer; the owners are told. */
export function createDispatchRequest(parts: {
  readonly requests: Pick<ContactRequests, "note">;
  readonly systemReplies: Pick<SystemReplies, "finish">;
}): HandleEvent<"request"> {
  return async (item, event) => {
    await parts.requests.note(event);
    await parts.systemReplies.finish(item);
  };
}
