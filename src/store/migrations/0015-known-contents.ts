import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** Which contents of a workspace are a person's own: everything else in it is nobody's word. */
export async function createKnownContents(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("known_contents")
    .addColumn("session", engine.text, (column) => column.notNull())
    .addColumn("person", engine.text, (column) => column.notNull())
    .addColumn("path", engine.text, (column) => column.notNull())
    .addColumn("sha256", engine.text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("known_contents_key", ["session", "person", "path", "sha256"])
    .execute();
}
