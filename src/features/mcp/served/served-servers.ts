/** A tool as a served MCP server names it. */
export interface ServedName {
  readonly name: string;
  /** Our name of it. */
  readonly tool: string;
}

const same = (...tools: readonly string[]): readonly ServedName[] => tools.map((tool) => ({ name: tool, tool }));

/** The tools that `kurisu mcp serve NAME` offers. Names as in docs/tools.md, classic ones where other agents know a tool by them. */
const servers = {
  web: [...same("web_search"), { name: "web_fetch", tool: "fetch" }],
  time: same("time"),
  memory: same("remember", "recall_memory", "get_user_profile", "list_memories", "forget"),
  chatlog: same(
    "get_chatlog_stats",
    "search_person",
    "list_topics",
    "search_by_topics",
    "search_by_keywords",
    "load_messages",
    "expand_query",
    "search_semantic",
    "filter_by_person",
    "format_messages",
  ),
  files: same("file_read", "file_write", "file_edit", "file_patch", "file_delete", "glob", "grep"),
} as const satisfies Readonly<Record<string, readonly ServedName[]>>;

export const servedServers: readonly string[] = [...Object.keys(servers), "all"];

/** Returns undefined if there is no such server. */
export function findServedNames(server: string): readonly ServedName[] | undefined {
  if (server === "all") return Object.values(servers).flat();
  return Object.hasOwn(servers, server) ? servers[server as keyof typeof servers] : undefined;
}
