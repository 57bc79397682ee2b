import { readFileSync } from "node:fs";
import { z } from "zod";
import { hashJson, type JsonValue } from "../../../core/canonical-json.ts";
import { asWritten, readYamlText, type ConfigFault } from "../../../core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "./mcp-file.ts";
import { narrowServer } from "./narrow-server.ts";
import type { McpServer } from "./types.ts";
import { listNamedVariables, type IsOwnVariable } from "../../skills/store/skill-rights.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const writtenSchema = z.looseObject({ mcpServers: z.record(z.string(), z.json()).prefault({}) });

interface ProjectServers {
  readonly servers: readonly McpServer[];
  /** Every name in the file, also of servers that are left out; undefined = the file cannot be read. */
  readonly names: readonly string[] | undefined;
  /** One per server that is left out, or one for the whole file. */
  readonly warnings: readonly ConfigFault[];
}

/**
 * Reads a project's `.mcp.json`. A cloned project may bring it, so each server keeps its entry as written: the owner is
 * shown and approves exactly that. It is another program's file, too, so its faults stop nothing: unreadable entries
 * are left out. `holders` = the servers that have a name already, by name.
 */
export function readProjectServers(parts: {
  readonly file: string;
  readonly environment: Environment;
  readonly isOwnVariable: IsOwnVariable;
  readonly holders: ReadonlyMap<string, string>;
}): ProjectServers {
  const { file, environment, holders, isOwnVariable } = parts;
  const fault = (key: string, problem: string): ConfigFault => ({ file, line: 1, column: 1, key, problem });
  const withoutFile = (found: ConfigFault): ProjectServers => ({
    servers: [],
    names: undefined,
    warnings: [{ ...found, problem: `${found.problem}; the file is left out` }],
  });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return { servers: [], names: [], warnings: [] };
    return withoutFile(fault("", `cannot be read (${code})`));
  }
  // Both from one text: between two readings the file could become another one.
  const written = readYamlText(text, file, writtenSchema, asWritten);
  if (written.kind === "faulty") return withoutFile(written.faults[0] ?? fault("", "cannot be read"));
  const withheld = listNamedVariables(text).filter(isOwnVariable);
  const filled = { ...environment, ...Object.fromEntries(withheld.map((name) => [name, "withheld"])) };
  const entries = written.value.mcpServers;
  const names = Object.keys(entries);
  const { read, faults } = readEntries(text, entries, { file, environment: filled });

  const warnings: ConfigFault[] = [...faults];
  const servers = read.flatMap((server) => {
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
  return { servers, names, warnings };
}

type Entries = z.output<typeof writtenSchema>["mcpServers"];

/** The servers whose entries can be read; for each of the others its first fault, with its position in the text. */
function readEntries(
  text: string,
  entries: Entries,
  { file, environment }: { readonly file: string; readonly environment: Environment },
): { readonly read: readonly McpServer[]; readonly faults: readonly ConfigFault[] } {
  const whole = readYamlText(text, file, mcpFileSchema, environment);
  if (whole.kind === "read") return { read: listMcpServers(whole.value), faults: [] };
  const placed = new Map<string, ConfigFault>();
  for (const found of whole.faults) {
    const name = findServer(found.key, entries);
    if (name !== undefined && !placed.has(name)) placed.set(name, found);
  }
  const faults: ConfigFault[] = [];
  const read = Object.entries(entries).flatMap(([name, entry]) => {
    const alone = JSON.stringify({ mcpServers: { [name]: entry } });
    const one = readYamlText(alone, file, mcpFileSchema, environment);
    if (one.kind === "read") return listMcpServers(one.value);
    const found = placed.get(name) ?? { ...one.faults[0], file, line: 1, column: 1, key: `mcpServers.${name}` };
    faults.push({ ...found, problem: `${found.problem ?? "cannot be read"}; this one is left out` });
    return [];
  });
  return { read, faults };
}

/** Finds the entry that a key such as `mcpServers.NAME.command` belongs to; names may hold dots. */
function findServer(key: string, entries: Entries): string | undefined {
  const rest = key.slice("mcpServers.".length);
  for (let end = rest.length; end > 0; end = rest.lastIndexOf(".", end - 1)) {
    const name = rest.slice(0, end);
    if (Object.hasOwn(entries, name)) return name;
  }
  return undefined;
}
