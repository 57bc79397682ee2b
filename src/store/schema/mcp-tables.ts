/** Tables of what was seen of MCP servers. */

/** An MCP server that was seen before: what it offers beyond its pins is new. */
export interface McpServerTable {
  server: string;
  seen_at: number;
}

/** One tool of an MCP server; without `definition` it was never trusted. */
export interface McpPinTable {
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
