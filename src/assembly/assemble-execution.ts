import { findLongestQuestion } from "../channels/definitions/channel-definitions.ts";
import type { Configuration } from "../config.ts";
import type { Meter } from "../core/meter.ts";
import { ApprovalManager } from "../kernel/gate/approval-manager.ts";
import type { FindRole } from "../kernel/gate/resolve-current-role.ts";
import type { CallHooks } from "../kernel/feature/call-hooks.ts";
import { createToolExecutor, type ToolExecutor } from "../kernel/tools/executor.ts";
import { createFitResult, type FitResult } from "../kernel/tools/fit-result.ts";
import type { KeepResult } from "../kernel/tools/keep-result.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import type { SessionSnapshots } from "../workspace/snapshots/session-snapshots.ts";
import type { Ground } from "./open-ground.ts";

/** The approval manager and the executor; both follow the current rules. */
export interface Execution {
  readonly approvals: ApprovalManager;
  readonly executor: ToolExecutor;
  readonly fit: FitResult;
}

export function assembleExecution(
  configuration: () => Configuration,
  parts: Ground & {
    readonly hooks: CallHooks;
    readonly registry: ToolRegistry;
    readonly findRole: FindRole;
    readonly keepResult: KeepResult;
    readonly meter: Meter;
    readonly snapshots?: Pick<SessionSnapshots, "save">;
  },
): Execution {
  const { store, registry, findRole, secrets, meter, clock, log } = parts;
  const { scrub } = secrets;
  const rules = () => configuration().tools;
  const approvals = new ApprovalManager({
    clock,
    timeoutMs: (chatKind, session) => {
      const wanted = rules().approval[chatKind === "group" ? "groupTimeoutMs" : "timeoutMs"];
      return Math.min(wanted, findLongestQuestion(session, chatKind));
    },
    onDecided: parts.hooks.decided,
    meter,
  });
  const fit = createFitResult({ keep: parts.keepResult });
  const saveFiles = parts.snapshots?.save;
  return {
    approvals,
    executor: createToolExecutor({
      store,
      registry,
      approvals,
      rules,
      findRole,
      fit,
      saveFiles,
      scrub,
      meter,
      clock,
      log,
    }),
    fit,
  };
}
