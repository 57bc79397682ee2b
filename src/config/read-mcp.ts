import { join } from "node:path";
import type { ConfigFault } from "../core/yaml-file.ts";
import { readYamlFile } from "../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../tools/mcp-bridge/mcp-file.ts";
import { listWaySecrets } from "../tools/mcp-bridge/list-way-secrets.ts";
import type { McpServer } from "../tools/mcp-bridge/types.ts";
import type { Environment } from "./environment.ts";

/** All that a server's process gets of our environment: what programs need to find their way, and nothing that opens a door. */
const inheritedNames = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR"];

interface McpConfiguration {
  readonly servers: readonly McpServer[];
  /** Values in the ways to the servers that must not be shown. */
  readonly secrets: readonly string[];
}

/** Reads config/mcp.json; JSON is YAML, so faults have their place. Without the file there are no servers. */
export function readMcp(
  configFolder: string,
  environment: Environment,
  onFault: (fault: ConfigFault) => void,
): McpConfiguration {
  const read = readYamlFile(join(configFolder, "mcp.json"), mcpFileSchema, environment);
  if (read.kind === "faulty") read.faults.forEach(onFault);
  if (read.kind !== "read") return { servers: [], secrets: [] };
  const inherited = Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const servers = listMcpServers(read.value, inherited);
  const clients = Object.values(read.value.mcpServers).flatMap(({ oauth }) => oauth?.clientSecret ?? []);
  const secrets = [
    ...clients.filter((value) => value.length >= 6),
    ...servers.flatMap(({ way }) => listWaySecrets(way)),
  ];
  return { servers, secrets };
}
