import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../core/persona/voice-counts.ts";
import type { OutboxItem } from "../store/queries/outbox.ts";
import type { Budget } from "../models/budget.ts";
import type { Models } from "../models/types.ts";
import type { BusyOptions } from "./turns/busy-options.ts";
import type { Limits } from "./inbox/limit-options.ts";
import type { Logger } from "pino";
import type { Agent } from "./agent/agent.ts";
import type { Clock } from "../core/clock.ts";
import type { InputKind } from "../core/content-part.ts";
import type { Language } from "../core/conversation.ts";
import type { Words } from "../core/words/dictionary.ts";
import type { Store } from "../store/open-store.ts";
import type { FileDelivery } from "./outbox/file-delivery.ts";
import type { ApprovalManager } from "./gate/approval-manager.ts";
import type { FitResult } from "./tools/fit-result.ts";
import type { Scrub } from "./tools/key-argument.ts";
import type { FindVoice } from "./tools/persona-wrapper.ts";
import type { WarmUpCalls } from "./tools/warm-up-calls.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";
import type { Workspace } from "../workspace/types.ts";
import { createQuarantine, type Quarantine } from "./recovery/quarantine.ts";
import type { WorkRecord } from "./recovery/work-record.ts";
import type { AccessRules } from "./people/access.ts";
import { createRoles, type Roles } from "./people/find-role.ts";
import type { RenderQuestion } from "./questions/render-question.ts";
import { createFileDelivery } from "./outbox/deliver-files.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import { createRescueMention, type RescueMention } from "./outbox/rescue-mention.ts";
import type { OutgoingFiles } from "./outbox/outgoing-files.ts";
import { createRecentTalk, type RecentTalk } from "./outbox/recent-talk.ts";
import { createSystemReplies, type SystemReplies } from "./outbox/system-replies.ts";
import { createTellOwners, type TellOwners } from "./outbox/tell-owners.ts";
import type { CallHooks } from "./feature/call-hooks.ts";
import type { MadeFeature } from "./feature/make-features.ts";
import type { Speech } from "./feature/speech.ts";
import type { FileLimits } from "./files/receive-files.ts";
import type { Channel, OutboundMessage } from "../channels/types.ts";

/** Milliseconds between a fault of the store and the next try, unless set. */
export const defaultRetryMs = 5_000;

interface Ground {
  readonly store: Store;
  readonly channels: readonly Channel[];
  /** Whom it listens to, and who is an owner. */
  readonly access: AccessRules;
  /** The record of running work: from it the next start knows why the process died. */
  readonly work: WorkRecord;
  /** Holds outgoing files until they are sent. */
  readonly outgoing: OutgoingFiles;
  /** Makes the sound of a voice message. A feature supplies this. */
  readonly speak: (speech: NonNullable<OutboundMessage["speech"]>) => Promise<Speech>;
  readonly voice: FindVoice;
  /** Milliseconds between a fault of the store and the next try. */
  readonly retryMs?: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The parts of the gateway that tools, models and MCP servers need: made before them, the gateway after them. */
export interface Delivery extends Ground {
  /** Opened by the gateway's start; until then the outbox sends nothing. */
  readonly quarantine: Quarantine;
  readonly outbox: Outbox;
  readonly systemReplies: SystemReplies;
  /** The latest talk of each chat. */
  readonly recentTalk: RecentTalk;
  /** Says something to every owner in their private chat, once per id. */
  readonly tellOwners: TellOwners;
  readonly roles: Roles;
  /** Used by the tool `send_file`. */
  readonly fileDelivery: FileDelivery;
}

export function createDelivery(ground: Ground): Delivery {
  const { access, channels, clock, outgoing, store } = ground;
  const quarantine = createQuarantine();
  /** A message about a lost message is not told of again. */
  const lost = "given-up:";
  const onGivenUp = async ({ id, session }: OutboxItem, reason: string): Promise<void> => {
    if (id.startsWith(lost)) return;
    const day = Math.floor(clock.now() / (24 * 3_600_000));
    await tellOwners(`${lost}${session}:${day}`, ({ access: words }) => words.givenUp({ session, reason }));
  };
  const recentTalk = createRecentTalk(clock);
  const onRefused: RescueMention = (...refused) => rescueMention(...refused);
  const outbox = createOutbox({
    ...ground,
    files: outgoing,
    quarantine,
    onGivenUp,
    onRefused,
    onSaying: recentTalk.say,
  });
  const systemReplies = createSystemReplies({ store, outbox, voice: ground.voice, clock });
  const tellOwners = createTellOwners({ store, systemReplies, owners: access.owners });
  const rescueMention = createRescueMention({ store, systemReplies, tellOwners });
  return {
    ...ground,
    quarantine,
    outbox,
    systemReplies,
    recentTalk,
    tellOwners,
    roles: createRoles({ store, rules: access, channels }),
    fileDelivery: createFileDelivery({ store, outgoing, outbox, channels, clock }),
  };
}

/** The parts of the gateway that others made. */
export interface GatewayParts extends Delivery {
  readonly agent: Agent;
  readonly approvals: ApprovalManager;
  /** Called when a question is asked, and again when it is approved. */
  readonly warmUp: WarmUpCalls;
  /** Keeps what is too long for a prompt in the workspace. */
  readonly fit: FitResult;
  /** Where what people send goes. */
  readonly files: {
    readonly workspace: Workspace;
    readonly workspaceLimits: () => WorkspaceLimits;
    readonly limits: () => FileLimits;
  };
  /** In the order in which their hooks are called. */
  readonly features: readonly MadeFeature[];
  /** Their hooks as one. */
  readonly hooks: CallHooks;
  /** The input kinds that the models take beside text. */
  readonly inputs: () => ReadonlySet<InputKind>;
  readonly policy: () => string;
  readonly personas: ChosenPersonas;
  /** How drafts were mended. */
  readonly voiceCounts: Pick<VoiceCounts, "lastIn">;
  /** Ids of personas that cannot be chosen for their faults. */
  readonly faultyPersonas: () => readonly string[];
  readonly renderQuestion: RenderQuestion;
  readonly limits: () => Limits;
  /** The way of words that come while she is busy, where a chat has not chosen. */
  readonly busy: () => BusyOptions;
  readonly budget: Pick<Budget, "look" | "listClose">;
  /** Takes known secrets out of what people are shown. */
  readonly scrub: Scrub;
  /** Cuts off what may be the beginning of a secret, of a text that is still being written. */
  readonly holdBack: Scrub;
  readonly describeModel: (words: Words) => string;
  readonly modelStatus: Models["status"];
  /** How long a turn waits when no model answers, milliseconds; 0 = not at all. */
  readonly outageMs: () => number;
  /** The models that a chat may choose. */
  readonly listChoices: () => readonly string[];
  /** No model is there but the built-in one that follows rules. */
  readonly isOffline: () => boolean;
  readonly describeSandbox: (words: Words) => string;
  /** The tool `shell` is there and has an engine. */
  readonly canRunCommands: () => boolean;
  /** Changed keys of the configuration that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  /** Files of the configuration with faults, whose last good ones are in force. */
  readonly refusedFiles: () => readonly string[];
  readonly language: () => Language;
  readonly zone: () => string;
}
