import type Docker from "dockerode";
import type { Logger } from "pino";
import { isGone } from "./engine-faults.ts";

/** Milliseconds: create and start on a slow disk; every other call. An engine that takes longer counts as gone. */
export const callLimits = { start: 60_000, call: 15_000 };

/** Name and body apart: left together, the library writes the whole body, command and all, into the address as well. */
export function createContainer(docker: Docker, spec: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  const { name, ...body } = spec;
  const parts = { _query: { name }, _body: body, abortSignal: AbortSignal.timeout(callLimits.start) };
  return docker.createContainer(parts);
}

/** Removes a container by force. Failing is no fault of the command: the sweep tries again. */
export async function removeContainer(container: Docker.Container, log: Pick<Logger, "warn">): Promise<boolean> {
  try {
    await container.remove({ force: true, v: true, abortSignal: AbortSignal.timeout(callLimits.call) });
    return true;
  } catch (error) {
    if (isGone(error)) return true;
    log.warn(
      { error, container: container.id },
      "a sandbox container could not be removed; the next sweep tries again",
    );
    return false;
  }
}
