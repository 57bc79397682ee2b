import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A file system of its own, small enough to be filled. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
}

/** Call it inside a test. Undefined where this user may not mount; the test then says so. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "kurisu-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "kurisu-test", path], {
      stdio: "pipe",
    });
  } catch (error) {
    rmdirSync(path);
    console.warn(`\n!!! The test with a full disk is left out: mounting is not allowed here (${String(error)})\n`);
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", path]);
    rmdirSync(path);
  });
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
