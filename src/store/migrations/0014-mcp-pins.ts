import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";

/** What MCP servers said of their tools when they were first seen, and what they say now where it differs. */
export async function createMcpPins(schema: Kysely<unknown>["schema"], engine: Engine): Promise<void> {
  await schema
    .createTable("mcp_servers")
    .addColumn("server", engine.text, (column) => column.primaryKey())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("mcp_pins")
    .addColumn("server", engine.text, (column) => column.notNull())
    .addColumn("tool", engine.text, (column) => column.notNull())
    .addColumn("place", "integer", (column) => column.notNull())
    .addColumn("definition", engine.text)
    .addColumn("hash", engine.text)
    .addColumn("pending", engine.text)
    .addColumn("pending_hash", engine.text)
    .addColumn("approved_by", engine.text)
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("mcp_pins_key", ["server", "tool"])
    .execute();
}
