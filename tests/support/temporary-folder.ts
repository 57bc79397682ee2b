import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilTestEnds } from "./keep-until.ts";

/** A folder that is gone when the test is over. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kurisu-test-"));
  await chmod(folder, 0o700);
  untilTestEnds(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
