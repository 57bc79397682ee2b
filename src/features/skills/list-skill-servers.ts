import { join } from "node:path";
import type { ConfigFault } from "../../core/yaml-file.ts";
import type { Skill } from "./loader/types.ts";
import type { McpServer } from "../mcp/servers/types.ts";

interface SkillServers {
  readonly servers: readonly McpServer[];
  /** Warnings for the servers that were left out, each with its file. */
  readonly warnings: readonly ConfigFault[];
}

/**
 * The MCP servers that skills bring: the operator's own skills first, so that nothing installed takes a name from them, then
 * by id. `taken` = the names of config/mcp.json.
 */
export function listSkillServers(
  skills: readonly Pick<Skill, "id" | "folder" | "mcpServers" | "installed">[],
  taken: readonly string[],
): SkillServers {
  const holders = new Map(taken.map((name) => [name, "config/mcp.json"]));
  const servers: McpServer[] = [];
  const warnings: ConfigFault[] = [];
  const inOrder = skills.toSorted(
    (a, b) => Number(a.installed !== undefined) - Number(b.installed !== undefined) || (a.id < b.id ? -1 : 1),
  );
  for (const { id, folder, mcpServers } of inOrder) {
    for (const server of mcpServers) {
      const holder = holders.get(server.name);
      if (holder === undefined) {
        holders.set(server.name, `the skill ${id}`);
        servers.push(server);
        continue;
      }
      const problem = `is the name of a server of ${holder}; this one is left out`;
      warnings.push({
        file: join(folder, "mcp.json"),
        line: 1,
        column: 1,
        key: `mcpServers.${server.name}`,
        problem,
      });
    }
  }
  return { servers, warnings };
}
