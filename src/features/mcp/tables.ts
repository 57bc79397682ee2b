import type { Engine } from "../../store/migrations/engine.ts";
import { kept } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    mcp_servers: McpServerTable;
    mcp_pins: McpPinTable;
    mcp_logins: McpLoginTable;
    mcp_version: McpVersionTable;
  }
}

export const mcpTables: Tables = {
  migrations: { "0001-tables": createMcpTables, "0013-mcp-logins": createLoginTables },
  followed: { mcp_pins: { topic: "mcp", id: "server", updates: ["hash", "pending_hash"] } },
  people: {
    mcp_servers: kept("names of servers"),
    mcp_pins: kept("definitions of tools; who accepted one acted for the house"),
    mcp_logins: kept("logins of the house; tokens are shown nowhere"),
    mcp_version: kept("a number"),
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

/** The login at a server of mcp.json, by the server's name. */
interface McpLoginTable {
  server: string;
  /** JSON, tokens included (login/login-records.ts). */
  record: string;
}

/** One row (id 1), by which a process sees that others have changed something. */
interface McpVersionTable {
  id: number;
  number: number;
}

function createLoginTables({ text }: Engine): readonly string[] {
  return [
    `create table mcp_logins (server ${text} primary key, record ${text} not null)`,
    `create table mcp_version (id bigint primary key, number bigint not null)`,
  ];
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
