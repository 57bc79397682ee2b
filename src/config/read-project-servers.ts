import { readFileSync } from "node:fs";
import { z } from "zod";
import { hashJson, type JsonValue } from "../core/canonical-json.ts";
import { asWritten, readYamlText, type ConfigFault } from "../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../mcp/servers/mcp-file.ts";
import { narrowServer } from "../mcp/servers/narrow-server.ts";
import type { McpServer } from "../mcp/servers/types.ts";
import { isOwnVariable } from "../skills/store/own-variables.ts";
import { listNamedVariables } from "../skills/store/skill-rights.ts";
import type { Environment } from "./environment.ts";

const writtenSchema = z.looseObject({ mcpServers: z.record(z.string(), z.json()).prefault({}) });

interface ProjectServers {
  readonly servers: readonly McpServer[];
  /** Those that are left out, each at the file. */
  readonly warnings: readonly ConfigFault[];
}

/**
 * Reads a project's `.mcp.json`. A cloned project may bring it, so each server keeps its entry as it is written: that is what
 * the owner is shown and says yes to. `holders` = who has a name already, by name.
 */
export function readProjectServers(parts: {
  readonly file: string;
  readonly environment: Environment;
  readonly holders: ReadonlyMap<string, string>;
  readonly onFault: (fault: ConfigFault) => void;
}): ProjectServers {
  const { file, environment, holders, onFault } = parts;
  const none = { servers: [], warnings: [] };
  const fault = (key: string, problem: string): ConfigFault => ({ file, line: 1, column: 1, key, problem });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") onFault(fault("", `cannot be read (${code})`));
    return none;
  }
  // Both from one text: between two readings the file could become another one.
  const written = readYamlText(text, file, writtenSchema, asWritten);
  const withheld = listNamedVariables(text).filter(isOwnVariable);
  const filled = { ...environment, ...Object.fromEntries(withheld.map((name) => [name, "withheld"])) };
  const read = readYamlText(text, file, mcpFileSchema, filled);
  if (read.kind === "faulty") read.faults.forEach(onFault);
  if (read.kind === "faulty" || written.kind === "faulty") return none;

  const entries = written.value.mcpServers;
  const warnings: ConfigFault[] = [];
  const servers = listMcpServers(read.value).flatMap((server) => {
    const leaveOut = (problem: string): [] => {
      warnings.push(fault(`mcpServers.${server.name}`, `${problem}; this one is left out`));
      return [];
    };
    const holder = holders.get(server.name);
    if (holder !== undefined) return leaveOut(`is the name of a server of ${holder}`);
    const entry = JSON.stringify(entries[server.name], null, 2);
    const own = listNamedVariables(entry).filter(isOwnVariable);
    if (own.length > 0) return leaveOut(`asks for Kurisu's own variables (${own.join(", ")})`);
    // The same words in another project start other programs.
    const digest = hashJson([file, entries[server.name] as JsonValue]);
    return [{ ...narrowServer(server), project: { digest, entry } }];
  });
  return { servers, warnings };
}
