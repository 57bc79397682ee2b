import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** What the models were asked: one row a day, person and model. */
export async function createUsage(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("usage")
    .addColumn("day", engine.text, (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("model", engine.text, (column) => column.notNull())
    .addColumn("calls", "bigint", (column) => column.notNull())
    .addColumn("estimated", "bigint", (column) => column.notNull())
    .addColumn("input", "bigint", (column) => column.notNull())
    .addColumn("output", "bigint", (column) => column.notNull())
    .addColumn("cached", "bigint", (column) => column.notNull())
    .addColumn("cost", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["day", "person", "model"])
    .execute();
}
