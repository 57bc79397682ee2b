import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../core/persona/voice-counts.ts";
import { join } from "node:path";
import { findChannelSettings, isNamedByClients } from "../channels/definitions/channel-definitions.ts";
import type { Configuration } from "../config.ts";
import { createRenderQuestion } from "../kernel/questions/render-question.ts";
import { createOutgoingFiles } from "../kernel/outbox/outgoing-files.ts";
import { createDelivery, type Delivery, type GatewayParts } from "../kernel/gateway-parts.ts";
import { createGateway, type Gateway } from "../kernel/gateway.ts";
import type { AccessRules } from "../kernel/people/access.ts";
import { createOwnerCode } from "../kernel/people/owner-code.ts";
import { describeSandbox, listModels } from "../kernel/http/readiness.ts";
import type { Models } from "../models/types.ts";
import { countOwners } from "../store/queries/people.ts";
import { versionOf } from "../kernel/gate/permission.ts";
import { createPhrases } from "../kernel/tools/persona-wrapper.ts";
import { createWarmUpCalls } from "../kernel/tools/warm-up-calls.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { Workspace } from "../workspace/types.ts";

type Given =
  | keyof Delivery
  | "agent"
  | "features"
  | "hooks"
  | "approvals"
  | "listChoices"
  | "fit"
  | "budget"
  | "scrub"
  | "holdBack"
  | "refusedFiles"
  | "waitingKeys";

/** The part that speaks to people and knows who they are. It needs the store and the channels, and no gateway. */
export async function assembleDelivery(
  configuration: () => Configuration,
  parts: Pick<GatewayParts, "channels" | "store" | "work" | "retryMs" | "speak" | "clock" | "log"> & {
    readonly access?: Partial<AccessRules>;
    readonly personas: Pick<ChosenPersonas, "of">;
  },
): Promise<Delivery> {
  const { channels, store } = parts;
  const { home, owners } = configuration();
  const ownerCode = createOwnerCode({
    needed:
      channels.filter(({ platform }) => !isNamedByClients(platform)).length > 1 &&
      owners.every((owner) => owner.platform === "cli") &&
      (await countOwners(store.main)) === 0,
  });
  const listed = (platform: string) => findChannelSettings(configuration().channels, platform);
  const access: AccessRules = {
    owners: owners.map((owner) => `${owner.platform}:${owner.user}`),
    allow: (platform) => listed(platform)?.allow ?? [],
    namedByClients: isNamedByClients,
    trusted: (platform) => listed(platform)?.trusted ?? [],
    admins: (platform) => listed(platform)?.admins,
    groups: (platform) => listed(platform)?.groups ?? [],
    mentionOnly: (platform) => listed(platform)?.mentionOnly ?? false,
    answerAll: (platform) => listed(platform)?.answerAll ?? false,
    observe: (platform) => listed(platform)?.observe ?? false,
    ownerCode,
    ...parts.access,
  };
  const outgoing = createOutgoingFiles(join(home, "outgoing"));
  return createDelivery({ ...parts, access, outgoing, voice: createPhrases(parts.personas.of) });
}

/** The gateway; the configuration of the moment says whom it listens to. */
export function assembleGateway(
  configuration: () => Configuration,
  parts: Pick<GatewayParts, Given> & {
    readonly personas: ChosenPersonas;
    readonly voiceCounts: VoiceCounts;
    readonly registry: ToolRegistry;
    readonly sandbox: Sandbox;
    readonly workspace: Workspace;
    readonly models: Models;
    /** The time of a call that names none. */
    readonly usualSeconds: () => number;
  },
): Gateway {
  const { registry, sandbox, workspace, models, usualSeconds, log } = parts;
  const zone = () => configuration().zone;
  const { voice } = parts;
  return createGateway({
    ...parts,
    warmUp: createWarmUpCalls({ registry, log }),
    files: {
      workspace,
      workspaceLimits: () => configuration().sandbox.workspaceLimits,
      limits: () => configuration().files,
    },
    inputs: () => models.inputs,
    policy: () => versionOf(configuration().tools),
    faultyPersonas: () => configuration().faultyPersonas,
    limits: () => configuration().limits,
    busy: () => configuration().busy,
    renderQuestion: createRenderQuestion({ voice, registry, usualSeconds, zone }),
    describeModel: ({ start }) => (models.offline ? start.offline : listModels(models)),
    modelStatus: () => models.status(),
    outageMs: () => configuration().models.limits.outageMs,
    isOffline: () => models.offline,
    canRunCommands() {
      const shell = registry.find("shell");
      return shell !== undefined && shell.availability?.().ok !== false;
    },
    describeSandbox: (words) => describeSandbox(sandbox.lastStatus(), words),
    language: () => configuration().language,
    zone,
  });
}
