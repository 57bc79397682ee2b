import type { MCPBridge } from "../../src/features/mcp/mcp-bridge.ts";

/** Of an installation without MCP servers. */
export const noMcp: MCPBridge = {
  tools: () => [],
  start: async () => undefined,
  ensureServersStarted: async () => undefined,
  apply: async () => undefined,
  views: () => [],
  listUnseen: () => [],
  listUnapproved: () => [],
  down: () => [],
  readable: () => [],
  connect: async () => undefined,
  approve: async () => [],
  forget: async () => false,
  login: async () => undefined,
  returnLogin: async () => undefined,
  logout: async () => false,
  stop: async () => undefined,
};
