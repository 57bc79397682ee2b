import { toToolPattern } from "./tool-pattern.ts";
import type { ToolLevel } from "./types.ts";

/** Tools by level, as names or patterns. */
type Permissions = Readonly<Record<ToolLevel, readonly string[]>>;

/** What reads is safe, what has an effect is confirm. */
const defaultPermissions: Permissions = {
  safe: [
    "time",
    "think",
    "todo",
    "file_read",
    "glob",
    "grep",
    "web_search",
    "fetch",
    "screenshot",
    "task",
    "dmail",
    "find_skill",
    "remind",
    "remember",
    "recall_memory",
    "get_user_profile",
    "list_memories",
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
  ],
  confirm: ["shell", "file_write", "file_edit", "file_patch", "file_delete", "send_file", "browser", "forget"],
  deny: [],
};

/**
 * The lists that count: a written list replaces its default, and a tool that a written list or a rule names leaves the
 * defaults of the other lists. So one rule is enough to move one tool, and nothing is in force that nobody reads.
 */
export function chooseLevels(
  written: { readonly [Level in ToolLevel]?: readonly string[] },
  rules: readonly { readonly tool: string }[],
): Permissions {
  const named = [...Object.values(written).flat(), ...rules.map(({ tool }) => tool)].map(toToolPattern);
  const rest = (level: ToolLevel): readonly string[] =>
    defaultPermissions[level].filter((tool) => !named.some((pattern) => pattern.test(tool)));
  return {
    safe: written.safe ?? rest("safe"),
    confirm: written.confirm ?? rest("confirm"),
    deny: written.deny ?? rest("deny"),
  };
}
