import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tellLeftOut } from "./left-out.ts";

/** A file system of its own, small enough to be filled. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
}

/** For `test.skipIf(!mayMountDisk())`. One loud line where this user may not mount, a failure where they must. */
export function mayMountDisk(): boolean {
  try {
    unmount(mount(1));
    return true;
  } catch (error) {
    if (process.env["KURISU_REQUIRE_DISK"] === "1") throw error;
    tellLeftOut("tests with a full disk", `mounting is not allowed here, ${String(error)}`);
    return false;
  }
}

function mount(megabytes: number): string {
  const path = mkdtempSync(join(tmpdir(), "kurisu-disk-"));
  const flags = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`];
  try {
    execFileSync("mount", [...flags, "kurisu-test", path], { stdio: "pipe" });
    return path;
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
}

function unmount(path: string): void {
  execFileSync("umount", ["--lazy", path]);
  rmdirSync(path);
}

/** Call it inside a test. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mount(megabytes);
  onTestFinished(() => unmount(path));
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(filler, { force: true }),
  };
}
