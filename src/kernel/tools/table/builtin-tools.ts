import type { Kysely } from "kysely";
import type { Language } from "../../../core/conversation.ts";
import type { ScheduleLimits } from "../../../core/schedule/schedule-options.ts";
import type { Models } from "../../../models/types.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { Browser } from "../../../web/browser/open-page.ts";
import type { GuardedFetch } from "../../../web/guarded-fetch.ts";
import { resolveAlias } from "../../gate/tool-aliases.ts";
import type { KnownContents } from "../../../workspace/known-contents.ts";
import type { Workspace } from "../../../workspace/types.ts";
import type { Sandbox } from "../../../sandbox/types.ts";
import type { SearchThreads } from "../../../features/work-tools/search-thread.ts";
import type { FileDelivery } from "../../../features/work-tools/send-file.ts";
import type { listSearchEngines } from "../../../features/work-tools/web-search.ts";
import type { MemoryParts } from "../../../features/memory/tools/memory-parts.ts";
import type { FollowedCommands } from "../../../features/work-tools/followed-commands.ts";
import type { ToolOptions } from "../tool-options.ts";
import type { Tool } from "../types.ts";

/** The parts of the tools of `builtin/`. */
export interface BuiltinParts {
  readonly sandbox: Sandbox;
  /** Commands that go on after the call that began them. */
  readonly followed: FollowedCommands;
  readonly workspace: Workspace;
  readonly contents: KnownContents;
  readonly browser: Browser;
  readonly delivery: FileDelivery;
  readonly database: () => Kysely<Database>;
  readonly guardedFetch: GuardedFetch;
  readonly threads: SearchThreads;
  /** IANA time zone of people who named none. */
  readonly zone: string;
  /** Seconds that a command may take when its call does not say. */
  readonly defaultTimeoutSeconds: number;
  /** Addresses and keys of the search engines. */
  readonly search: Parameters<typeof listSearchEngines>[0];
  /** What people may set, as of now; `onChange` = something may be due sooner than was known. */
  readonly reminders: { readonly limits: () => ScheduleLimits; readonly onChange: () => void };
  readonly memory: MemoryParts["memory"];
  /** Whose chats other agents see over MCP; empty = nobody's. */
  readonly servedAs: () => string;
  /** In private a group's log is read by those who spoke there since then, milliseconds since 1970. */
  readonly spokenSince: () => number;
  /** The names she goes by, the first in the language. */
  readonly herNames: (session: string, language: Language) => readonly string[];
  /** The models of the tier small, within the limits of whoever pays. */
  readonly smallModel: () => Models;
  /** Whether she hears what people of a platform's groups say to each other, as of now. */
  readonly hearsAll: (platform: string) => boolean;
}

/** A tool of any input. */
export type MadeTool = Pick<Tool<never>, "name" | "run">;

type MakeTool = (parts: BuiltinParts, options: ToolOptions) => Promise<MadeTool>;

