import type { McpServer } from "../../mcp/servers/types.ts";
import type { SkillFile } from "./skill-files.ts";

/**
 * The name of a server that is started from the skill's own files, or in a folder it chooses: that would run a
 * stranger's program outside of the sandbox. One in a container counts, too: the skill's files are not in there, but
 * copies of them that others may have changed are. Every word of the command line and of the variables is examined.
 */
export function findOwnProgram(
  skill: string,
  servers: readonly McpServer[],
  files: readonly SkillFile[],
): string | undefined {
  const isOwn = (word: string): boolean =>
    word.startsWith(".") ||
    word.includes(`skills/${skill}`) ||
    files.some(({ path }) => word === path || word.endsWith(`/${path}`));
  for (const { name, transport } of servers) {
    if (transport.kind === "http") continue;
    if (transport.cwd !== undefined) return name;
    if ([transport.command, ...transport.args, ...Object.values(transport.env)].flatMap(splitWords).some(isOwn))
      return name;
  }
  return undefined;
}

/** Splits as a shell, an option or a list of folders would. */
function splitWords(text: string): readonly string[] {
  return text
    .replaceAll("\\", "/")
    .split(/[\s"'`=:;,&|()<>{}$]+/)
    .map((word) => word.replace(/^-+(?=\.)/, ""));
}
