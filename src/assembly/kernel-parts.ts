import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../core/persona/voice-counts.ts";
import type { Budget } from "../models/budget.ts";
import type { Models } from "../models/types.ts";
import type { BusyOptions } from "../kernel/turns/busy-options.ts";
import type { Limits } from "../kernel/inbox/limit-options.ts";
import type { Agent } from "../kernel/agent/agent.ts";
import type { InputKind } from "../core/content-part.ts";
import type { Language } from "../core/conversation.ts";
import type { Meter } from "../core/meter.ts";
import type { Words } from "../core/words/dictionary.ts";
import type { ApprovalManager } from "../kernel/gate/approval-manager.ts";
import type { FitResult } from "../kernel/tools/fit-result.ts";
import type { Scrub } from "../kernel/tools/key-argument.ts";
import type { WarmUpCalls } from "../kernel/tools/warm-up-calls.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";
import type { Workspace } from "../workspace/types.ts";
import type { PauseState } from "../kernel/pause/pause-state.ts";
import type { RenderQuestion } from "../kernel/questions/render-question.ts";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import type { FileLimits } from "../kernel/files/receive-files.ts";
import type { Delivery } from "./assemble-delivery.ts";

/** The parts that the kernel is wired from. */
export interface KernelParts extends Delivery {
  readonly agent: Agent;
  readonly approvals: ApprovalManager;
  /** Called when a question is asked, and again when it is approved. */
  readonly warmUp: WarmUpCalls;
  /** Stores what is too long for a prompt in the workspace. */
  readonly fit: FitResult;
  /** The destination and limits of files that people send. */
  readonly files: {
    readonly workspace: Workspace;
    readonly workspaceLimits: () => WorkspaceLimits;
    readonly limits: () => FileLimits;
  };
  /** In the order of hook calls. */
  readonly features: readonly MadeFeature[];
  /** All hooks as one. */
  readonly hooks: CallHooks;
  /** The input kinds that the models accept besides text. */
  readonly inputs: () => ReadonlySet<InputKind>;
  readonly meter: Meter;
  readonly policy: () => string;
  readonly pause: PauseState;
  readonly personas: ChosenPersonas;
  /** Counts of corrected drafts. */
  readonly voiceCounts: Pick<VoiceCounts, "lastIn">;
  /** Ids of personas that have faults and cannot be chosen. */
  readonly faultyPersonas: () => readonly string[];
  readonly renderQuestion: RenderQuestion;
  readonly limits: () => Limits;
  /** How messages are handled while a turn runs, in chats without a choice of their own. */
  readonly busy: () => BusyOptions;
  readonly budget: Pick<Budget, "look" | "listClose">;
  /** Removes known secrets from everything shown to people. */
  readonly scrub: Scrub;
  /** Withholds the end of a growing text that may become a secret. */
  readonly holdBack: Scrub;
  readonly describeModel: (words: Words) => string;
  readonly modelStatus: Models["status"];
  /** How long a turn waits when no model answers, in milliseconds; 0 disables waiting. */
  readonly outageMs: () => number;
  /** The models that a chat may choose. */
  readonly listChoices: () => readonly string[];
  /** Whether the rule-driven offline model is the only one. */
  readonly isOffline: () => boolean;
  readonly describeSandbox: (words: Words) => string;
  /** Whether the tool `shell` exists and has an engine. */
  readonly canRunCommands: () => boolean;
  /** Changed configuration keys that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  /** Faulty configuration files, whose last good versions are in force. */
  readonly refusedFiles: () => readonly string[];
  readonly language: () => Language;
  readonly zone: () => string;
}
