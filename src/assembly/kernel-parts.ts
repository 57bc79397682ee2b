import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../core/persona/voice-counts.ts";
import type { Budget } from "../models/budget.ts";
import type { Models } from "../models/types.ts";
import type { BusyOptions } from "../kernel/turns/busy-options.ts";
import type { Limits } from "../kernel/inbox/limit-options.ts";
import type { Agent } from "../kernel/agent/agent.ts";
import type { InputKind } from "../core/content-part.ts";
import type { Language } from "../core/conversation.ts";
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
  readonly pause: PauseState;
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
