/** Names that other agents use for the same tools. Configuration and skills may use them. */
const aliases: Readonly<Record<string, string>> = {
  Bash: "shell",
  ReadFile: "file_read",
  WriteFile: "file_write",
  StrReplaceFile: "file_edit",
  PatchFile: "file_patch",
  Glob: "glob",
  Grep: "grep",
  SearchWeb: "web_search",
  FetchURL: "fetch",
  web_fetch: "fetch",
  Think: "think",
  SetTodoList: "todo",
  Task: "task",
  SendDMail: "dmail",
};

/** Our name of a tool; other names and patterns stay unchanged. */
export function resolveAlias(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** The other names of a built-in tool. */
export function listAliases(tool: string): readonly string[] {
  return Object.keys(aliases).filter((alias) => aliases[alias] === tool);
}
