import type { Engine } from "./engine.ts";

/** Pinned tools of MCP servers: schema/mcp-tables.ts has the meaning. */
export function createMcpTables({ text }: Engine): readonly string[] {
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
