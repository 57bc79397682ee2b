import { wordsFor } from "../../core/words/words.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { erase } from "../erase/erase.ts";
import { openMeaning } from "./embedding/open-meaning.ts";
import type { MemoryOptions } from "./memory-options.ts";
import type { MemoryParts } from "./tools/memory-parts.ts";

/**
 * What Kurisu knows of people: facts that were told, or noticed by rules and by a model, with the messages they are from.
 *
 *     tools                  `remember`, `recall_memory`, `get_user_profile`, `list_memories`, `forget`
 *     start -> vector writer with an embedding model, memories and messages can be found by meaning, too
 */
export const memory = defineFeature({
  name: "memory",
  needs: { erase },
  environment: {},
  configure: (_values, files) => (files as { readonly memory: MemoryOptions }).memory,
  make(kernel, options, { erase: erasing }) {
    const { personaOf, scrub, store } = kernel;
    const search = openMeaning({ ...kernel, options });
    const toolParts: MemoryParts = {
      database: () => store.main,
      servedAs: () => options().served.person,
      memory: {
        personaOf,
        meaning: search.meaning,
        scrub,
        async forgetAll(asked) {
          await erasing.order(asked);
          return { begun: wordsFor(asked.language).memory.erasure.begun };
        },
      },
    };
    return {
      start: search.start,
      stop: search.stop,
      /** Search by meaning; undefined = words are compared. */
      meaning: search.meaning,
      toolParts,
    };
  },
  tools: {
    remember: async ({ toolParts }) => (await import("./tools/remember.ts")).createRememberTool(toolParts),
    recall_memory: async ({ toolParts }) =>
      (await import("./tools/recall-memory.ts")).createRecallMemoryTool(toolParts),
    get_user_profile: async ({ toolParts }) =>
      (await import("./tools/get-user-profile.ts")).createGetUserProfileTool(toolParts),
    list_memories: async ({ toolParts }) =>
      (await import("./tools/list-memories.ts")).createListMemoriesTool(toolParts),
    forget: async ({ toolParts }) => (await import("./tools/forget.ts")).createForgetTool(toolParts),
  },
});
