import { expect, it } from "vitest";
import { changesThings } from "../../../src/core/persona/changes-things.ts";

it.each([
  "shell",
  "file_write",
  "file_delete",
  "remember",
  "remind",
  "send_file",
  "mcp__mail__send_message",
  "deploy",
  "createIssue",
])("believes that %s can have changed something", (tool) => {
  expect(changesThings(tool)).toBe(true);
});

it.each([
  "file_read",
  "web_search",
  "glob",
  "grep",
  "time",
  "list_reminders",
  "recall_memory",
  "get_user_profile",
  "mcp__mail__list_folders",
])("knows that %s only looks", (tool) => {
  expect(changesThings(tool)).toBe(false);
});
