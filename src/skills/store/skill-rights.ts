import type { Skill } from "../types.ts";
import { readText } from "./scan-files.ts";
import { isScript, type SkillFile } from "./skill-files.ts";

/** What a skill asks for, as people are shown it. */
export interface SkillRights {
  readonly tools: readonly string[];
  /** Hosts that commands may reach while it is active. */
  readonly network: readonly string[];
  /** Files that look like programs. They run nowhere but in the sandbox. */
  readonly scripts: readonly string[];
  /** One line a server: its name, and the whole command line or address. */
  readonly servers: readonly string[];
  /** Names of environment variables that its servers are given. */
  readonly variables: readonly string[];
}

export function readRights(skill: Skill, files: readonly SkillFile[]): SkillRights {
  return {
    tools: skill.tools.builtin,
    network: skill.tools.network,
    scripts: listScripts(files),
    servers: Object.entries(skill.mcpServers).map(([name, server]) => `${name}: ${describeServer(server)}`),
    variables: listVariables(files),
  };
}

function listScripts(files: readonly SkillFile[]): readonly string[] {
  return files.filter(isScript).map(({ path }) => path);
}

/** The names that stand as `${NAME}` in the skill's mcp.json; nothing else of it may name any. */
export function listVariables(files: readonly SkillFile[]): readonly string[] {
  const file = files.find(({ path }) => path === "mcp.json");
  const text = (file && readText(file.bytes)) ?? "";
  const names = [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g)].map(([, name = ""]) => name);
  return [...new Set(names)].toSorted();
}

type Server = Skill["mcpServers"][string];

/** Every word quoted where it is not plain, so that no blank or quote hides where one ends. */
export function describeServer(server: Server): string {
  if ("url" in server) {
    const headers = Object.keys(server.headers);
    return `${server.url}${headers.length > 0 ? ` (headers ${headers.join(", ")})` : ""}`;
  }
  const words = [server.command, ...server.args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const variables = Object.entries(server.env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const where = server.cwd === undefined ? "" : ` (in ${JSON.stringify(server.cwd)})`;
  return `${[...variables, ...words].join(" ")}${where}`;
}

/** A server that is started from the skill's own files would run its code outside of the sandbox. */
export function findOwnProgram(skill: Skill, files: readonly SkillFile[]): string | undefined {
  for (const [name, server] of Object.entries(skill.mcpServers)) {
    if ("url" in server) continue;
    if (server.cwd !== undefined) return name;
    const paths = [server.command, ...server.args].map((word) => word.replace(/^.*=/, "").replaceAll("\\", "/"));
    const own = paths.some(
      (word) => word.startsWith(".") || files.some(({ path }) => word === path || word.endsWith(`/${path}`)),
    );
    if (own) return name;
  }
  return undefined;
}
