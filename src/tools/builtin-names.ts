/** The tools of `builtin/`: another may stand in for each, and there may be a second of its kind. A test compares. */
export const builtinNames = [
  "browser",
  "fetch",
  "file_delete",
  "file_edit",
  "file_patch",
  "file_read",
  "file_write",
  "glob",
  "grep",
  "screenshot",
  "send_file",
  "shell",
  "think",
  "time",
  "todo",
  "web_search",
] as const;

export type BuiltinName = (typeof builtinNames)[number];
