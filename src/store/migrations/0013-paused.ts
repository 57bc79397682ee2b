import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** The kill switch: a row = everything is paused. */
export async function createPause(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("pause")
    // Always 1: there is one switch.
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("name", engine.text, (column) => column.notNull())
    .execute();
}
