import type { ExecCreateOptions } from "dockerode";
import type { ContainerIdentity } from "../container-identity.ts";
import { cleanUpScript } from "./clean-up-script.ts";

/** What is run beside the first process: a command, or what removes all that a command has left behind. */
export type ExecProgram =
  | { readonly kind: "command"; readonly command: string; readonly cwd: string }
  | { readonly kind: "clean up" };

export interface ExecSpecInput {
  readonly program: ExecProgram;
  readonly identity: ContainerIdentity;
  /** `NAME=value`, beside those of the container. */
  readonly environment: readonly string[];
}

// As a one-shot container begins a command. The engine's own WorkingDir stays out of it: a folder that cannot be entered
// is the command's mistake and no fault of the engine.
const commandScript = 'cd /workspace && cd -- "$0" || exit 1; exec bash --noprofile --norc -c -- "$1"';

function buildCmd(program: ExecProgram): string[] {
  const shell = ["bash", "--noprofile", "--norc", "-c"];
  if (program.kind === "clean up") return [...shell, cleanUpScript];
  return [...shell, commandScript, program.cwd, program.command];
}

/** The body of POST /exec/ID/start. */
export const execStart = { Detach: false, Tty: false } as const;

/** The body of POST /containers/ID/exec. Walls and limits are the container's. */
export function buildExecSpec(input: ExecSpecInput): ExecCreateOptions {
  const { uid, gid } = input.identity;
  if (uid === 0 || gid === 0) throw new RangeError("a sandbox never runs as root");
  return {
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Privileged: false,
    User: `${uid}:${gid}`,
    WorkingDir: "/",
    Env: [...input.environment],
    Cmd: buildCmd(input.program),
  };
}
