import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Where the servers of the protocol's own authors are; they come as development dependencies. */
function findProgram(name: string): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist/index.js");
}

/** An entry of mcp.json for one of them. */
export function referenceServer(name: string, ...args: readonly string[]) {
  return { command: process.execPath, args: [findProgram(name), ...args] };
}

/** The text of a mcp.json. */
export function mcpFile(servers: Readonly<Record<string, object>>): string {
  return JSON.stringify({ mcpServers: servers }, null, 2);
}
