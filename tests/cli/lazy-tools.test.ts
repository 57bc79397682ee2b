// full: starts the program
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigFolder } from "../support/config-folder.ts";
import { patienceMs } from "../support/patience.ts";

const hook = fileURLToPath(new URL("../support/tell-tool-imports.ts", import.meta.url));
const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

/** Runs the program itself; answers what it said and the names of the modules of tools that it imported. */
async function run(...given: readonly string[]): Promise<{ readonly out: string; readonly imported: string[] }> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", hook, main, ...given], {
    cwd: folder.path,
    env: { KURISU_HOME: `${folder.path}/data` },
    timeout: patienceMs,
  });
  return { out: stdout, imported: JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as string[] };
}

const listed = (out: string): string[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { name: string }).name);

test("a command that has nothing to do with tools imports none of them", async () => {
  const { imported } = await run("--help");
  for (const name of ["fetch", "shell", "browser", "time", "think", "file-read", "send-file", "create-http-tool"])
    expect(imported).not.toContain(name);
});

test("each tool is imported from its row of the table; one that is excluded, under either name, never", async () => {
  const all = await run("tools", "list", "--json");
  expect(listed(all.out)).toEqual(
    expect.arrayContaining(["shell", "fetch", "think", "task", "send_file", "file_read"]),
  );
  for (const name of ["shell", "fetch", "think", "task-tool", "send-file", "file-read"])
    expect(all.imported).toContain(name);
  expect(all.imported).not.toContain("create-http-tool");

  const exclude = "exclude: [Bash, fetch, Think, Task, send_file, ReadFile, lamp]";
  const lamp = "http: { lamp: { description: A lamp., endpoint: http://home.lan/lamp } }";
  folder.write("config/system/tools.yaml", `${exclude}\n${lamp}\n`);
  const some = await run("tools", "list", "--json");
  const gone = ["shell", "fetch", "think", "task", "send_file", "file_read"];
  expect(listed(some.out)).toEqual(listed(all.out).filter((name) => !gone.includes(name)));
  for (const name of ["shell", "fetch", "think", "task-tool", "send-file", "file-read", "create-http-tool"])
    expect(some.imported).not.toContain(name);
  expect(some.imported).toContain("time");
});

test("two tools of one name: the earlier source of the configuration wins, under the options of that name", async () => {
  const time = "http: { time: { description: A clock., endpoint: http://home.lan/time } }";
  folder.write("config/system/tools.yaml", `conflicts: [http]\n${time}\n`);
  const { out, imported } = await run("tools", "list", "--json");
  expect(imported).toContain("create-http-tool");
  expect(out).toContain('{"name":"time","level":"safe","source":"http"');
  expect(listed(out).filter((name) => name === "time")).toHaveLength(1);
});
