import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import { keepBlobs, readBlob, sweepBlobs } from "../../store/queries/blobs.ts";
import {
  dropOutgoingFile,
  findOutgoingFile,
  listOutgoingFiles,
  saveOutgoingFile,
} from "../../store/queries/outgoing-files.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import { createOutgoingFiles, type OutgoingFiles } from "./outgoing-files.ts";

/** A content is kept before its message is written; another process that sweeps in between must not take it. */
const graceMs = 3_600_000;

/**
 * Outgoing files in the database, for several processes: the one that sends a file need not be the one that made it.
 * `folder` holds copies of this machine, only while they are sent.
 */
export function createStoredOutgoingFiles(
  { store, clock }: { readonly store: Pick<Store, "main">; readonly clock: Clock },
  folder: string,
): OutgoingFiles {
  const copies = createOutgoingFiles(folder);

  return {
    async keep(id, content) {
      const sha256 = hashContent(content);
      await store.main.transaction().execute(async (tx) => {
        await keepBlobs(tx, [{ sha256, bytes: content }]);
        await saveOutgoingFile(tx, { id, sha256, at: clock.now() });
      });
    },
    async pathOf(id) {
      const sha256 = await findOutgoingFile(store.main, id);
      // An earlier version kept it on this machine.
      if (sha256 === undefined) return copies.pathOf(id);
      const content = await readBlob(store.main, sha256);
      if (content === undefined) throw new Error(`The content of the file ${id} is not in the database`);
      await copies.keep(id, content);
      return copies.pathOf(id);
    },
    has: async (id) => (await findOutgoingFile(store.main, id)) !== undefined || copies.has(id),
    async drop(id) {
      await copies.drop(id);
      await dropOutgoingFile(store.main, id);
    },
    async sweep(isWanted) {
      const before = clock.now() - graceMs;
      await copies.sweep(isWanted);
      for (const id of await listOutgoingFiles(store.main, before))
        if (!(await isWanted(id))) await dropOutgoingFile(store.main, id);
      await sweepBlobs(store.main);
    },
  };
}
