import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import { applySettings, createToolRegistry, type GrowingRegistry } from "../kernel/tools/registry.ts";
import type { Tool } from "../kernel/tools/types.ts";
import { features } from "./features.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import { kernelTools, type KernelToolParts, type MakeTool } from "../kernel/tools/table/kernel-tools.ts";

/** Tools supplied by the caller; `only` restricts the built-in ones. */
export interface GivenTools {
  readonly only: readonly string[];
  readonly also: readonly Tool[];
}

/** The settings that tools are created from; a change creates them again. */
type Making = Pick<Configuration["tools"], "exclude" | "extensions" | "http" | "options"> &
  Pick<Configuration, "zone"> & { readonly settings: readonly unknown[]; readonly timeoutMs: number };

const following = features.filter(({ toolsFollowSettings }) => toolsFollowSettings);

/** The registry of tools, still without built-in and server tools: they are added once the features are made. */
export function assembleRegistry(
  configuration: () => Configuration,
  parts: { readonly tools?: GivenTools | undefined; readonly log: Logger },
): GrowingRegistry {
  return createToolRegistry(parts.tools?.also ?? [], {
    conflicts: () => configuration().tools.conflicts,
    overrides: () => configuration().tools.overrides,
    onConflict: ({ name, source }, loser) =>
      parts.log.warn({ tool: name, winner: source, loser: loser.source }, "two tools have one name"),
  });
}

/** Adds every tool that is not excluded to the registry: built-in ones, then those of MCP servers. */
export async function assembleTools(
  configuration: () => Configuration,
  parts: KernelToolParts & {
    readonly features: readonly MadeFeature[];
    readonly registry: GrowingRegistry;
    readonly listServerTools: () => readonly Tool[];
    readonly tools?: GivenTools | undefined;
    readonly log: Logger;
  },
): Promise<FollowTools> {
  const { registry, log } = parts;
  const only = parts.tools?.only;
  const changing = parts.features.flatMap(({ hooks }) => hooks.changingTools ?? []);
  for (const { settle } of changing) await settle();

  /** Every built-in tool: the kernel's and those of features. */
  const table: Readonly<Record<string, MakeTool>> = Object.fromEntries([
    ...Object.entries(kernelTools).map(([name, make]): [string, MakeTool] => [name, (options) => make(parts, options)]),
    ...parts.features.flatMap(({ tools }) => Object.entries(tools)),
  ]);

  async function makeTools(current: Configuration): Promise<readonly Tool[]> {
    const { exclude, http, options } = current.tools;
    const declared = Object.entries(http).map(
      ([name, request]) =>
        [
          name,
          async () => (await import("../kernel/tools/create-http-tool.ts")).createHttpTool(name, request),
        ] as const,
    );
    const seconds = Object.entries(options).flatMap(([name, { use }]) => {
      const make = use && table[use];
      return make ? [[name, make] as const] : [];
    });
    const wanted = [...Object.entries(table), ...declared, ...seconds].filter(
      ([name]) => !exclude.includes(name) && (only?.includes(name) ?? true),
    );
    const made = await Promise.all(
      wanted.map(async ([name, make]) => {
        const given = options[name] ?? {};
        return applySettings((await make(given)) as Tool, { ...given, name });
      }),
    );
    const others = changing.flatMap(({ list }) => list());
    for (const name of Object.keys(options)) {
      // Tools of MCP servers are added later.
      if (!name.startsWith("mcp__") && ![...made, ...others].some((tool) => tool.name === name))
        log.warn({ tool: name }, "tools.yaml has options for a tool that is not there");
    }
    return made;
  }

  let made = configuration();
  let tools = await makeTools(made);
  registry.add(() => tools);
  for (const { list } of changing) registry.add(list);
  registry.add(parts.listServerTools);
  return async (next) => {
    const before = made;
    if (!isDeepStrictEqual(describeMaking(next), describeMaking(before))) tools = await makeTools(next);
    made = next;
    return listChangedTools(before, next);
  };
}

/**
 * Creates changed tools again; running calls end with the old ones. Returns the tools that differ from what was
 * approved.
 */
export type FollowTools = (next: Configuration) => Promise<readonly string[]>;

function describeMaking({ features: configured, tools, zone, sandbox }: Configuration): Making {
  const { exclude, extensions, http, options } = tools;
  const settings = following.map(({ name }) => configured[name]);
  return { exclude, extensions, http, options, settings, zone, timeoutMs: sandbox.timeoutMs };
}

function listChangedTools(before: Configuration, next: Configuration): readonly string[] {
  const known = [before, next].map(({ tools: { http, options, overrides } }) => {
    const describe = (name: string) => {
      const { timeoutMs: _, description: __, ...own } = options[name] ?? {};
      return { http: http[name], own };
    };
    const standIn = (name: string) => (overrides as Readonly<Record<string, string>>)[name];
    return {
      names: [http, options, overrides].flatMap((section) => Object.keys(section)),
      describe: (name: string) => [describe(name), standIn(name), describe(standIn(name) ?? name)],
    };
  });
  const names = new Set(known.flatMap((one) => one.names));
  return [...names].filter((name) => {
    const [was, is] = known.map((one) => one.describe(name));
    return !isDeepStrictEqual(was, is);
  });
}
