import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** Rows that were at work when a process died. */
export async function createSuspects(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("suspects")
    .addColumn("row", engine.text, (column) => column.primaryKey())
    .addColumn("deaths", "integer", (column) => column.notNull())
    .addColumn("alone", "integer", (column) => column.notNull())
    .addColumn("run", engine.text, (column) => column.notNull())
    .execute();
}
