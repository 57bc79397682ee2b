import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/open-store.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import { createToolRegistry, type GrowingRegistry } from "../kernel/tools/registry.ts";
import type { Tool } from "../kernel/tools/types.ts";
import { assembleTools, type FollowTools, type GivenTools } from "./assemble-tools.ts";

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

/** Adds every tool to the registry: built-in ones, then those of MCP servers. */
export async function assembleAbilities(
  configuration: () => Configuration,
  parts: {
    readonly registry: GrowingRegistry;
    readonly store: Pick<Store, "main">;
    readonly features: readonly MadeFeature[];
    readonly zone: () => string;
    readonly listServerTools: () => readonly Tool[];
    readonly tools?: GivenTools | undefined;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<FollowTools> {
  const followTools = await assembleTools(configuration, {
    ...parts,
    only: parts.tools?.only,
    kernel: parts,
  });
  parts.registry.add(parts.listServerTools);
  return followTools;
}
