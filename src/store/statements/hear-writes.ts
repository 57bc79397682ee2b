import type { Kysely } from "kysely";
import type { TableWrites } from "./table-writes.ts";

/** Calls back after each write of this process. Answers how to end it. */
export function hearWrites<Database>(db: Kysely<Database>, heard: () => void): () => void {
  const { writes } = db.getExecutor().adapter as { readonly writes?: TableWrites };
  return writes?.hear(heard) ?? (() => undefined);
}
