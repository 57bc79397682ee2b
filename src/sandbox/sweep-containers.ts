import type Docker from "dockerode";
import type { Logger } from "pino";
import { removeContainer } from "./container-calls.ts";
import { sandboxLabels } from "./container-spec.ts";

export interface Sweep {
  readonly docker: Docker;
  readonly installation: string;
  readonly instance: string;
  /** Whether a run of this instance is under way. It was before its container was asked for, so it is asked after the list. */
  readonly isRunning: (run: string) => boolean;
  readonly log: Pick<Logger, "warn">;
}

export interface Swept {
  readonly removed: number;
  /**
   * Containers that the engine has not given up yet: another sweep may get them. Absent when the search for them failed.
   */
  readonly left: number | undefined;
}

/** Removes containers of this installation that no living run owns. Other installations on the same engine are left alone. */
export async function sweepContainers(sweep: Sweep): Promise<Swept> {
  const containers = await sweep.docker.listContainers({
    all: true,
    filters: { label: [`${sandboxLabels.sandbox}=1`, `${sandboxLabels.installation}=${sweep.installation}`] },
    abortSignal: AbortSignal.timeout(15_000),
  });
  const orphans = containers.filter((container) => {
    const labels = container.Labels;
    if (labels[sandboxLabels.instance] !== sweep.instance) return true;
    return !sweep.isRunning(labels[sandboxLabels.run] ?? "");
  });
  let removed = 0;
  for (const orphan of orphans) {
    if (await removeContainer(sweep.docker.getContainer(orphan.Id), sweep.log)) removed += 1;
  }
  return { removed, left: orphans.length - removed };
}
