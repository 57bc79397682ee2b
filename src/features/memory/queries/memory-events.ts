import type { Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

export interface MemoryEvent {
  readonly memory: number;
  readonly kind: "remembered" | "confirmed" | "superseded" | "pinned" | "unpinned" | "forgotten";
  readonly person: string;
  readonly other: number | null;
  readonly at: number;
}

export async function appendMemoryEvents(db: Kysely<Database>, events: readonly MemoryEvent[]): Promise<void> {
  if (events.length > 0) await db.insertInto("memory_events").values(events.slice()).execute();
}

/** Oldest first. */
export async function listMemoryEvents(db: Kysely<Database>, memory: number): Promise<readonly MemoryEvent[]> {
  const rows = await db
    .selectFrom("memory_events")
    .select(["memory", "kind", "person", "other", "at"])
    .where("memory", "=", memory)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as MemoryEvent["kind"] }));
}
