import { isDeepStrictEqual } from "node:util";
import type { ContainerCreateOptions } from "dockerode";
import type { ContainerIdentity } from "../container-identity.ts";
import { browserLimits } from "../browser-program.ts";
import { boundLimits, buildContainerSpec } from "../container-spec.ts";
import { readContainerSpec } from "../read-container-spec.ts";
import type { SandboxLimits } from "../types.ts";

/** The limits for containers of one Kurisu. */
export interface ContainerPolicy {
  readonly image: string;
  readonly installation: string;
  readonly identity: ContainerIdentity;
  /** Absolute; the only folder whose subfolders may be mounted. The gateway, the guard and the engine see it under this path. */
  readonly workspaces: string;
  /**
   * Absolute; a container may have the folder in it that is named by its own run. Absent when no container reaches any
   * host.
   */
  readonly egress?: string;
  /**
   * Chromium's image, and the absolute folder of its sockets' folders, as `egress`. Absent when it runs in no
   * container.
   */
  readonly browser?: { readonly image: string; readonly sockets: string };
  /** The most a container may have. */
  readonly limits: Partial<SandboxLimits>;
  readonly runtime?: string;
}

export type BodyVerdict =
  | { readonly kind: "fine"; readonly name: string; readonly spec: ContainerCreateOptions }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Whether a body of POST /containers/create is one that our sandbox makes under this policy. It is taken apart, rebuilt
 * by the sandbox's own `buildContainerSpec`, and must be equal to the result, key for key: so there is no list of
 * dangerous keys that could be short of one. `spec` is the one built here, and `name` what the container must be
 * called.
 */
export function checkContainerBody(body: unknown, policy: ContainerPolicy): BodyVerdict {
  const read = readContainerSpec(body);
  if (!read.ok) return refuse(`${read.place || "the body"} is not what the sandbox sends`);
  const { input } = read;
  const { program } = input;
  const isBrowser = program.kind === "browser";
  const most = boundLimits(isBrowser ? browserLimits : policy.limits);
  const image = isBrowser ? policy.browser?.image : policy.image;
  const asked = boundLimits(input.limits);
  if (image === undefined) return refuse("no browser runs in a container here");
  if (input.image !== image) return refuse(`Image is not ${image}`);
  if (input.installation !== policy.installation) return refuse("Labels name another installation");
  if (!isDeepStrictEqual(input.identity, policy.identity)) return refuse("User is not the sandbox's");
  if (input.runtime !== policy.runtime) return refuse("HostConfig.Runtime is not the configured one");
  for (const name of ["memoryBytes", "cpus", "pids", "fileBytes"] as const) {
    if (asked[name] > most[name]) return refuse(`${name} is over the limit`);
  }
  if (input.workspace !== undefined && !isWorkspace(input.workspace, policy.workspaces)) {
    return refuse(`HostConfig.Mounts: the source is no folder directly in ${policy.workspaces}`);
  }
  if (isBrowser && program.sockets !== `${policy.browser?.sockets}/${input.run}`) {
    return refuse("HostConfig.Mounts: the source is not the run's own folder of sockets");
  }
  const egress = program.kind === "command" ? program.egress : undefined;
  if (egress !== undefined && (policy.egress === undefined || egress !== `${policy.egress}/${input.run}`)) {
    return refuse("HostConfig.Mounts: the second source is not the run's own egress folder");
  }
  const { name = "", ...spec } = buildContainerSpec(input);
  const difference = findDifference(body, spec, "");
  if (difference !== undefined) return refuse(`${difference} is not what the sandbox sends`);
  return { kind: "fine", name, spec };
}

function refuse(reason: string): BodyVerdict {
  return { kind: "refused", reason };
}

/** Folder names are hashes of ours, so nothing needs to be normalised: `..`, `//` and links to elsewhere have no such name. */
function isWorkspace(source: string, workspaces: string): boolean {
  const prefix = `${workspaces}/`;
  return source.startsWith(prefix) && /^[0-9a-f]{32}$/.test(source.slice(prefix.length));
}

/** Path of the first value that differs, as `HostConfig.Mounts.0.Source`. */
function findDifference(given: unknown, wanted: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(given, wanted)) return undefined;
  if (!isRecord(given) || !isRecord(wanted)) return path || "the body";
  const keys = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  for (const key of keys) {
    const place = path === "" ? key : `${path}.${key}`;
    if (!Object.hasOwn(given, key) || !Object.hasOwn(wanted, key)) return place;
    const difference = findDifference(given[key], wanted[key], place);
    if (difference !== undefined) return difference;
  }
  return path || "the body";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
