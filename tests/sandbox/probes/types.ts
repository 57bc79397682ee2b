import type { SandboxOutcome } from "../../../src/sandbox/types.ts";
import type { Workspace } from "../../../src/workspace/types.ts";

/** What one command must come to. What is not named is not looked at, but for the two marked with their default. */
export interface Expected {
  /** Default "finished". */
  readonly kind?: SandboxOutcome["kind"] | readonly SandboxOutcome["kind"][];
  readonly exitCode?: number | readonly number[];
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
  /** Default false. */
  readonly timedOut?: boolean;
  /** Default false. */
  readonly truncated?: boolean;
  readonly outOfMemory?: boolean;
}

/** Where a probe runs, as the host sees it. */
export interface Place {
  readonly workspace: Workspace;
  readonly session: string;
  /** The session's folder on the host, empty when the probe begins. */
  readonly folder: string;
}

/** What is wrong, or undefined. */
export type Fault = string | undefined;

/** A look from the host's side. */
export interface Witness {
  /** Runs beside the command; `over` settles when the command has ended. */
  readonly beside?: (place: Place, over: Promise<unknown>) => Promise<Fault>;
  /** Runs after the command (and the next one, if there is one). */
  readonly after?: (place: Place, outcome: SandboxOutcome) => Promise<Fault> | Fault;
  /** Always runs last. */
  readonly close?: () => Promise<void> | void;
}

/**
 * What a container without any hardening answers to the same: `bites` = the row fails there, so it proves something here;
 * `same` = Linux or the engine holds it anyway; `host differs` = it depends on the engine's version or the kernel;
 * `not asked` = it could do harm there, would send something out of this machine, or is no matter of the container at all.
 */
type PlainAnswer = "bites" | "same" | "host differs" | "not asked";

/** One attempt to escape or to abuse, and what must come of it. Written for a sandbox with `probeLimits`. */
export interface Probe {
  readonly name: string;
  readonly command: string;
  readonly expected: Expected;
  readonly plain: PlainAnswer;
  /** It only looks, or tries what leaves no trace for its like: such rows of an area share a container, one after the other. */
  readonly looksOnly?: true;
  /** What is wrong in the sandbox today and what would mend it: the row fails there until then. */
  readonly gap?: string;
  readonly cwd?: string;
  /** Default 20 s. */
  readonly timeoutMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** A second command in the same session. */
  readonly next?: { readonly command: string; readonly expected: Expected };
  /** Makes what the probe needs on the host, before the command. */
  readonly prepare?: (place: Place) => Promise<Witness | void>;
  /** The only processor that the row is written for. */
  readonly processor?: NodeJS.Architecture;
}

export interface ProbeArea {
  readonly area: string;
  readonly probes: readonly Probe[];
}

export interface ProbeFinding {
  readonly probe: Probe;
  /** Empty = everything held. */
  readonly faults: readonly string[];
}
