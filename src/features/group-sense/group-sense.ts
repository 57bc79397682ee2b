import type { Kysely } from "kysely";
import type { Limits } from "../../kernel/inbox/limit-options.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { groupSenseWords } from "./words.ts";
import type { HeardMessage } from "../../kernel/feature/hook-arguments.ts";
import type { Database } from "../../store/schema/database.ts";
import { createAttention } from "./attention.ts";
import { createNoteReaction } from "./note-reaction.ts";
import { toOverheard } from "./overhear.ts";
import { dropOverheard, forgetOverheard, overheardLimits, saveOverheard } from "./queries/overheard.ts";
import { dropReactions } from "./queries/reactions.ts";
import { createTurnNotes } from "./turn-notes.ts";
import { groupSenseTables } from "./tables.ts";

/**
 * How Kurisu takes part in a chat: she knows which words of a group are meant for her, overhears the others, sees
 * reactions to what she said, and ends reply loops with bots. No model is asked.
 *
 *     isForHer               her name, the reply to what she just said, a question to the whole group
 *     leavesUnanswered       ends reply loops with bots
 *     heard                  keeps overheard words for a while: `overheard`
 *     events.reaction        keeps a reaction until her next turn there: `reactions`
 *     notes                  adds both to the prompt, before the message of a turn
 *     withdrawn, startedOver forget them
 *
 * Without it she answers in groups when she is mentioned, or answers everything if `answerAll` says so.
 */
export const groupSense = defineFeature({
  name: "group-sense",
  tables: groupSenseTables,
  configure: (_values, files) => (files as { readonly channels: { readonly limits: Limits } }).channels.limits,
  words: groupSenseWords,
  make(kernel, limits) {
    const { store } = kernel;
    const attention = createAttention({ ...kernel, limits });
    return {
      ...attention,
      async heard(tx: Kysely<Database>, { item, message, person, turn }: HeardMessage) {
        if (turn !== undefined) return;
        const now = kernel.clock.now();
        const kept = toOverheard(message, person, now);
        if (kept === undefined) return;
        const keep = { most: overheardLimits.kept, since: now - overheardLimits.ageMs };
        await saveOverheard(tx, item.session, kept, keep);
      },
      events: {
        reaction: createNoteReaction({
          ...kernel,
          identify: (event) => kernel.gateway.identify(event),
          isGroupOpen: (session) => kernel.gateway.isGroupOpen(session),
        }),
      },
      notes: createTurnNotes(kernel),
      withdrawn: (session: string, messageId: string) => forgetOverheard(store.main, session, messageId),
      async startedOver(session: string) {
        await dropOverheard(store.main, session);
        await dropReactions(store.main, session);
      },
    };
  },
});
