import { tables } from "../assembly/features.ts";
import type { McpCommandConfiguration } from "../features/mcp/cli/mcp-command-context.ts";
import type { SkillsCommandConfiguration } from "../features/skills/cli/skills-command-context.ts";
import type { CommandContext as FeatureCommandContext, ReachedKurisu } from "../kernel/command-line/command.ts";
import { withRunning } from "./chat-connection.ts";
import { reachKurisu } from "./find-kurisu.ts";
import type { CommandContext } from "./types.ts";

/** Leaves of a command's parts what a command of a feature gets, and adds its ways to Kurisu. */
export function narrowContext(
  context: CommandContext,
  { command, feature }: { readonly command: string; readonly feature: string },
): FeatureCommandContext {
  const { arguments: given, version, configuration, isOwnVariable } = context;
  const reach = (purpose: string, stays?: "stays"): Promise<ReachedKurisu> => reachKurisu(context, purpose, stays);
  return {
    arguments: given,
    version,
    configuration: configuration satisfies () => McpCommandConfiguration & SkillsCommandConfiguration,
    settings: () => configuration().features[feature],
    async openStore(secrets) {
      const { home, store: place } = configuration();
      const { openStore } = await import("../store/open-store.ts");
      return openStore({ home, ...place, ...(secrets && { secrets }) }, tables);
    },
    isOwnVariable,
    reachKurisu: reach,
    async askKurisu(request, signal) {
      const reached = await reach(command);
      try {
        return await reached.ask(request, signal);
      } finally {
        await reached.close();
      }
    },
    askRunning: (use) => withRunning(configuration().home, (client) => use(client.askFeature)),
    inspect: () => context.inspect(configuration()),
  };
}
