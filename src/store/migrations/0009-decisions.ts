import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** The verdict on every call, written before anything of its round runs. */
export async function createDecisionTable(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("decisions")
    .addColumn("turn", engine.text, (column) => column.notNull())
    .addColumn("call", engine.text, (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("hash", engine.text, (column) => column.notNull())
    .addColumn("verdict", engine.text, (column) => column.notNull())
    .addColumn("reason", engine.text, (column) => column.notNull())
    .addColumn("policy", engine.text, (column) => column.notNull())
    .addColumn("grant", engine.text)
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("decisions_key", ["turn", "call"])
    .execute();
}