/** Every tool of `builtin/`, one row each. A module is imported when its tool is made, and one that is excluded never. */
export const builtinTools = {
  time: async ({ zone }) => (await import("../builtin/time.ts")).createTimeTool({ defaultZone: zone }),
  shell: async (parts, { maxTimeout, followTimeout }) =>
    (await import("../../../features/work-tools/shell.ts")).createShellTool({
      ...parts,
      ...(followTimeout !== undefined && { followMs: followTimeout }),
      ...(maxTimeout !== undefined && { maximumTimeoutSeconds: maxTimeout / 1000 }),
    }),
  shell_output: async (parts) =>
    (await import("../../../features/work-tools/shell-output.ts")).createShellOutputTool(parts),
  file_read: async (parts, options) =>
    (await import("../../../features/work-tools/file-read.ts")).createFileReadTool({ ...options, ...parts }),
  file_write: async (parts) =>
    (await import("../../../features/work-tools/file-write.ts")).createFileWriteTool(withImage(parts)),
  file_edit: async (parts) =>
    (await import("../../../features/work-tools/file-edit.ts")).createFileEditTool(withImage(parts)),
  file_patch: async (parts) =>
    (await import("../../../features/work-tools/file-patch.ts")).createFilePatchTool(withImage(parts)),
  file_delete: async (parts) =>
    (await import("../../../features/work-tools/file-delete.ts")).createFileDeleteTool(parts),
  glob: async (parts, options) =>
    (await import("../../../features/work-tools/glob.ts")).createGlobTool({ ...options, ...parts }),
  grep: async (parts, options) =>
    (await import("../../../features/work-tools/grep.ts")).createGrepTool({ ...options, ...parts }),
  fetch: async ({ guardedFetch }, options) =>
    (await import("../../../features/work-tools/fetch.ts")).createFetchTool({ ...options, guardedFetch }),
  web_search: async ({ search }, options) => {
    const { createWebSearchTool, listSearchEngines } = await import("../../../features/work-tools/web-search.ts");
    return createWebSearchTool({ ...options, engines: listSearchEngines(search, options.engines) });
  },
  screenshot: async ({ browser }, options) =>
    (await import("../../../features/work-tools/screenshot.ts")).createScreenshotTool({ ...options, browser }),
  browser: async ({ browser }) =>
    (await import("../../../features/work-tools/browser.ts")).createBrowserTool({ browser }),
  think: async () => (await import("../builtin/think.ts")).createThinkTool(),
  todo: async ({ database }) => (await import("../builtin/todo.ts")).createTodoTool({ database }),
  remind: async (parts) => (await import("../../../features/reminders/tools/remind.ts")).createRemindTool(parts),
  list_reminders: async (parts) =>
    (await import("../../../features/reminders/tools/list-reminders.ts")).createListRemindersTool(parts),
  cancel_reminder: async (parts) =>
    (await import("../../../features/reminders/tools/cancel-reminder.ts")).createCancelReminderTool(parts),
  list_missed: async (parts) =>
    (await import("../../../features/chatlog/tools/list-missed.ts")).createListMissedTool(parts),
  remember: async (parts) => (await import("../../../features/memory/tools/remember.ts")).createRememberTool(parts),
  recall_memory: async (parts) =>
    (await import("../../../features/memory/tools/recall-memory.ts")).createRecallMemoryTool(parts),
  get_user_profile: async (parts) =>
    (await import("../../../features/memory/tools/get-user-profile.ts")).createGetUserProfileTool(parts),
  list_memories: async (parts) =>
    (await import("../../../features/memory/tools/list-memories.ts")).createListMemoriesTool(parts),
  forget: async (parts) => (await import("../../../features/memory/tools/forget.ts")).createForgetTool(parts),
  get_chatlog_stats: async (parts) =>
    (await import("../../../features/chatlog/tools/get-chatlog-stats.ts")).createGetChatlogStatsTool(parts),
  search_person: async (parts) =>
    (await import("../../../features/chatlog/tools/search-person.ts")).createSearchPersonTool(parts),
  list_topics: async (parts) =>
    (await import("../../../features/chatlog/tools/list-topics.ts")).createListTopicsTool(parts),
  search_by_topics: async (parts) =>
    (await import("../../../features/chatlog/tools/search-by-topics.ts")).createSearchByTopicsTool(parts),
  search_by_keywords: async (parts) =>
    (await import("../../../features/chatlog/tools/search-by-keywords.ts")).createSearchByKeywordsTool(parts),
  load_messages: async (parts) =>
    (await import("../../../features/chatlog/tools/load-messages.ts")).createLoadMessagesTool(parts),
  expand_query: async (parts) =>
    (await import("../../../features/chatlog/tools/expand-query.ts")).createExpandQueryTool(parts),
  search_semantic: async (parts) =>
    (await import("../../../features/chatlog/tools/search-semantic.ts")).createSearchSemanticTool(parts),
  filter_by_person: async (parts) =>
    (await import("../../../features/chatlog/tools/filter-by-person.ts")).createFilterByPersonTool(parts),
  format_messages: async (parts) =>
    (await import("../../../features/chatlog/tools/format-messages.ts")).createFormatMessagesTool(parts),
  send_file: async (parts, options) =>
    (await import("../../../features/work-tools/send-file.ts")).createSendFileTool({ ...options, ...parts }),
} as const satisfies Readonly<Record<string, MakeTool>>;

export type BuiltinName = keyof typeof builtinTools;

/** Another tool may stand in for each, and there may be a second of its kind. */
export const builtinNames = Object.keys(builtinTools) as [BuiltinName, ...BuiltinName[]];

/** Names of our tools that live in other rooms; tests/kernel/tools/reserved-names.test.ts holds them to the tool table. */
const reserved =
  /^(?:task|dmail|find_skill|find_tool|skill_file|use_skill|write_skill|find_extension|import_card|install_extension|use_tool|mcp_read|mcp_resources)$/;

/** Names that no file, no request and no second tool may take: ours, those we also answer to, and those of MCP servers. */
export function isOurName(name: string): boolean {
  const ours = resolveAlias(name);
  return ours !== name || isBuiltinName(name) || reserved.test(name) || name.startsWith("mcp__");
}

export const isBuiltinName = (name: string): name is BuiltinName => Object.hasOwn(builtinTools, name);

/** The programs of the sandbox's image write the file, so an approval counts for that image alone. */
function withImage<Parts extends Pick<BuiltinParts, "sandbox">>(parts: Parts) {
  return { ...parts, runsIn: (session: string) => parts.sandbox.findImage(session) };
}
