import type { Kysely } from "kysely";
import { insertOwnJob, type InboxItem } from "../../store/queries/inbox.ts";
import { findHuman } from "./queries/find-human.ts";
import type { Database } from "../../store/schema/database.ts";
import type { ErasedCounts, ErasedPerson } from "./erase-person.ts";

/** The payload of an inbox row of the kind `erase`: the person to erase, and the progress. */
export interface ErasureJob extends Pick<ErasedPerson, "accounts" | "humans" | "shared" | "before"> {
  readonly account: string;
  /** The account that wanted it: their own, or an owner's at the command line. */
  readonly by: string;
  /** Absent until the work begins. */
  readonly found?: Pick<ErasedPerson, "chats" | "imports">;
  readonly counts: ErasedCounts;
}

/**
 * Orders the erasure of everything about the human with this account: once per `key`. It runs in the lane of the
 * session, behind the turn that asked. Only after an approval. Returns undefined if it was ordered before.
 */
export async function orderErasure(
  db: Kysely<Database>,
  order: {
    readonly account: string;
    readonly by: string;
    readonly session: string;
    readonly key: string;
    readonly now: number;
  },
): Promise<InboxItem | undefined> {
  const { account, by, now, session } = order;
  const job: ErasureJob = { account, by, ...(await findHuman(db, account)), before: now, counts: {} };
  return insertOwnJob(db, {
    eventKey: `erase:${order.key}`,
    session,
    kind: "erase",
    payload: JSON.stringify(job),
    now,
  });
}
