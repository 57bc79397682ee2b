import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** Why and on whose yes a call is asked for, what people said so far, and what they said yes to for a while. */
export async function addGrantsAndVotes(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema.alterTable("questions").addColumn("terms", engine.text).execute();
  await schema.alterTable("question_calls").addColumn("because", engine.text).execute();
  await schema.alterTable("question_calls").addColumn("standing", engine.text).execute();
  await schema
    .createTable("question_prompts")
    .addColumn("question", engine.text, (column) => column.notNull())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("prompt_message", engine.text)
    .addColumn("shown_after", "bigint")
    .addColumn("shown_at", "bigint")
    .addPrimaryKeyConstraint("question_prompts_key", ["question", "session"])
    .execute();
  await schema
    .createTable("votes")
    .addColumn("question", engine.text, (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("name", engine.text, (column) => column.notNull())
    .addColumn("how", engine.text, (column) => column.notNull())
    .addColumn("voted_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("votes_key", ["question", "person"])
    .execute();
  await schema
    .createTable("private_chats")
    .addColumn("person", engine.text, (column) => column.primaryKey())
    .addColumn("session", engine.text, (column) => column.notNull())
    .execute();
  await schema
    .createTable("grants")
    .addColumn("id", engine.text, (column) => column.primaryKey())
    .addColumn("code", engine.text, (column) => column.notNull())
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("person_name", engine.text, (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("pattern", engine.text, (column) => column.notNull())
    .addColumn("policy", engine.text, (column) => column.notNull())
    .addColumn("question", engine.text, (column) => column.notNull())
    .addColumn("given_by", engine.text, (column) => column.notNull())
    .addColumn("turn", engine.text)
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("uses", "integer", (column) => column.notNull())
    .addColumn("state", engine.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "bigint")
    .addUniqueConstraint("grants_code", ["session", "code"])
    .execute();
  await schema.createIndex("grants_live").on("grants").columns(["state", "session", "person"]).execute();
}
