import type { Kysely } from "kysely";
import type { InboundMessage, MemberLeft } from "../../channels/types.ts";
import { createOrderCalls } from "../../kernel/commands/order-calls.ts";
import type { Person } from "../../kernel/gate/types.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import type { Database } from "../../store/schema/database.ts";
import { createAskMissed } from "./ask-missed.ts";
import { createChatLog } from "./chat-log.ts";
import { createImportRequests } from "./import/import-requests.ts";
import { createLogImport } from "./import/log-import.ts";
import { createReadChatHistory } from "./import/read-chat-history.ts";
import { createLogUpkeep } from "./log-upkeep.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { chatlogWords } from "./words.ts";
import type { RepliedTurn } from "../../kernel/feature/hook-arguments.ts";
import { groupSense } from "../group-sense/group-sense.ts";
import { memory } from "../memory/memory.ts";
import type { MemoryOptions } from "../memory/memory-options.ts";
import type { ChatLogParts } from "./tools/open-log.ts";
import { chatlogTables } from "./tables.ts";

/**
 * The log of what was said in every chat, and the tools that search it: by words, by topics, by person, by meaning.
 *
 *     heard, said, ended            write it, in the transaction that keeps or queues the words
 *     amended, withdrawn, left      follow what people do with their messages
 *     start, daily                  slices of upkeep: the index, older conversations, what is older than it is kept
 *     requests                      `kurisu chatlog import`
 *     tools                         people read the chats they are in; `tools/define-log-tool.ts` is the one way
 */
export const chatlog = defineFeature({
  name: "chatlog",
  needs: { "group-sense": groupSense, memory },
  tables: chatlogTables,
  configure: (_values, files) => (files as { readonly memory: MemoryOptions }).memory,
  words: chatlogWords,
  make(kernel, options, needed) {
    const { clock, hearsAll, namesOf, smallModel, store } = kernel;
    const toolParts: ChatLogParts = {
      database: () => store.main,
      servedAs: () => options().served.person,
      spokenSince: () => Math.max(0, clock.now() - options().chatlog.seenWithin),
      smallModel,
      herNames: namesOf,
    };
    const log = createChatLog({ isOn: () => options().chatlog.enabled, clock });
    const stopping = new AbortController();
    const upkeep = createLogUpkeep({
      ...kernel,
      options: () => options().chatlog,
      stopping: stopping.signal,
    });
    const order = createOrderCalls({ store, pushToLane: (item) => kernel.gateway.pushToLane(item) });
    return {
      heard: log.hear,
      said: log.say,
      async ended(tx: Kysely<Database>, { item, outboxId: answer, tools }: RepliedTurn) {
        await log.ask(tx, { item, answer, tools });
        return [];
      },
      amended: (session: string, message: InboundMessage, person: Person) =>
        log.amend(store.main, session, message, person),
      withdrawn: (session: string, messageId: string) => log.withdraw(store.main, session, messageId),
      left: (item: InboxItem, event: MemberLeft) => log.leave(store.main, item, event),
      start: upkeep.begin,
      daily: upkeep.begin,
      async stop() {
        stopping.abort();
        await upkeep.settled();
      },
      requests: createImportRequests(createLogImport({ store, clock }), createReadChatHistory(kernel)),
      missed: createAskMissed({ order, hearsAll }),
      toolParts: { ...toolParts, hearsAll, memory: { meaning: needed.memory.meaning } },
    };
  },
  commands: [
    {
      names: ["missed"],
      menu: pickMenu(chatlogWords, "missed"),
      who: "members",
      inGroups: true,
      beginsTurn: () => true,
      answer: ({ missed }, call) => missed(call),
    },
  ],
  cli: [
    {
      name: "chatlog",
      summary: {
        zh: "把聊天导入她能搜的记录，搜索和统计",
        en: "import chats into the log that she searches, search it and count it",
        ja: "会話を検索できる記録に取り込み、検索し、数える",
      },
      load: async () => (await import("./cli/chatlog-command.ts")).chatlogCommand,
    },
  ],
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
