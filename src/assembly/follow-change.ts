import type { Logger } from "pino";
import { tellDisabled } from "./assemble-skill-store.ts";
import { logContentFaults } from "./assemble-skills.ts";
import type { Configuration } from "../config.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { MCPBridge } from "../mcp/mcp-bridge.ts";

/** What must be done about changed files; all else reads the configuration of the moment, or waits for the next start. */
export function followChange(
  next: Configuration,
  parts: {
    readonly secrets: KnownSecrets;
    readonly mcp: Pick<MCPBridge, "apply">;
    readonly gateway: Pick<Gateway, "applyPolicy">;
    readonly log: Logger;
  },
): void {
  const { secrets, mcp, gateway, log } = parts;
  secrets.keep(next.secrets);
  mcp.apply(next.mcp.servers).catch((error: unknown) => log.error({ err: error }, "MCP servers stay as they were"));
  tellDisabled(next, log);
  logContentFaults(next, log);
  log.info(
    "the configuration changed; persona, language, rules, approval times, message limits, budget, rounds, skills, sub-agents, MCP servers and who may talk follow now; channels, models, sandbox, files, HTTP, the tools' own options and zone at the next start",
  );
  gateway.applyPolicy().catch((error: unknown) => log.error({ err: error }, "open questions could not be closed"));
}
