import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { memory } from "../memory/memory.ts";
import type { MemoryOptions } from "../memory/memory-options.ts";
import type { ChatLogParts } from "./tools/open-log.ts";

/**
 * The log of what was said in every chat, and the tools that search it: by words, by topics, by person, by meaning. People read the
 * chats they are in; `tools/open-log.ts` is the one way to it.
 */
export const chatlog = defineFeature({
  name: "chatlog",
  needs: { memory },
  environment: {},
  configure: (_values, files) => (files as { readonly memory: MemoryOptions }).memory,
  make(kernel, options, needed) {
    const { clock, hearsAll, namesOf, smallModel, store } = kernel;
    const toolParts: ChatLogParts = {
      database: () => store.main,
      servedAs: () => options().served.person,
      spokenSince: () => Math.max(0, clock.now() - options().chatlog.seenWithin),
      smallModel,
      herNames: namesOf,
    };
    return { toolParts: { ...toolParts, hearsAll, memory: { meaning: needed.memory.meaning } } };
  },
  tools: {
    list_missed: async ({ toolParts }) => (await import("./tools/list-missed.ts")).createListMissedTool(toolParts),
    get_chatlog_stats: async ({ toolParts }) =>
      (await import("./tools/get-chatlog-stats.ts")).createGetChatlogStatsTool(toolParts),
    search_person: async ({ toolParts }) =>
      (await import("./tools/search-person.ts")).createSearchPersonTool(toolParts),
    list_topics: async ({ toolParts }) => (await import("./tools/list-topics.ts")).createListTopicsTool(toolParts),
    search_by_topics: async ({ toolParts }) =>
      (await import("./tools/search-by-topics.ts")).createSearchByTopicsTool(toolParts),
    search_by_keywords: async ({ toolParts }) =>
      (await import("./tools/search-by-keywords.ts")).createSearchByKeywordsTool(toolParts),
    load_messages: async ({ toolParts }) =>
      (await import("./tools/load-messages.ts")).createLoadMessagesTool(toolParts),
    expand_query: async ({ toolParts }) => (await import("./tools/expand-query.ts")).createExpandQueryTool(toolParts),
    search_semantic: async ({ toolParts }) =>
      (await import("./tools/search-semantic.ts")).createSearchSemanticTool(toolParts),
    filter_by_person: async ({ toolParts }) =>
      (await import("./tools/filter-by-person.ts")).createFilterByPersonTool(toolParts),
    format_messages: async ({ toolParts }) =>
      (await import("./tools/format-messages.ts")).createFormatMessagesTool(toolParts),
  },
});
