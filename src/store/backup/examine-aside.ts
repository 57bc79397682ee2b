import { AppError, describeError } from "../../core/errors.ts";
import { startStoppableThread } from "../../core/stoppable-thread.ts";
import type { ExaminedCopy } from "./examine-copy.ts";

const limitMs = 30 * 60_000;

/** `examineCopy` in a thread. */
export async function examineAside(folder: string, signal?: AbortSignal): Promise<ExaminedCopy> {
  const thread = startStoppableThread<string, ExaminedCopy>(new URL("examine-copy-thread.ts", import.meta.url), {
    heapMegabytes: 64,
  });
  try {
    const answer = await thread.ask(folder, { limitMs, ...(signal && { signal }) });
    if (answer.kind === "answered") return answer.result;
    const reason = answer.kind === "failed" ? describeError(answer.error) : answer.kind;
    throw new AppError("BACKUP_FAILED", `The copy of the database could not be checked: ${reason}`);
  } finally {
    await thread.end();
  }
}
