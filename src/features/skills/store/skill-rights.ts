import { isScalar, parseDocument, visit } from "yaml";
import type { HttpTransport, McpServer } from "../../mcp/servers/types.ts";
import type { Skill } from "../loader/types.ts";
import { readText } from "./scan-files.ts";
import { isScript, type SkillFile } from "./skill-files.ts";
import { readWrittenServers } from "./written-servers.ts";

/** Whether a variable is Kurisu's own: foreign skills and servers get none of those. */
export type IsOwnVariable = (name: string) => boolean;

/** The rights that a skill asks for, as people are shown them. */
export interface SkillRights {
  readonly tools: readonly string[];
  /** Hosts that commands may reach while it is active. */
  readonly network: readonly string[];
  /** Files that look like programs. They run nowhere but in the sandbox. */
  readonly scripts: readonly string[];
  /** One line per server: its name, and the whole command line or address, as written. */
  readonly servers: readonly string[];
  /** The same for servers that run in a container. */
  readonly walledServers: readonly string[];
  /** Names of environment variables that its servers are given. */
  readonly variables: readonly string[];
}

export function readRights(skill: Skill, files: readonly SkillFile[]): SkillRights {
  const all = readWrittenServers(skill, files);
  return {
    tools: skill.tools.builtin,
    network: skill.tools.network,
    scripts: listScripts(files),
    servers: all.filter((one) => !isWalled(one)).map(toLine),
    walledServers: all.filter(isWalled).map(toLine),
    variables: listVariables(files),
  };
}

function listScripts(files: readonly SkillFile[]): readonly string[] {
  return files.filter(isScript).map(({ path }) => path);
}

/**
 * The names that stand as `${NAME}` in the skill's mcp.json, however the dollar sign is written; nothing else of it may name
 * any.
 */
export function listVariables(files: readonly SkillFile[]): readonly string[] {
  const file = files.find(({ path }) => path === "mcp.json");
  return listNamedVariables((file && readText(file.bytes)) ?? "");
}

/** The same for any text in the form of an mcp.json. */
export function listNamedVariables(text: string): readonly string[] {
  const names = listYamlTexts(text).flatMap((one) =>
    [...one.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].toSorted();
}

/**
 * The server as written, so without secrets. Every word is quoted unless it is plain, so that no blank or quote hides
 * where one ends; headers and logins with their values, too, since these show which variable is sent where.
 */
export function describeServer(
  transport:
    | (Pick<HttpTransport, "kind" | "url" | "headers"> & Partial<HttpTransport>)
    | Exclude<McpServer["transport"], HttpTransport>,
): string {
  if (transport.kind === "http") {
    const { clientId, clientSecret } = transport.oauth ?? {};
    const login = Object.entries({ clientId, clientSecret }).filter(([, value]) => value !== undefined);
    const list = (what: string, values: readonly (readonly [string, unknown])[]) =>
      values.length > 0
        ? ` (${what} ${values.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")})`
        : "";
    return `${transport.url}${list("headers", Object.entries(transport.headers))}${list("login", login)}`;
  }
  const words = [transport.command, ...transport.args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const variables = Object.entries(transport.env).map(([variable, value]) => `${variable}=${JSON.stringify(value)}`);
  const where = transport.cwd === undefined ? "" : ` (in ${JSON.stringify(transport.cwd)})`;
  const image = transport.sandbox?.image === undefined ? "" : ` (image ${JSON.stringify(transport.sandbox.image)})`;
  return `${[...variables, ...words].join(" ")}${where}${image}`;
}

function toLine({ name, transport }: McpServer): string {
  return `${name}: ${describeServer(transport)}`;
}

function isWalled({ transport }: McpServer): boolean {
  return transport.kind === "stdio" && transport.sandbox !== undefined;
}

/**
 * Every text in a YAML or JSON file as its reader gets it: escapes are undone, `${NAME}` is not filled in. A file that
 * cannot be parsed has none, as nothing of it is ever read.
 */
export function listYamlTexts(text: string): readonly string[] {
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) return [];
  const texts: string[] = [];
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === "string") texts.push(node.value);
  });
  return texts;
}
