import type { Logger } from "pino";
import { logContentFaults, tellDisabled } from "./tell-content-faults.ts";
import type { FollowTools } from "./assemble-tools.ts";
import type { Places } from "./assemble-places.ts";
import type { Configuration } from "../config.ts";
import { describeError } from "../core/errors.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import type { Gateway } from "../kernel/gateway.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";

/** The unusable parts of a change, as `file: why`; the old ones stay in force. */
export type FollowChange = (next: Configuration) => Promise<readonly string[]>;

/**
 * Acts on changed files, one change at a time. The list is complete: everything else reads the current configuration,
 * or its keys are in keysOfTheStart.
 */
export function createFollowChange(parts: {
  readonly secrets: KnownSecrets;
  readonly mcp: Pick<MCPBridge, "apply">;
  readonly gateway: Pick<Gateway, "applyPolicy">;
  readonly places: Pick<Places, "followSandbox">;
  readonly followTools: FollowTools;
  readonly configurationChanged: CallHooks["configurationChanged"];
  readonly log: Logger;
}): FollowChange {
  const { configurationChanged, secrets, mcp, gateway, places, followTools, log } = parts;
  let before: Promise<unknown> = Promise.resolve();

  async function follow(next: Configuration, earlier: Promise<unknown>): Promise<readonly string[]> {
    await earlier;
    const kept: string[] = [];
    const apply = async <Result>(file: string, part: () => Promise<Result>): Promise<Result | undefined> => {
      try {
        return await part();
      } catch (error) {
        log.error({ err: error, file }, "a part could not follow the changed configuration");
        kept.push(`${file}: ${describeError(error)}`);
        return undefined;
      }
    };
    const changed = await apply("tools.yaml", () => followTools(next));
    await apply("tools.yaml", () => gateway.applyPolicy(changed));
    await apply("mcp.json", () => mcp.apply(next.mcp.servers));
    const refused = await apply("sandbox.yaml", () => places.followSandbox(next));
    if (refused !== undefined) kept.push(`sandbox.yaml: ${refused}`);
    configurationChanged();
    return kept;
  }

  return (next) => {
    // New secrets are hidden before anything else.
    secrets.keep(next.secrets);
    tellDisabled(next, log);
    logContentFaults(next, log);
    const done = follow(next, before);
    before = done;
    return done;
  };
}
