/** Other agents that use her tools over MCP (kurisu mcp serve). No channel has it: no messages are sent there. */
export const servedPlatform = "mcp";
