import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ChatCommand } from "../../src/kernel/commands/command-info.ts";
import { createCompleteLine, type CompleteLine } from "../../src/kernel/socket/complete-line.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const session = "cli:local:main";
const text = { menu: "The lamp" };
const lamp: ChatCommand = {
  names: ["lamp"],
  menu: { zh: text, en: text, ja: text },
  who: "everybody",
  answer: () => undefined,
  complete: (id, words) => Promise.resolve([`${id}:${words.join(",")}`, String(words.length)]),
};
let complete: CompleteLine;
beforeEach(async () => {
  const workspace = createWorkspace({ root: await createTemporaryFolder() });
  const folder = await workspace.folderFor(session);
  mkdirSync(join(folder, "notes", "old"), { recursive: true });
  for (const name of ["notes.txt", "notes/a.md", "notes/old/b.md"]) writeFileSync(join(folder, name), "x");
  complete = createCompleteLine({ workspace, features: [{ commands: [lamp] }] });
});

test("completes commands at the beginning of a line, and nothing else of what is said", async () => {
  expect(await complete("main", "/sto")).toEqual(["/stop"]);
  expect(await complete("main", "/")).toEqual(expect.arrayContaining(["/help", "/stop", "/plan", "/lamp"]));
  for (const line of ["", "sto", "说 /sto", "/nothing "]) expect(await complete("main", line)).toEqual([]);
});

test("a feature completes the words that follow its own command, and is asked about no other", async () => {
  expect(await complete("main", "/lamp ")).toEqual(["cli:local:main:", "1"]);
  expect(await complete("main", "/lamp on cl")).toEqual(["cli:local:main:on,cl"]);
  expect(await complete("main", "/lamps ")).toEqual([]);
});

test("completes paths of the workspace, one folder at a time, and nothing outside of it", async () => {
  expect(await complete("main", "/plan no")).toEqual(["notes/", "notes.txt"]);
  expect(await complete("main", "/plan notes.txt notes/")).toEqual(["notes/a.md", "notes/old/"]);
  for (const path of ["../", "/etc/", "notes/../../"]) expect(await complete("main", `/plan ${path}`)).toEqual([]);
});
