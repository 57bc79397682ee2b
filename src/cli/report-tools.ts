import type { Configuration } from "../config.ts";
import type { ToolReports } from "../gateway/intake/control-socket.ts";
import type { MCPBridge } from "../mcp/mcp-bridge.ts";
import { reportServer } from "../mcp/report-server.ts";
import type { FindRole } from "../policy/resolve-current-role.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { explainToPeople, type AskedAbout } from "./explain-call.ts";
import { defineTools, listToolRows, nameReports, toolFormats } from "./list-tool-rows.ts";

/** The answers of a running Kurisu to the command `tools`: its servers, its sandbox and its rules as they are now. */
export function createToolReports(parts: {
  readonly configuration: () => Configuration;
  readonly registry: ToolRegistry;
  readonly mcp: Pick<MCPBridge, "views">;
  readonly findRole: FindRole;
}): ToolReports {
  const { registry, findRole } = parts;
  const look = () => ({ registry, configuration: parts.configuration(), findRole });
  return {
    list: () => JSON.stringify(listToolRows(look(), nameReports(parts.mcp.views().map(reportServer)))),
    define: (format) => JSON.stringify(defineTools(look(), toolFormats.find((one) => one === format) ?? "openai")),
    why: async (asked) => JSON.stringify(await explainToPeople(look(), JSON.parse(asked) as AskedAbout)),
  };
}
