import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { readDeath } from "../../src/kernel/recovery/read-death.ts";
import { createWorkRecord, type WorkRecord } from "../../src/kernel/recovery/work-record.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });

async function begin(): Promise<{ readonly home: string; readonly work: WorkRecord }> {
  const home = await createTemporaryFolder();
  const work = createWorkRecord({ home, log });
  work.begin();
  return { home, work };
}

/** Long enough for the file to be emptied between two pieces of work. */
const long = `inbox:${"a".repeat(5_000)}`;

it("a process that dies during work blames that work", async () => {
  const { home, work } = await begin();
  await work.during(long, async () => undefined);
  await work.during("inbox:b", async () => expect(readDeath(home)?.atWork).toEqual(["inbox:b"]));
});

it("a process that dies while it is being stopped blames nothing, even after its file was emptied", async () => {
  const { home, work } = await begin();
  work.leave();
  await work.during(long, async () => undefined);
  await work.during("outbox:b", async () => expect(readDeath(home)).toBeUndefined());
});
