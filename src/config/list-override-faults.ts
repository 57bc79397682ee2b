import type { z } from "zod";
import { type ConfigFault, findYamlPlaces } from "../core/yaml-file.ts";
import type { createToolsOptions } from "../kernel/tools/table/options.ts";

/**
 * The lines of `overrides` that name an unknown tool; the tools of a server are known only after its start. `servers`
 * is undefined when not all servers are known.
 */
export function listOverrideFaults(
  { file, text = "" }: { readonly file: string; readonly text: string | undefined },
  { exclude, http, overrides }: Pick<z.output<ReturnType<typeof createToolsOptions>>, "exclude" | "http" | "overrides">,
  known: { readonly files: readonly string[]; readonly servers: readonly string[] | undefined },
): readonly ConfigFault[] {
  const findPlace = findYamlPlaces(text);
  return Object.entries(overrides).flatMap(([name, by]) => {
    const path = ["overrides", name];
    const problem = exclude.includes(name) ? `${name} is excluded` : findProblem(by);
    const place = findPlace(path) ?? { line: 1, column: 1 };
    return problem === undefined ? [] : [{ file, ...place, key: path.join("."), problem }];
  });

  function findProblem(by = ""): string | undefined {
    if (exclude.includes(by)) return `${by} is excluded`;
    const [, server] = /^mcp__(.+?)__/.exec(by) ?? [];
    if (server !== undefined && (known.servers?.includes(server) ?? true)) return undefined;
    if (server !== undefined) return `there is no MCP server ${server}${listed(known.servers ?? [])}`;
    if (Object.hasOwn(http, by) || known.files.includes(by)) return undefined;
    return `must be a tool of an MCP server (mcp__SERVER__TOOL), of http or of config/tools${listed([...Object.keys(http), ...known.files])}`;
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "" : `; there are ${names.join(", ")}`;
}
