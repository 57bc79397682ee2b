/** Other agents that use her tools over MCP (kurisu mcp serve). No channel has it: nobody is written to there. */
export const servedPlatform = "mcp";
