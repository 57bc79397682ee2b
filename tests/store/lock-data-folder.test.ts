import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AppError } from "../../src/core/errors.ts";
import { lockDataFolder } from "../../src/store/engines/lock-data-folder.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const program = join(import.meta.dirname, "../support/hold-lock-process.ts");

async function lockInAnotherProcess(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, home], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

function tryToLock(home: string): AppError | undefined {
  try {
    lockDataFolder(home, "chat").release();
    return undefined;
  } catch (error) {
    return error as AppError;
  }
}

describe("lockDataFolder", () => {
  it("refuses the second process and names the first", async () => {
    const home = await createTemporaryFolder();
    const child = await lockInAnotherProcess(home);
    const refusal = tryToLock(home);
    expect(refusal).toMatchObject({ code: "DATA_FOLDER_BUSY", exitCode: 69 });
    expect(refusal?.message).toContain(`Process ${child.pid} (kurisu start)`);
    expect(refusal?.message).toContain(home);
  });

  it("names this process by a new name each time, and the one that had the folder before by its own", async () => {
    const home = await createTemporaryFolder();
    const first = lockDataFolder(home, "start");
    first.release();
    const second = lockDataFolder(home, "start");
    second.release();
    expect(first.former).toBeUndefined();
    expect(second.former).toBe(first.holder);
    expect(second.holder).not.toBe(first.holder);
  });

  it("the lock is free again as soon as the process is gone, even by kill -9", async () => {
    const home = await createTemporaryFolder();
    const child = await lockInAnotherProcess(home);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(tryToLock(home)).toBeUndefined();
  });

  it("the lock can be released and taken again", async () => {
    const home = await createTemporaryFolder();
    const lock = lockDataFolder(home, "start");
    expect(tryToLock(home)?.code).toBe("DATA_FOLDER_BUSY");
    lock.release();
    expect(tryToLock(home)).toBeUndefined();
  });

  it("makes the folder, for this user only", async () => {
    const home = join(await createTemporaryFolder(), "new", "data");
    expect(tryToLock(home)).toBeUndefined();
  });

  it("says what is wrong with a folder that cannot be one", async () => {
    const file = join(await createTemporaryFolder(), "file");
    writeFileSync(file, "");
    expect(tryToLock(file)).toMatchObject({ code: "DATA_FOLDER_UNUSABLE", exitCode: 69 });
  });
});
