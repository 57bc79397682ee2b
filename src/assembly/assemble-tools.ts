import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { createAskOwnTool } from "../tools/own/ask-own-tool.ts";
import { createOwnTools } from "../tools/own/own-tools.ts";
import { applySettings, type GrowingRegistry } from "../tools/registry.ts";
import type { Tool } from "../tools/types.ts";
import { createToolTable, type ToolTableParts } from "./tool-table.ts";

/** Tools from outside: `only` = what there is of our own. */
export interface GivenTools {
  readonly only: readonly string[];
  readonly also: readonly Tool[];
}

/** Puts every tool that is not excluded into the registry. */
export async function assembleTools(
  configuration: Configuration,
  parts: Omit<ToolTableParts, "configuration" | "listTools" | "own"> & {
    readonly registry: GrowingRegistry;
    /** The files of config/tools as they are now. */
    readonly ownFiles: () => Configuration["ownTools"];
    readonly only?: readonly string[] | undefined;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<void> {
  const { ownFiles, registry, only, clock, log } = parts;
  const { exclude, http, options } = configuration.tools;
  const { home } = configuration;
  const own = createOwnTools({ ...configuration.tools, files: ownFiles, home, ask: createAskOwnTool(), clock, log });
  await own.settle();
  const table = createToolTable({ ...parts, configuration, own, listTools: registry.list });
  const declared = Object.entries(http).map(
    ([name, request]) =>
      [name, async () => (await import("../tools/create-http-tool.ts")).createHttpTool(name, request)] as const,
  );
  const seconds = Object.entries(options).flatMap(([name, { use }]) => {
    const make = use && table[use];
    return make ? [[name, make] as const] : [];
  });
  const wanted = [...Object.entries(table), ...declared, ...seconds].filter(
    ([name]) => !exclude.includes(name) && (only?.includes(name) ?? true),
  );
  const tools = await Promise.all(
    wanted.map(async ([name, make]) => {
      const given = options[name] ?? {};
      return applySettings((await make(given)) as Tool, { ...given, name });
    }),
  );
  for (const name of Object.keys(options)) {
    // Those of MCP servers come later.
    if (!name.startsWith("mcp__") && ![...tools, ...own.tools()].some((tool) => tool.name === name))
      log.warn({ tool: name }, "tools.yaml has options for a tool that is not there");
  }
  registry.add(() => tools);
  registry.add(own.tools);
}
