import { sql, type Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** A conversation becomes a tree: branches, numbered points to go back to, and where a question was asked. */
export async function createWorldlines(
  schema: Kysely<unknown>["schema"],
  engine: Engine,
  db: Kysely<unknown>,
): Promise<void> {
  await schema
    .createTable("branches")
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("branch", engine.text, (column) => column.notNull())
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("parent", engine.text)
    .addColumn("fork_position", "bigint", (column) => column.notNull())
    .addColumn("head", "bigint")
    .addColumn("start_position", "bigint", (column) => column.notNull())
    .addColumn("last_position", "bigint", (column) => column.notNull())
    .addColumn("points", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("branches_key", ["session", "branch"])
    .execute();
  await schema
    .createTable("todos")
    .addColumn("session", engine.text, (column) => column.primaryKey())
    .addColumn("items", engine.text, (column) => column.notNull())
    .addColumn("taint", engine.text, (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.alterTable("questions").addColumn("branch", engine.text).execute();
  await schema.alterTable("questions").addColumn("position", "bigint").execute();
  await schema.alterTable("messages").addColumn("point", "bigint").execute();
  await schema
    .alterTable("sessions")
    .addColumn("points", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await numberPoints(db);
  await schema
    .createIndex("messages_points")
    .on("messages")
    .columns(["session", "branch", "point", "position"])
    .where(sql.ref("point"), "is not", null)
    .execute();
}

/** What was said before this version can be gone back to as well. */
async function numberPoints(db: Kysely<unknown>): Promise<void> {
  await sql`
    update messages set point = numbered.point
    from (
      select messages.id, row_number() over (partition by messages.session order by messages.position) - 1 as point
      from messages join sessions on sessions.id = messages.session
      where messages.role = 'user' and messages.position > sessions.start_position
    ) as numbered
    where numbered.id = messages.id`.execute(db);
  await sql`
    update sessions set points = (
      select count(*) from messages where messages.session = sessions.id and messages.point is not null
    )`.execute(db);
}
