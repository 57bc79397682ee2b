import { join } from "node:path";
import { AppError } from "../../core/errors.ts";
import { removeFromMcpFile } from "../../mcp/servers/mcp-file.ts";
import type { CommandContext } from "../types.ts";
import { withHub } from "./reach-hub.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";

/** First the file: a running Kurisu must not meet the server anew between the two. */
export async function removeMcp(context: CommandContext, server: string, json: boolean): Promise<number> {
  const file = join(context.configuration().configFolder, "mcp.json");
  const wasWritten = removeFromMcpFile(file, server);
  const wasKnown = await withHub(context, (hub) => hub.forget(server));
  const skill = context.configuration().mcp.servers.find(({ name }) => name === server)?.skill;
  const remedy =
    skill === undefined ? "" : ` The skill ${skill} brings it: take that away, or exclude it in skills.yaml.`;
  if (!wasWritten && !wasKnown && skill === undefined)
    throw new AppError("USAGE", `There is no MCP server ${server}. ${kurisuCommand} mcp list shows them.`);
  const said = `${server}: ${wasWritten ? `taken out of ${file}` : `not in ${file}`}; ${wasKnown ? "its tools are forgotten" : "nothing was known of its tools"}.${remedy}`;
  process.stdout.write(
    json ? `${JSON.stringify({ server, removed: wasWritten, forgotten: wasKnown })}\n` : `${said}\n`,
  );
  return 0;
}
