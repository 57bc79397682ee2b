import type { McpHub } from "../../src/mcp/hub.ts";

/** Of an installation without MCP servers. */
export const noMcp: McpHub = {
  tools: () => [],
  start: async () => undefined,
  meetSkills: async () => undefined,
  apply: async () => undefined,
  views: () => [],
  listUnseen: () => [],
  readable: () => [],
  connect: async () => undefined,
  approve: async () => [],
  forget: async () => false,
  login: async () => undefined,
  returnLogin: async () => undefined,
  logout: async () => false,
  stop: async () => undefined,
};
