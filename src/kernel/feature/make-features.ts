import type { ChatCommand } from "../commands/command-info.ts";
import type { MakeTool } from "../tools/table/kernel-tools.ts";
import type { DefinedFeature, Feature, FeatureHooks, Kernel } from "./define-feature.ts";

/** A feature with its settings, ready for use. */
export interface MadeFeature {
  readonly name: string;
  readonly hooks: FeatureHooks;
  readonly commands: readonly ChatCommand[];
  readonly tools: Readonly<Record<string, MakeTool>>;
}

export interface MadeFeatures {
  /** In the order in which their hooks are called. */
  readonly list: readonly MadeFeature[];
  /** The parts that a feature made. */
  of<Made>(feature: DefinedFeature<Made>): Made;
}

/** `settings` returns the current ones, by feature name. A feature is made after those that it needs. */
export function makeFeatures(
  features: readonly Feature[],
  kernel: Kernel,
  settings: () => Readonly<Record<string, unknown>>,
): MadeFeatures {
  const parts = new Map<string, FeatureHooks>();

  function make(feature: Feature): FeatureHooks {
    const known = parts.get(feature.name);
    if (known) return known;
    const needed = Object.entries(feature.needs ?? {}).map(([name, other]) => [name, make(other)]);
    const made = feature.make(kernel, () => settings()[feature.name], Object.fromEntries(needed));
    parts.set(feature.name, made);
    return made;
  }

  const list = features.map((feature): MadeFeature => {
    const hooks = make(feature);
    const commands = (feature.commands ?? []).map((row): ChatCommand => ({
      ...row,
      answer: (call) => row.answer(hooks, call),
      complete: async (session, words) => (await row.complete?.(hooks, session, words)) ?? [],
    }));
    const rows = Object.entries({ ...feature.tools, ...feature.soleTools });
    const tools = rows.map(([name, row]): [string, MakeTool] => [name, (options) => row(hooks, options)]);
    return { name: feature.name, hooks, commands, tools: Object.fromEntries(tools) };
  });
  return { list, of: <Made>(feature: DefinedFeature<Made>) => make(feature) as Made };
}
