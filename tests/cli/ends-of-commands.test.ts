import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";

const root = join(import.meta.dirname, "../..");
const offline = { KURISU_MODEL: "offline" };

describe("a command whose reader has gone", () => {
  it("the command ends without a word, as a program that SIGPIPE ends", () => {
    const command = `"${process.execPath}" src/main.ts --help | true; echo "\${PIPESTATUS[0]}"`;
    const { stderr, stdout } = spawnSync("bash", ["-c", command], { cwd: root, encoding: "utf8" });
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: "141\n" });
  });
});

describe("backup and restore", () => {
  it.each(["backup", "restore"])("%s without FILE says below its help that FILE is missing", async (name) => {
    const { code, error } = await runHere([name], { folder: createKurisuFolder() });
    expect(code).toBe(78);
    expect(error.trim().split("\n").at(-1)).toMatch(/FILE is missing: name the /);
  });

  it("a refused restore removes the folders, the lock and the note that it made, and nothing else", async () => {
    const folder = createKurisuFolder();
    const file = join(dirname(folder.config), "torn.tar.gz");
    writeFileSync(file, "no backup");
    const { code } = await runHere(["restore", file], { folder });
    expect(code).not.toBe(0);
    expect(existsSync(folder.home)).toBe(false);
    mkdirSync(folder.home);
    writeFileSync(join(folder.home, "kurisu.lock"), "");
    await runHere(["restore", file], { folder });
    expect(readdirSync(folder.home)).toEqual(["kurisu.lock"]);
  });

  it("a restore into another folder than the usual one names it in the command that starts Kurisu", async () => {
    const [from, to] = [createKurisuFolder(), createKurisuFolder()];
    const file = join(dirname(from.config), "kurisu.tar.gz");
    await runHere(["backup", file], { folder: from, environment: offline });
    const { code, out } = await runHere(["restore", file], { folder: to, environment: offline });
    expect(code).toBe(0);
    expect(out.trim().split("\n").at(-1)).toMatch(new RegExp(`^Now: KURISU_HOME=${to.home} \\S+ start$`));
  });
});
