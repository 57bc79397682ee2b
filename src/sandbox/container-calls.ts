import type Docker from "dockerode";
import type { Logger } from "pino";
import { raceAbort } from "../core/abort.ts";
import { isGone, readStatusCode } from "./engine-faults.ts";

/** Milliseconds: create and start on a slow disk; every other call. An engine that takes longer counts as gone. */
export const callLimits = { start: 60_000, call: 15_000 };

/** The engine made a container of another image than the one that was meant: its name had been given to another one. */
export class ImageChanged extends Error {
  override readonly name = "ImageChanged";
}

/** The text for people. */
export const imageChanged = {
  reason: "The sandbox image is another one by now than the one that this was asked for.",
  remedy: "Ask for it again.",
};

/**
 * Name and body apart: left together, the library writes the whole body, command and all, into the address as well.
 * `image` = the content digest that it must be of, whatever the name means by now; otherwise nothing is started. Throws
 * ImageChanged.
 */
export async function createContainer(
  docker: Docker,
  spec: Docker.ContainerCreateOptions,
  { image, log }: { readonly image?: string | undefined; readonly log: Pick<Logger, "warn"> },
): Promise<Docker.Container> {
  const { name, ...body } = spec;
  const parts = { _query: { name }, _body: body, abortSignal: AbortSignal.timeout(callLimits.start) };
  const container = await docker.createContainer(parts);
  if (image === undefined) return container;
  try {
    const { Image: made } = await raceAbort(container.inspect(), AbortSignal.timeout(callLimits.call));
    if (toPlainDigest(made) === toPlainDigest(image)) return container;
    throw new ImageChanged(`the container is of ${made}, and not of ${image}`);
  } catch (error) {
    await removeContainer(container, log);
    throw error;
  }
}

/** Podman leaves out what kind of digest it is, here and there. */
const toPlainDigest = (id: string): string => id.replace(/^sha256:/, "");

/**
 * Removes a container by force. Failing is no fault of the command: the sweep tries again. False also while another
 * removal of it is under way, which may yet fail.
 */
export async function removeContainer(container: Docker.Container, log: Pick<Logger, "warn">): Promise<boolean> {
  try {
    await container.remove({ force: true, v: true, abortSignal: AbortSignal.timeout(callLimits.call) });
    return true;
  } catch (error) {
    if (isGone(error)) return readStatusCode(error) !== 409;
    log.warn(
      { error, container: container.id },
      "a sandbox container could not be removed; the next sweep tries again",
    );
    return false;
  }
}
