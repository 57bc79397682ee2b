import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** How each person likes things, and in which chats an installed skill was let in. */
export async function createPreferenceTables(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("preferences")
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("key", engine.text, (column) => column.notNull())
    .addColumn("origin", engine.text, (column) => column.notNull())
    .addColumn("text", engine.text, (column) => column.notNull())
    .addColumn("kept", "integer", (column) => column.notNull())
    .addColumn("refused", "integer", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("preferences_key", ["person", "key"])
    .execute();
  await schema
    .createTable("skill_admissions")
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("skill", engine.text, (column) => column.notNull())
    .addColumn("digest", engine.text, (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("skill_admissions_key", ["session", "skill"])
    .execute();
}
