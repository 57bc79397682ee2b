import type { ContactRequestEvent } from "../../channels/types.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { requestWords } from "./words.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { createAnswerRequests } from "./answer-requests.ts";
import { createRequestBook } from "./request-book.ts";
import { listOpenContactRequests } from "./queries/contact-requests.ts";
import { contactRequestTables } from "./tables.ts";

/**
 * Requests of people to be friends, to join a group, or to have Kurisu in one. Without an owner's answer nothing
 * happens.
 *
 *     events.request        writes a row of `contact_requests` and notifies the owners; the person who asks gets no answer
 *     take                  「同意 F123」 of an owner in private
 *     pressed               the two buttons below the owners' notice
 *     /requests             lists those that are open, or answers one
 *     start, stop           ends those that have expired, from the start on
 *
 * An answer is acted on once: `request-book.ts` has the states.
 */
export const contactRequests = defineFeature({
  name: "contact-requests",
  tables: contactRequestTables,
  words: requestWords,
  make(kernel) {
    const requests = createRequestBook(kernel);
    const answers = createAnswerRequests({
      ...kernel,
      requests,
      identify: (event) => kernel.gateway.identify(event),
    });
    return {
      strangers: { answer: requests.answer, list: () => listOpenContactRequests(kernel.store.main) },
      events: {
        async request(item: InboxItem, event: ContactRequestEvent) {
          await requests.note(event);
          await kernel.systemReplies.finish(item);
        },
      },
      take: answers.take,
      pressed: answers.pressed,
      command: answers.command,
      start: () => void requests.watch(),
      stop: requests.stop,
    };
  },
  commands: [
    {
      names: ["requests"],
      menu: pickMenu(requestWords, "requests"),
      who: "owners",
      answer: (made, call) => made.command(call),
    },
  ],
});
