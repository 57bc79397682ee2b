import type { createLog } from "../../../core/log.ts";
import type { CommandConfiguration, CommandContext } from "../../../kernel/command-line/command.ts";
import type { McpServer } from "../servers/types.ts";

/** The parts of the configuration that the command `mcp` reads. */
export interface McpCommandConfiguration extends CommandConfiguration {
  readonly configFolder: string;
  readonly http: { readonly port: number };
  readonly log: { readonly level: Parameters<typeof createLog>[0]["level"] };
  readonly mcp: { readonly servers: readonly McpServer[] };
  /** Settings of `mcp serve --http`. */
  readonly mcpServe: { readonly token?: string };
  readonly secrets: readonly string[];
}

export function readMcpConfiguration(context: Pick<CommandContext, "configuration">): McpCommandConfiguration {
  return context.configuration() as McpCommandConfiguration;
}
