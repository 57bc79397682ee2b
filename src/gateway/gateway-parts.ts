import type { Budget } from "../models/budget.ts";
import type { Limits } from "./oversight/limit-options.ts";
import type { Logger } from "pino";
import type { Agent } from "../agents/agent.ts";
import type { Clock } from "../core/clock.ts";
import type { Language } from "../core/conversation.ts";
import type { Words } from "../core/words/dictionary.ts";
import type { SessionSkills } from "../skills/session-skills.ts";
import type { Store } from "../store/open-store.ts";
import type { ApprovalManager } from "../policy/approval-manager.ts";
import type { FitResult } from "../tools/fit-result.ts";
import type { Scrub } from "../tools/key-argument.ts";
import type { PersonaWrapper } from "../tools/persona-wrapper.ts";
import type { MCPBridge } from "../mcp/mcp-bridge.ts";
import type { PrepareCalls } from "../tools/prepare-calls.ts";
import type { ToolPreviewer } from "../tools/previewer.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";
import type { Workspace } from "../workspace/types.ts";
import type { WorkRecord } from "./recovery/work-record.ts";
import type { AccessRules } from "./people/access.ts";
import type { WordQuestion } from "./approvals/word-question.ts";
import type { OutgoingFiles } from "./outbox/outgoing-files.ts";
import type { FileLimits } from "./files/receive-files.ts";
import type { Channel } from "../channels/types.ts";

/** What the gateway is made of that others made. */
export interface GatewayParts {
  readonly store: Store;
  readonly agent: Agent;
  /** What is at work, so that the next start knows what the process died of. */
  readonly work: WorkRecord;
  readonly approvals: ApprovalManager;
  readonly previewer: ToolPreviewer;
  /** Called when a question is asked, and again when it is answered with a yes. */
  readonly prepare: PrepareCalls;
  /** Keeps what is too long for a prompt in the workspace. */
  readonly fit: FitResult;
  readonly channels: readonly Channel[];
  /** What people send goes into the workspace, what she sends is kept until it is out. */
  readonly files: {
    readonly workspace: Workspace;
    readonly workspaceLimits: WorkspaceLimits;
    readonly limits: FileLimits;
    readonly outgoing: OutgoingFiles;
  };
  readonly access: AccessRules;
  readonly skills: Pick<SessionSkills, "list" | "listDisabled" | "choose">;
  readonly policy: () => string;
  readonly voice: () => PersonaWrapper;
  readonly wordQuestion: WordQuestion;
  readonly limits: () => Limits;
  readonly budget: Pick<Budget, "look">;
  /** For /mcp. */
  readonly mcp: MCPBridge;
  /** Takes secrets out of what commands show of others' words. */
  readonly scrub: Scrub;
  readonly describeModel: () => string;
  /** No model is there but the built-in one that follows rules. */
  readonly isOffline: () => boolean;
  readonly describeSandbox: (words: Words) => string;
  readonly language: () => Language;
  readonly zone: string;
  /** Milliseconds between a fault of the store and the next try. */
  readonly retryMs?: number;
  readonly clock: Clock;
  readonly log: Logger;
}
