import type { Words } from "../dictionary.ts";

/** MCP servers that skills bring. */
export const skillServers: Words["skillServers"] = {
  walled: (line) => `MCP server that runs in a container: ${line}`,
  line: ({ name, state }) => `    MCP ${name}: ${state}`,
  nameTaken: "left out, another server has the name",
  waits: "not started (starts when the skill is used)",
  notHere: (skill) => `The skill ${skill} brings it, which cannot be used here yet (see /skills); so it was not asked.`,
  of: (skill) => ` (of the skill ${skill})`,
};
