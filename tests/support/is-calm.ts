import type { Store } from "../../src/store/open-store.ts";

/** No row of the inbox is unfinished, and nothing waits to be sent now. */
export async function isCalm({ main }: Pick<Store, "main">, now: number): Promise<boolean> {
  const busy = await main
    .selectFrom("inbox")
    .select("id")
    .where("state", "in", ["received", "queued", "running"])
    .limit(1)
    .executeTakeFirst();
  if (busy) return false;
  const pending = await main
    .selectFrom("outbox")
    .select(["session", "not_before"])
    .where("state", "=", "pending")
    .orderBy("place", "desc")
    .orderBy("seq", "desc")
    .execute();
  // Only the oldest of a chat can go; the others wait behind it.
  const next = new Map(pending.map((row) => [row.session, row.not_before]));
  return [...next.values()].every((notBefore) => notBefore > now);
}
