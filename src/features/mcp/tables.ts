import type { Engine } from "../../store/migrations/engine.ts";
import { kept } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    mcp_servers: McpServerTable;
    mcp_pins: McpPinTable;
  }
}

export const mcpTables: Tables = {
  migrations: { "0001-tables": createMcpTables },
  followed: { mcp_pins: { topic: "mcp", id: "server", updates: ["hash", "pending_hash"] } },
  people: {
    mcp_servers: kept("names of servers"),
    mcp_pins: kept("definitions of tools; who accepted one acted for the house"),
  },
};

/** An MCP server that was seen before: definitions beyond its pins are new. */
interface McpServerTable {
  server: string;
  seen_at: number;
}

/** One tool of an MCP server; without `definition` it was never trusted. */
interface McpPinTable {
  server: string;
  /** The server's own name of it. */
  tool: string;
  /** Order in which tools became trusted, over all servers; the prompt keeps to it. */
  place: number;
  /** Canonical JSON of what is trusted, and its SHA-256. */
  definition: string | null;
  hash: string | null;
  /** The server's new definition, until the owner has accepted it. */
  pending: string | null;
  pending_hash: string | null;
  /** Person who accepted `definition`; null = it was there when the server was first seen. */
  approved_by: string | null;
  changed_at: number;
}

function createMcpTables({ text }: Engine): readonly string[] {
  return [
    `create table mcp_servers (server ${text} primary key, seen_at bigint not null)`,
    `create table mcp_pins (
      server ${text} not null,
      tool ${text} not null,
      place integer not null,
      definition ${text},
      hash ${text},
      pending ${text},
      pending_hash ${text},
      approved_by ${text},
      changed_at bigint not null,
      constraint mcp_pins_key primary key (server, tool)
    )`,
  ];
}
