import type { CommandConfiguration, CommandContext } from "../../../kernel/command-line/command.ts";
import type { McpServer } from "../../mcp/servers/types.ts";
import type { SkillsConfiguration } from "../open-skills.ts";

/** The parts of the configuration that the command `skills` reads. */
export type SkillsCommandConfiguration = CommandConfiguration &
  Pick<SkillsConfiguration, "disabledSkills" | "skills" | "skillSentences" | "surroundings"> & {
    readonly mcp: { readonly servers: readonly McpServer[] };
  };

export function readSkillsConfiguration(context: Pick<CommandContext, "configuration">): SkillsCommandConfiguration {
  return context.configuration() as SkillsCommandConfiguration;
}
