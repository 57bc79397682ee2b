import { join } from "node:path";
import type { ConfigFault } from "../core/yaml-file.ts";
import { readYamlFile } from "../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../mcp/servers/mcp-file.ts";
import type { McpServer } from "../mcp/servers/types.ts";
import type { Environment } from "./environment.ts";

interface McpConfiguration {
  readonly servers: readonly McpServer[];
  /** Every name in the file, also of servers that are switched off: the rules of tools.yaml may speak of them. */
  readonly names: readonly string[];
}

/** Reads config/mcp.json; JSON is YAML, so faults have their place. Without the file there are no servers. */
export function readMcp(
  configFolder: string,
  environment: Environment,
  onFault: (fault: ConfigFault) => void,
): McpConfiguration {
  const read = readYamlFile(join(configFolder, "mcp.json"), mcpFileSchema, environment);
  if (read.kind === "faulty") read.faults.forEach(onFault);
  if (read.kind !== "read") return { servers: [], names: [] };
  return { servers: listMcpServers(read.value), names: Object.keys(read.value.mcpServers) };
}
