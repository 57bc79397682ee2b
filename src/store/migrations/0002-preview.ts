import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** A preview may be asked for as often as people like, so its rows have keys of their own, not the ledger's. */
export async function createPreviewTable(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("previews")
    .addColumn("seq", engine.counter, engine.countUp)
    .addColumn("preview", engine.text, (column) => column.notNull())
    .addColumn("call", engine.text, (column) => column.notNull())
    .addColumn("question", engine.text, (column) => column.notNull())
    .addColumn("turn", engine.text, (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("hash", engine.text, (column) => column.notNull())
    .addColumn("actor", engine.text, (column) => column.notNull())
    .addColumn("revision", engine.text, (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("outcome", engine.text)
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addUniqueConstraint("previews_call", ["preview", "call"])
    .execute();
  await schema.createIndex("previews_question").on("previews").columns(["question", "seq"]).execute();
}
