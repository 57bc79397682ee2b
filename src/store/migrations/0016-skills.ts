import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** What a session said about skills, and the skills its topic is about. */
export async function createSkillTables(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("skill_choices")
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("skill", engine.text, (column) => column.notNull())
    .addColumn("choice", engine.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("skill_choices_key", ["session", "skill"])
    .execute();
  await schema
    .createTable("skill_topics")
    .addColumn("session", engine.text, (column) => column.primaryKey())
    .addColumn("turn", engine.text, (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("before", engine.text, (column) => column.notNull())
    .addColumn("after", engine.text, (column) => column.notNull())
    .execute();
}
