import { createHash, randomBytes } from "node:crypto";
import { chown, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { describeError } from "../core/errors.ts";
import type { ContainerIdentity } from "./container-identity.ts";
import type { SandboxOutcome } from "./types.ts";

/** The label of its container in the place of a conversation. */
export const checkSession = "mount check";

type MountFinding =
  | { readonly kind: "same" }
  /** Containers see other files than we. */
  | { readonly kind: "other"; readonly reason: string; readonly remedy: string }
  /** It could not be found out. */
  | { readonly kind: "unknown"; readonly reason: string; readonly remedy: string };

/** Whether a container gets the very folder that this process writes to: the engine takes paths to be those of its own host. */
export interface MountCheck {
  /** Asks a container once, and again as long as the answer was not "same". Never rejects. */
  look(): Promise<MountFinding>;
  /** Undefined while unknown. */
  last(): MountFinding | undefined;
}

const remedy =
  "If Kurisu runs in a container itself, or the engine on another machine, the data folder (KURISU_HOME) must have the same absolute path here and on the engine's host.";

export function createMountCheck(parts: {
  /** The folder that all workspaces are in. */
  readonly workspaces: string;
  readonly identity: ContainerIdentity;
  /** Answers what a container reads in this file of a workspace. */
  readonly read: (workspace: string, file: string) => Promise<SandboxOutcome>;
  readonly log: Pick<Logger, "warn">;
}): MountCheck {
  const { workspaces, identity } = parts;
  let last: MountFinding | undefined;
  let looking: Promise<MountFinding> | undefined;

  async function compare(): Promise<MountFinding> {
    await mkdir(workspaces, { recursive: true, mode: 0o700 });
    const root = await realpath(workspaces);
    const folder = join(root, nameCheckFolder(root));
    const nonce = randomBytes(16).toString("hex");
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      await writeFile(join(folder, "nonce"), nonce, { flag: "wx", mode: 0o600 });
      if (process.getuid?.() === 0)
        for (const path of [join(folder, "nonce"), folder]) await chown(path, identity.uid, identity.gid);
      return judge(await parts.read(folder, "nonce"), nonce, root);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function look(): Promise<MountFinding> {
    if (last?.kind === "same") return last;
    looking ??= compare()
      .catch((error: unknown): MountFinding => {
        const reason = `It could not be checked whether containers see the workspaces (${describeError(error)}).`;
        return { kind: "unknown", reason, remedy: `See that ${workspaces} can be written.` };
      })
      .then((finding) => {
        if (finding.kind === "other" && last?.kind !== "other") parts.log.warn(finding, "the sandbox cannot be used");
        looking = undefined;
        last = finding;
        return finding;
      });
    return looking;
  }

  return { look, last: () => last };
}

/**
 * As the folders of conversations are called: the engine guard lets no other through. Always the same one, so that one
 * which a crash left is used again. `root` = the folder of all workspaces, without links.
 */
export function nameCheckFolder(root: string): string {
  return createHash("sha256").update(`mount check of ${root}`).digest("hex").slice(0, 32);
}

function judge(outcome: SandboxOutcome, nonce: string, root: string): MountFinding {
  switch (outcome.kind) {
    case "finished": {
      if (outcome.exitCode === 0 && outcome.stdout === nonce) return { kind: "same" };
      const reason = `The container engine mounts another folder than the one that Kurisu sees as ${root}.`;
      return { kind: "other", reason, remedy };
    }
    case "stopped":
      return { kind: "unknown", reason: "Kurisu is being stopped.", remedy: "Start it again." };
    case "unavailable": {
      const { reason, remedy: proposed } = outcome;
      return { kind: /does not see the workspace/.test(reason) ? "other" : "unknown", reason, remedy: proposed };
    }
  }
}
