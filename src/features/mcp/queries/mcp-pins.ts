import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/** One tool of an MCP server as the store knows it; texts are canonical JSON. */
export interface McpPin {
  readonly server: string;
  readonly tool: string;
  readonly place: number;
  readonly definition: string | null;
  readonly hash: string | null;
  readonly pending: string | null;
  readonly pendingHash: string | null;
  readonly approvedBy: string | null;
  readonly changedAt: number;
}

/** Every pin, in the order in which their tools became trusted. */
export async function listMcpPins(db: Kysely<Database>): Promise<McpPin[]> {
  const rows = await db.selectFrom("mcp_pins").selectAll().orderBy("place").orderBy("server").orderBy("tool").execute();
  return rows.map(toPin);
}

export async function listMcpServers(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom("mcp_servers").select("server").orderBy("server").execute();
  return rows.map(({ server }) => server);
}

export async function insertMcpServer(db: Kysely<Database>, server: string, now: number): Promise<void> {
  await db
    .insertInto("mcp_servers")
    .values({ server, seen_at: now })
    .onConflict((conflict) => conflict.column("server").doNothing())
    .execute();
}

/** Puts a pin in the place of the tool's old one. */
export async function saveMcpPin(db: Kysely<Database>, pin: McpPin): Promise<void> {
  const values = {
    place: pin.place,
    definition: pin.definition,
    hash: pin.hash,
    pending: pin.pending,
    pending_hash: pin.pendingHash,
    approved_by: pin.approvedBy,
    changed_at: pin.changedAt,
  };
  await db
    .insertInto("mcp_pins")
    .values({ server: pin.server, tool: pin.tool, ...values })
    .onConflict((conflict) => conflict.columns(["server", "tool"]).doUpdateSet(values))
    .execute();
}

/** The server is a stranger again. false = it was one. */
export async function forgetMcpServer(db: Kysely<Database>, server: string): Promise<boolean> {
  await db.deleteFrom("mcp_pins").where("server", "=", server).execute();
  const gone = await db.deleteFrom("mcp_servers").where("server", "=", server).returning("server").execute();
  return gone.length > 0;
}

function toPin(row: Selectable<Database["mcp_pins"]>): McpPin {
  return {
    server: row.server,
    tool: row.tool,
    place: row.place,
    definition: row.definition,
    hash: row.hash,
    pending: row.pending,
    pendingHash: row.pending_hash,
    approvedBy: row.approved_by,
    changedAt: row.changed_at,
  };
}
