import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { McpServerView } from "./mcp-bridge.ts";
import { mendSchema } from "./schemas/mend-schema.ts";

interface Measured {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Parameters<typeof mendSchema>[0];
}

/** About the tokens that the definitions of tools take in a request to a model. */
export function measureTools(tools: readonly Measured[]): number {
  const shown = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: mendSchema(inputSchema).parameters,
  }));
  return shown.reduce((sum, one) => sum + estimateTokens(JSON.stringify(one)), 0);
}

/** The tokens of those tools of a server that models may see. */
export function measureServer({ tools }: Pick<McpServerView, "tools">): number {
  return measureTools(
    tools.flatMap((one) =>
      one.state === "trusted" && !one.withdrawn ? [{ ...one.definition, name: one.fullName }] : [],
    ),
  );
}
