import { formatFault, readYamlText } from "../../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../../tools/mcp-bridge/mcp-file.ts";
import type { McpServer } from "../../tools/mcp-bridge/types.ts";
import type { Skill } from "../types.ts";
import { readText } from "./scan-files.ts";
import type { SkillFile } from "./skill-files.ts";

type WrittenServers =
  | { readonly ok: true; readonly servers: readonly McpServer[] }
  | { readonly ok: false; readonly problem: string };

/**
 * The servers of a skill as its author wrote them: `${NAME:-default}` stands there as such, so that what people are shown has
 * no secret and hides no default. Not ok = a variable stands where no word can, such as in a duration.
 */
export function readWrittenServers(
  skill: Pick<Skill, "id" | "mcpServers">,
  files: readonly SkillFile[],
): WrittenServers {
  if (skill.mcpServers.length === 0) return { ok: true, servers: [] };
  const file = files.find(({ path }) => path === "mcp.json");
  const text = (file && readText(file.bytes)) ?? "";
  const read = readYamlText(text.replaceAll("$", "$$$$"), "mcp.json", mcpFileSchema, {});
  if (read.kind === "read") return { ok: true, servers: listMcpServers(read.value, skill.id) };
  const places = read.faults.map(formatFault).join("; ");
  return { ok: false, problem: `its mcp.json cannot be shown as it is written: ${places}` };
}
