import type { Readable, Writable } from "node:stream";
import type { NetworkReport } from "./egress/egress-record.ts";

/** The known state of the container engine. Everything but `ready` names the remedy. */
export type SandboxStatus =
  | {
      readonly state: "ready";
      readonly detail: string;
      readonly engineVersion: string;
      /** `id` is the content digest that runs (`sha256:…`). */
      readonly image: { readonly name: string; readonly id: string; readonly sizeBytes: number };
      /** Containers are kept between commands, which can have standard input then. */
      readonly keepsContainers: boolean;
      /** There is an image of ours for the browser. */
      readonly hasBrowser: boolean;
    }
  | {
      /** workspace-unseen: containers get another folder than the one this process sees. */
      readonly state: "off" | "engine-missing" | "image-missing" | "no-permission" | "workspace-unseen";
      readonly detail: string;
      readonly remedy: string;
      readonly engineVersion?: string;
      /** The address of the engine that does not answer; for the operator, not for chats. */
      readonly address?: string;
    };

/** A shell command for one container. */
export interface SandboxCommand {
  /** For `bash -c`; no NUL. */
  readonly command: string;
  /** Folder to start in, relative to the workspace; "." is the workspace itself. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Only TZ, LANG, LC_ALL, TERM, COLUMNS and NO_COLOR pass; any other name is left out. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Absolute folder on the engine's host; it is all that the command can change. */
  readonly workspace: string;
  readonly session: string;
  /** True for a container of its own that is thrown away; default: the session's, where there is one. */
  readonly fresh?: boolean;
  /** Content digest of the image that was agreed to: in another one it does not run. Absent means any image. */
  readonly image?: string;
  /**
   * Hosts it may reach through the gateway's proxy, as egress/network-host.ts makes them; absent or empty means no
   * network.
   */
  readonly network?: readonly string[];
  readonly signal: AbortSignal;
  /** Output as it comes, decoded; what exceeds the cap is not reported. */
  readonly onOutput?: (part: { readonly stream: "stdout" | "stderr"; readonly text: string }) => void;
  /** Standard output as it comes, byte for byte. */
  readonly onStdout?: (piece: Buffer) => void;
  /** Absent means /dev/null. Only where containers are kept. */
  readonly stdin?: Uint8Array;
  /** Cap per stream for this command instead of the sandbox's own. Only where containers are kept. */
  readonly outputBytes?: number;
  /** False when the workspace's limit is not looked at: the command writes nothing, or was held to it before. */
  readonly measured?: boolean;
  /** True when it ends within seconds, so it does not wait until commands of other sessions have ended. */
  readonly brief?: boolean;
}

export type SandboxOutcome =
  | {
      readonly kind: "finished";
      /** As bash reports it: 126, 127, 128 + signal; 137 when it was killed at the time limit or the output cap. */
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      readonly timedOut: boolean;
      /** The output reached the cap; the command was killed there. */
      readonly truncated: boolean;
      readonly outOfMemory: boolean;
      /** The workspace exceeds its limit, or could not be measured: a sentence that says so and what to do. */
      readonly workspaceFull?: string;
      /** Only of a command with a `network`. */
      readonly network?: NetworkReport;
    }
  /** The signal fired. `started` = the command may have run in part. */
  | { readonly kind: "stopped"; readonly started: boolean }
  /** No container, or it was lost. `started` = the command may have run in part or whole. Nothing ever runs on the host instead. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly remedy: string; readonly started: boolean };

/** A program that is spoken to over its standard streams, in a container of its own without a network. */
export interface SandboxProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An image with bash in it; absent means the sandbox's own. */
  readonly image?: string;
  /** Content digest that was agreed to: of another image nothing is started. */
  readonly imageId?: string;
  /** As of a command. */
  readonly workspace: string;
  readonly session: string;
  readonly onErrorOutput: (text: string) => void;
  /** Ends the start; what was opened is ended by its `close`. */
  readonly signal: AbortSignal;
}

/** Chromium that is spoken to over its standard streams, in a container of its own. */
export interface SandboxBrowser {
  /** 16 hexadecimal digits; names the container. */
  readonly run: string;
  /** Absolute folder on the engine's host, named by the run, with the socket of its proxy. */
  readonly sockets: string;
  readonly onErrorOutput: (text: string) => void;
  /** As of a program. */
  readonly signal: AbortSignal;
}

/** A program in a container that runs for as long as a client is connected. */
export interface OpenProgram {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with how, after its last output. */
  readonly ended: Promise<string>;
  /** Ends its input, then the container. */
  close(): Promise<void>;
}

export type SandboxOpening =
  | { readonly kind: "open"; readonly streams: OpenProgram }
  | { readonly kind: "unavailable"; readonly reason: string; readonly remedy: string };

/** Runs commands where they can do no harm. Implementations: Docker (or what speaks its API), and none at all. */
export interface Sandbox {
  /** Asks the engine; answers within seconds, also when the engine hangs. */
  status(): Promise<SandboxStatus>;
  /**
   * Content digest of the image that the next command would run in: that of the session's waiting container, else asked
   * of the engine; while it does not answer, the one last seen. Without a session, that of a container of its own.
   * Undefined when none was ever seen.
   */
  findImage(session?: string): Promise<string | undefined>;
  /** `status()` after a container has read a file that this process wrote; begins no container once that went well. */
  examine(): Promise<SandboxStatus>;
  /** The finding of the last `status()` or `run()`, at once. */
  lastStatus(): SandboxStatus;
  run(command: SandboxCommand): Promise<SandboxOutcome>;
  /**
   * Makes the container of a session ready for its next command, if one is kept at all. Never throws; the command that
   * runs then reports what went wrong.
   */
  warm(place: Pick<SandboxCommand, "session" | "workspace">): Promise<void>;
  /**
   * Why nothing more may be written into a workspace, and what to do: it exceeds its limit. Undefined when it does not.
   */
  checkWorkspace(workspace: string): Promise<string | undefined>;
  /** Starts a program and leaves it running. */
  open(program: SandboxProgram): Promise<SandboxOpening>;
  /** Starts a browser and leaves it running. */
  openBrowser(browser: SandboxBrowser): Promise<SandboxOpening>;
  /** Removes what earlier instances left behind; answers how many containers. */
  sweep(): Promise<number>;
  /** Kills what runs, waits until it is gone, and refuses further commands. */
  stop(): Promise<void>;
}

/** The operator's settings. Values outside sane bounds are moved to the nearest bound, so no setting lifts a limit. */
export interface SandboxLimits {
  /** Default 512 MiB; swap is included, so it is the whole memory. */
  readonly memoryBytes: number;
  /** Share of processor cores, default 0.5. */
  readonly cpus: number;
  /** Processes and threads, default 64. */
  readonly pids: number;
  /** Cap of each output stream, default 1 MiB. */
  readonly outputBytes: number;
  /** Largest file that a command may write, default 128 MiB. */
  readonly fileBytes: number;
}

/** How large a workspace may be before commands can write no more. */
export interface WorkspaceLimits {
  /** Default 1 GiB. */
  readonly bytes: number;
  /** Files and folders, default 100,000. */
  readonly files: number;
}
