import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import { isOwnPlatform } from "../core/own-platforms.ts";
import type { OutboxItem } from "../store/queries/outbox.ts";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/open-store.ts";
import { createPhrases, type FindVoice } from "../kernel/tools/persona-wrapper.ts";
import { createQuarantine, type Quarantine } from "../kernel/recovery/quarantine.ts";
import type { WorkRecord } from "../kernel/recovery/work-record.ts";
import type { AccessRules } from "../kernel/people/access.ts";
import { createRoles, type Roles } from "../kernel/people/find-role.ts";
import { createFileDelivery, type FileDelivery } from "../kernel/outbox/file-delivery.ts";
import { createOutbox, type Outbox } from "../kernel/outbox/outbox.ts";
import { createRescueMention, type RescueMention } from "../kernel/outbox/rescue-mention.ts";
import { createOutgoingFiles, type OutgoingFiles } from "../kernel/outbox/outgoing-files.ts";
import { createRecentTalk, type RecentTalk } from "../kernel/outbox/recent-talk.ts";
import { createSystemReplies, type SystemReplies } from "../kernel/outbox/system-replies.ts";
import { createTellOwners, type TellOwners } from "../kernel/outbox/tell-owners.ts";
import type { Speech } from "../kernel/feature/speech.ts";
import type { Channel, OutboundMessage } from "../channels/types.ts";
import { join } from "node:path";
import { findChannelSettings, isNamedByClients } from "../channels/definitions/channel-definitions.ts";
import type { Claims } from "./assemble-cluster.ts";
import type { Configuration } from "../config.ts";
import { createOwnerCode } from "../kernel/people/owner-code.ts";
import { countOwners } from "../store/queries/people.ts";

interface DeliveryBase extends Claims {
  readonly store: Store;
  readonly channels: readonly Channel[];
  /** Access and ownership. */
  readonly access: AccessRules;
  /** The record of running work, from which the next start learns why the process died. */
  readonly work: WorkRecord;
  /** Holds outgoing files until they are sent. */
  readonly outgoing: OutgoingFiles;
  /** Synthesises a voice message. Supplied by a feature. */
  readonly speak: (speech: NonNullable<OutboundMessage["speech"]>) => Promise<Speech>;
  readonly voice: FindVoice;
  /** Milliseconds between a store error and the next attempt. */
  readonly retryMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The parts of the gateway that tools, models and MCP servers need; they are created before those, the gateway after
 * them.
 */
export interface Delivery extends DeliveryBase {
  /** Opened when the gateway starts; until then the outbox sends nothing. */
  readonly quarantine: Quarantine;
  readonly outbox: Outbox;
  readonly systemReplies: SystemReplies;
  /** The latest talk of each chat. */
  readonly recentTalk: RecentTalk;
  /** Sends a text to every owner in their private chat, once per id. */
  readonly tellOwners: TellOwners;
  readonly roles: Roles;
  /** Used by the tool `send_file`. */
  readonly fileDelivery: FileDelivery;
}

/** The part that sends messages and identifies people. It needs the store and the channels, but no gateway. */
export async function assembleDelivery(
  configuration: () => Configuration,
  parts: Pick<DeliveryBase, keyof Claims | "channels" | "store" | "work" | "retryMs" | "speak" | "clock" | "log"> & {
    readonly access?: Partial<AccessRules>;
    readonly personas: Pick<ChosenPersonas, "of">;
  },
): Promise<Delivery> {
  const { channels, clock, store } = parts;
  const { home, owners } = configuration();
  const ownerCode = await createOwnerCode({
    store,
    clock,
    needed:
      channels.some(({ platform }) => !isOwnPlatform(platform) && !isNamedByClients(platform)) &&
      owners.every((owner) => isOwnPlatform(owner.platform)) &&
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
  const outgoing = await openOutgoingFiles(parts, join(home, "outgoing"));
  const base: DeliveryBase = { ...parts, access, outgoing, voice: createPhrases(parts.personas.of) };
  const quarantine = createQuarantine();
  /** The loss of a loss notice is not reported again. */
  const lost = "given-up:";
  const onGivenUp = async ({ id, session }: OutboxItem, reason: string): Promise<void> => {
    if (id.startsWith(lost)) return;
    const day = Math.floor(clock.now() / (24 * 3_600_000));
    await tellOwners(`${lost}${session}:${day}`, ({ access: words }) => words.givenUp({ session, reason }));
  };
  const recentTalk = createRecentTalk(clock);
  const onRefused: RescueMention = (...refused) => rescueMention(...refused);
  const outbox = createOutbox({
    ...base,
    files: outgoing,
    quarantine,
    onGivenUp,
    onRefused,
    onSaying: recentTalk.say,
  });
  const systemReplies = createSystemReplies({ store, outbox, voice: base.voice, clock });
  const tellOwners = createTellOwners({ store, systemReplies, owners: access.owners });
  const rescueMention = createRescueMention({ store, systemReplies, tellOwners });
  return {
    ...base,
    quarantine,
    outbox,
    systemReplies,
    recentTalk,
    tellOwners,
    roles: createRoles({ store, rules: access, channels }),
    fileDelivery: createFileDelivery({ store, outgoing, outbox, channels, clock }),
  };
}

/** In the data folder on SQLite; on Postgres in the database, for another process may send what this one made. */
async function openOutgoingFiles(parts: Pick<DeliveryBase, "store" | "clock">, folder: string): Promise<OutgoingFiles> {
  if (parts.store.engine === "sqlite") return createOutgoingFiles(folder);
  const { createStoredOutgoingFiles } = await import("../kernel/outbox/stored-outgoing-files.ts");
  return createStoredOutgoingFiles(parts, folder);
}
