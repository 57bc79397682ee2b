import { AppError } from "../../../core/errors.ts";
import { asWritten, formatFault, readYamlText } from "../../../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../../mcp/servers/mcp-file.ts";
import type { McpServer } from "../../mcp/servers/types.ts";
import type { Skill } from "../loader/types.ts";
import { readText } from "./scan-files.ts";
import type { SkillFile } from "./skill-files.ts";

/**
 * The servers of a skill as its author wrote them: `${NAME:-default}` is kept as such, so that what people are shown
 * has no secret and hides no default. Throws INTERNAL if that cannot be read although the skill could: then nothing may
 * be approved.
 */
export function readWrittenServers(
  skill: Pick<Skill, "id" | "mcpServers">,
  files: readonly SkillFile[],
): readonly McpServer[] {
  if (skill.mcpServers.length === 0) return [];
  const file = files.find(({ path }) => path === "mcp.json");
  const text = (file && readText(file.bytes)) ?? "";
  const read = readYamlText(text, "mcp.json", mcpFileSchema, asWritten);
  if (read.kind === "read") return listMcpServers(read.value, skill.id);
  throw new AppError(
    "INTERNAL",
    `The servers of ${skill.id} cannot be shown: ${read.faults.map(formatFault).join("; ")}`,
  );
}
