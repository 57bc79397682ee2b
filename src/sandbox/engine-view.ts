import { buildImageCommand } from "../core/kurisu-command.ts";
import type Docker from "dockerode";
import { raceAbort } from "../core/abort.ts";
import { describeEngineFault, readStatusCode } from "./engine-faults.ts";
import { protocolVersion } from "./runner/frames.ts";
import type { SandboxStatus } from "./types.ts";

/** Podman looks its programs up in the package database for each answer: seconds on a busy machine. */
const statusLimit = 20_000;

/** The image of new containers, as it was last seen. */
export interface SeenImage {
  readonly id: string;
  /** It holds the runner that this version speaks with, so containers can be kept. */
  readonly hasRunner: boolean;
  /** It holds the relay of commands that may reach hosts. */
  readonly hasRelay: boolean;
}

/** The known state of the engine and the image. */
export interface EngineView {
  /** Asks the engine. */
  look(): Promise<SandboxStatus>;
  last(): SandboxStatus;
  /** Undefined until the image that is wanted now has been seen once. */
  image(): SeenImage | undefined;
  /** Whether the engine is Podman. False until it was asked. */
  isPodman(): boolean;
  /** Writes a fault of the engine into the status, so that the shell is not offered until the engine is back. */
  noteFault(error: unknown): { readonly reason: string; readonly remedy: string };
}

export function createEngineView({
  docker,
  images,
}: {
  readonly docker: Docker;
  /** As of now; without the browser's no browser runs in a container. */
  readonly images: () => { readonly image: string; readonly browserImage?: string };
}): EngineView {
  const address = describeAddress(docker);
  let seen: { readonly name: string; readonly image: SeenImage } | undefined;
  let podman = false;
  let last: SandboxStatus = {
    state: "engine-missing",
    detail: "The container engine has not been looked at yet.",
    remedy: "Try again in a moment.",
  };

  function noteFault(error: unknown): { reason: string; remedy: string } {
    const { state, reason, remedy } = describeEngineFault(error, { address, image: images().image });
    if (state !== undefined) last = { state, detail: reason, remedy, address };
    return { reason, remedy };
  }

  async function look(): Promise<SandboxStatus> {
    const { image: name, browserImage } = images();
    try {
      const engine = await raceAbort(docker.version(), AbortSignal.timeout(statusLimit));
      podman = (engine.Components ?? []).some(({ Name }) => Name === "Podman Engine");
      const found = await raceAbort(docker.getImage(name).inspect(), AbortSignal.timeout(statusLimit));
      const labels = found.Config.Labels ?? {};
      const hasRunner = labels["kurisu.runner"] === String(protocolVersion);
      const image = { id: found.Id, hasRunner, hasRelay: labels["kurisu.relay"] === "1" };
      seen = { name, image };
      const slow = image.hasRunner
        ? ""
        : `; without a runner, so each command takes a container of its own (${buildImageCommand} -- --onto ${name} puts one in)`;
      const closed = image.hasRelay ? "" : "; without a relay, so no command reaches the hosts that skills name";
      last = {
        state: "ready",
        detail: `Container engine ${engine.Version}, image ${name} (${Math.round(found.Size / 1e6)} MB)${slow}${closed}.`,
        engineVersion: engine.Version,
        image: { name, id: found.Id, sizeBytes: found.Size },
        keepsContainers: image.hasRunner,
        hasBrowser: browserImage !== undefined && (await isBrowserThere(browserImage)),
      };
    } catch (error) {
      noteFault(error);
    }
    return last;
  }

  /** An image that is not ours counts as none. */
  async function isBrowserThere(image: string): Promise<boolean> {
    try {
      const { Config } = await raceAbort(docker.getImage(image).inspect(), AbortSignal.timeout(statusLimit));
      return Config.Labels?.["kurisu.browser"] === "1";
    } catch (error) {
      // Also the refusal of an engine guard that was set up without a browser.
      if (readStatusCode(error) !== undefined) return false;
      throw error;
    }
  }

  /** An image of another name says nothing of the one that is wanted now. */
  function findImage(): SeenImage | undefined {
    return seen?.name === images().image ? seen.image : undefined;
  }

  return { look, last: () => last, image: findImage, isPodman: () => podman, noteFault };
}

function describeAddress(docker: Docker): string {
  const { host, port, protocol, socketPath } = docker.modem as unknown as Record<string, unknown>;
  if (typeof host === "string") return `${String(protocol)}://${host}:${String(port)}`;
  return typeof socketPath === "string" ? socketPath : "/var/run/docker.sock";
}
