import { EventEmitter } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { Interface } from "node:readline";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createInputHistory, maxKept } from "../../src/cli/terminal/input-history.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

async function openHistory(user = "owner") {
  const home = await createTemporaryFolder();
  const faults: unknown[] = [];
  const history = createInputHistory({
    home,
    user,
    secrets: ["hunter2hunter2"],
    onFault: (error) => faults.push(error),
  });
  return { home, file: join(home, "history", `${user}.txt`), history, faults };
}

test("a long history is cut to its end, newest first, each line once", async () => {
  const { file, history, faults } = await openHistory();
  expect(await history.load()).toEqual([]);
  mkdirSync(join(file, ".."));
  const lines = Array.from({ length: 2 * maxKept + 1 }, (_, index) => `line ${index}`);
  writeFileSync(file, `${lines.join("\n")}\nline 7\n`, { mode: 0o644 });
  const loaded = await history.load();
  expect(loaded).toHaveLength(maxKept);
  expect(loaded.slice(0, 2)).toEqual(["line 7", `line ${2 * maxKept}`]);
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(maxKept);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(faults).toEqual([]);
});

test("the arrow keys hold nothing that must not be kept", async () => {
  const { file, history } = await openHistory();
  const lines = new EventEmitter();
  history.follow(lines as unknown as Interface);
  const typed: string[] = [];
  const type = (line: string) => {
    typed.unshift(line);
    lines.emit("history", typed);
  };
  const refused = ["确认", "yes", "取消 K7", "key hunter2hunter2", " private", "/pair 8QJ4-M2XT", "x".repeat(1_001)];
  for (const line of ["first", ...refused, "确认一下时间"]) type(line);
  await history.settled();
  expect(typed).toEqual(["确认一下时间", "first"]);
  expect(readFileSync(file, "utf8")).toBe("first\n确认一下时间\n");
});

test("each person has a file inside of the folder, and one that cannot be written is told, not thrown", async () => {
  const { file, history, faults, home } = await openHistory("..");
  writeFileSync(join(home, "history"), "in the way");
  const lines = new EventEmitter();
  history.follow(lines as unknown as Interface);
  lines.emit("history", ["one"]);
  await history.settled();
  expect(faults).toHaveLength(1);
  expect(file.startsWith(join(home, "history", "..."))).toBe(true);
});
