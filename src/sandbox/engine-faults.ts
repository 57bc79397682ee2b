import { describeError } from "../core/errors.ts";
import { buildImageCommand } from "../core/kurisu-command.ts";
import type { SandboxStatus } from "./types.ts";

/** An error of the engine's API, in words that an operator can act on. */
export interface EngineFault {
  /** The meaning for the engine as a whole; absent when it concerns one container only. */
  readonly state?: Exclude<SandboxStatus["state"], "ready" | "off" | "workspace-unseen">;
  readonly reason: string;
  readonly remedy: string;
}

export interface EngineNames {
  /** Socket path or URL of the engine. */
  readonly address: string;
  readonly image: string;
}

function readField(error: unknown, name: "code" | "statusCode" | "name"): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

/** The HTTP status of an answer of the engine, if the error is one. */
export function readStatusCode(error: unknown): number | undefined {
  const status = readField(error, "statusCode");
  return typeof status === "number" ? status : undefined;
}

/** Gone already, or going: what a removal or a kill may answer when another process was faster. */
export function isGone(error: unknown): boolean {
  const status = readStatusCode(error);
  return status === 404 || status === 409 || status === 304;
}

export function describeEngineFault(error: unknown, names: EngineNames): EngineFault {
  const text = describeError(error).trim();
  const code = readField(error, "code");
  if (code === "EACCES" || code === "EPERM") {
    return {
      state: "no-permission",
      reason: `This process may not use the container engine at ${names.address}.`,
      remedy: "Add the user to the group docker and log in again, or point DOCKER_HOST at an engine of its own.",
    };
  }
  const name = readField(error, "name");
  if (name === "AbortError" || name === "TimeoutError") {
    return {
      state: "engine-missing",
      reason: `The container engine at ${names.address} does not answer in time.`,
      remedy: "See whether it hangs (docker ps), and restart it if so.",
    };
  }
  // 502 is the engine guard's: it answers, the engine behind it does not.
  if (readStatusCode(error) === undefined || readStatusCode(error) === 502) {
    return {
      state: "engine-missing",
      reason: `No container engine answers at ${names.address} (${text}).`,
      remedy: "Start Docker (sudo systemctl start docker), or set DOCKER_HOST to the engine's address.",
    };
  }
  return describeRefusal(text, names);
}

function describeRefusal(text: string, names: EngineNames): EngineFault {
  if (/no such image/i.test(text)) {
    return {
      state: "image-missing",
      reason: `The container engine has no image ${names.image}.`,
      remedy: `Build it: ${buildImageCommand} (add -- --from-debootstrap where no registry can be reached).`,
    };
  }
  if (/engine-guard: refused/.test(text)) {
    return {
      state: "no-permission",
      reason: `The engine guard refused (${text}).`,
      remedy:
        "Guard and gateway need the same sandbox.yaml, KURISU_SANDBOX_IMAGE, KURISU_HOME and user; restart the guard after a change.",
    };
  }
  if (/no such container|is not running|removal .*in progress|marked for removal/i.test(text)) {
    return {
      reason: "The container was removed by somebody else while it was in use.",
      remedy: "Run the command again; what it had done in the workspace so far is still there.",
    };
  }
  if (/bind source path does not exist/i.test(text)) {
    return {
      reason: "The container engine does not see the workspace folder.",
      remedy:
        "If Kurisu runs in a container itself, its data folder must have the same path there and on the engine's host.",
    };
  }
  if (/seccomp/i.test(text)) {
    return {
      reason: `The container engine cannot load the system call filter (${text}).`,
      remedy: "Use an engine and a kernel with seccomp; commands are not run without it.",
    };
  }
  if (/unknown (or invalid )?runtime/i.test(text)) {
    return {
      reason: `The container engine does not know the runtime that is set (${text}).`,
      remedy: "Install and register it with the engine, or remove `runtime` from sandbox.yaml.",
    };
  }
  if (/OCI runtime|executable file not found|exec format error/i.test(text)) {
    return {
      reason: `The container could not be started (${text}).`,
      remedy: `The image must contain bash for this machine's processor; build it again: ${buildImageCommand}.`,
    };
  }
  return { reason: `The container engine refused (${text}).`, remedy: "See the engine's log (journalctl -u docker)." };
}
