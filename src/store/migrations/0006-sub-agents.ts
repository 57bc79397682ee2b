import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** A turn may be a task: the work of a sub-agent for another turn, once per call of it. */
export async function addSubAgents(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .alterTable("turns")
    .addColumn("kind", engine.text, (column) => column.notNull().defaultTo("chat"))
    .execute();
  await schema.alterTable("turns").addColumn("parent", engine.text).execute();
  await schema.alterTable("turns").addColumn("parent_call", engine.text).execute();
  await schema
    .alterTable("turns")
    .addColumn("background", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable("turns").addColumn("waiting", engine.text).execute();
  await schema.alterTable("turns").addColumn("cause", engine.text).execute();
  await schema.alterTable("turns").addColumn("result", engine.text).execute();
  await schema.createIndex("turns_parent").on("turns").columns(["parent", "parent_call"]).unique().execute();
  await schema.alterTable("questions").addColumn("agent", engine.text).execute();
}
