import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { features } from "../../src/assembly/features.ts";
import { listCommands } from "../../src/gateway/commands/command-table.ts";
import { createCompleteLine, type CompleteLine } from "../../src/gateway/intake/complete-line.ts";
import type { SkillInSession } from "../../src/skills/skill-state.ts";
import type { Store } from "../../src/store/open-store.ts";
import { appendPoint } from "../../src/store/queries/messages.ts";
import { forkBranch } from "../../src/features/worldlines/branches.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

const session = "cli:local:main";
let store: Store;
let complete: CompleteLine;
beforeEach(async () => {
  store = await createTestStore();
  await addSession(store, session);
  const workspace = createWorkspace({ root: await createTemporaryFolder() });
  const folder = await workspace.folderFor(session);
  mkdirSync(join(folder, "notes", "old"), { recursive: true });
  for (const name of ["notes.txt", "notes/a.md", "notes/old/b.md"]) writeFileSync(join(folder, name), "x");
  const list = () => Promise.resolve([{ skill: { id: "weather" } }, { skill: { id: "web" } }] as SkillInSession[]);
  complete = createCompleteLine({ store, skills: { list }, workspace, commands: listCommands(features) });
});

test("completes commands at the beginning of a line, and nothing else of what is said", async () => {
  expect(await complete("main", "/wor")).toEqual(["/worldline"]);
  expect(await complete("main", "/")).toEqual(expect.arrayContaining(["/help", "/stop", "/plan"]));
  for (const line of ["", "wor", "说 /wor", "/nothing "]) expect(await complete("main", line)).toEqual([]);
});

test("completes the numbers of points and world lines", async () => {
  expect(await complete("nobody", "/dmail ")).toEqual([]);
  expect(await complete("nobody", "/worldline ")).toEqual([]);
  const said = { role: "user", text: "在吗", senderId: "cli:owner", senderName: "owner" } as const;
  for (const now of [1, 2])
    await store.main
      .transaction()
      .execute((tx) => appendPoint(tx, { session, turn: null, taint: "owner", message: said, now }));
  expect(await complete("main", "/dmail ")).toEqual(["0", "1"]);
  expect(await complete("main", "/dmail 1 换")).toEqual([]);
  await store.main.transaction().execute((tx) => forkBranch(tx, session, { position: 1, point: 0, now: 3 }));
  expect((await complete("main", "/worldline ")).toSorted()).toEqual(["1", "2"]);
});

test("completes skills after what is to be done with them", async () => {
  expect(await complete("main", "/skills o")).toEqual(["on", "off"]);
  expect(await complete("main", "/skills off we")).toEqual(["weather", "web"]);
  expect(await complete("main", "/skills eat we")).toEqual([]);
});

test("completes paths of the workspace, one folder at a time, and nothing outside of it", async () => {
  expect(await complete("main", "/plan no")).toEqual(["notes/", "notes.txt"]);
  expect(await complete("main", "/plan notes.txt notes/")).toEqual(["notes/a.md", "notes/old/"]);
  for (const path of ["../", "/etc/", "notes/../../"]) expect(await complete("main", `/plan ${path}`)).toEqual([]);
});
