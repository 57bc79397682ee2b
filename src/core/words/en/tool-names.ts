import type { Words } from "../dictionary.ts";

export const toolNames: Words["toolNames"] = {
  file_read: "read",
  file_write: "write",
  file_edit: "edit",
  file_patch: "edit",
  file_delete: "delete",
  glob: "find files",
  grep: "search files",
  send_file: "send",
  fetch: "open",
  web_search: "search the web",
  screenshot: "screenshot",
  browser: "browser",
  time: "time",
  think: "think",
  todo: "to-do list",
  shell: "shell",
  shell_output: "output",
  task: "sub-agent",
  find_skill: "find a skill",
  use_skill: "use a skill",
};
