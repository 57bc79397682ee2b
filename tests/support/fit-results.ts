import { pino } from "pino";
import { createFitResult, type FitResult } from "../../src/kernel/tools/fit-result.ts";
import { createKeepResult } from "../../src/kernel/tools/keep-result.ts";
import type { Workspace } from "../../src/workspace/types.ts";

/** Results that are kept in this workspace, a megabyte of it. */
export function fitInto(workspace: Pick<Workspace, "write" | "folderFor">, limit?: number): FitResult {
  const log = pino({ level: "silent" });
  const keep = createKeepResult({ workspace, workspaceLimits: () => ({ bytes: 1_000_000, files: 1_000 }), log });
  return createFitResult({ keep, ...(limit !== undefined && { limit }) });
}

/** The same on a disk that takes nothing. */
export function fitNowhere(reason: string): FitResult {
  const refuse = (): Promise<never> => Promise.reject(new Error(reason));
  return fitInto({ write: refuse, folderFor: refuse });
}
