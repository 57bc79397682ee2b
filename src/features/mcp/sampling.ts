import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpSampling, McpServerRequests } from "./connection/types.ts";
import type { McpServer } from "./servers/types.ts";

const dayMs = 24 * 3_600_000;
const charactersPerToken = 3;

/**
 * Lets permitted servers have our model write something, within their tokens of the day. Counted in memory: a start
 * gives a full day's tokens. A model that does not report its usage is charged by length.
 */
export function createSampling(parts: {
  readonly write: (
    wanted: McpSampling,
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly model: string; readonly tokens: number }>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
}): (server: McpServer) => NonNullable<McpServerRequests["sample"]> {
  const used = new Map<string, { readonly day: number; readonly tokens: number }>();
  return (server) => async (wanted, signal) => {
    const budget = server.sampling?.tokens ?? 0;
    const day = Math.floor(parts.clock.now() / dayMs);
    const before = used.get(server.name);
    const spent = before?.day === day ? before.tokens : 0;
    const estimate = Math.ceil(
      [wanted.system, ...wanted.messages.map(({ text }) => text)].join("").length / charactersPerToken,
    );
    if (spent + estimate > budget) throw new McpFault("refused", "The budget of this server for today is used up.");
    // Charged before the model is asked: two requests in parallel must not both fit into what is left.
    used.set(server.name, { day, tokens: spent + estimate });
    const { text, model, tokens } = await parts.write(wanted, signal);
    const cost = Math.max(tokens, estimate + Math.ceil(text.length / charactersPerToken));
    const now = used.get(server.name);
    used.set(server.name, { day, tokens: (now?.day === day ? now.tokens : 0) - estimate + cost });
    parts.log.info({ server: server.name, tokens: cost }, "an MCP server had the model write something");
    return { text, model };
  };
}
