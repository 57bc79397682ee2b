import { randomBytes } from "node:crypto";
import { mkdir, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createWorkspace } from "../../../workspace/create-workspace.ts";
import { chooseAnchoring } from "../../../workspace/open-folder.ts";
import type { Workspace } from "../../../workspace/types.ts";
import { compareTrees, type TreeChange } from "./compare-trees.ts";
import { copyTree } from "./copy-tree.ts";
import { describeTree, type TreeDescription } from "../../../workspace/trees/describe-tree.ts";
import { readDescribedFile } from "./read-described-file.ts";
import { removeTree } from "../../../workspace/trees/remove-tree.ts";
import { TreeTooLarge, type TreeExcess, type TreeLimits } from "../../../workspace/trees/tree-limits.ts";
import type { SkippedEntry } from "../../../workspace/trees/walk-tree.ts";

/** Why no copy could be made or compared. */
type CopyRefusal = { readonly kind: "too-large"; readonly excess: TreeExcess } | { readonly kind: "no-space" };

export type CopyUse<Result> =
  | { readonly kind: "refused"; readonly refusal: CopyRefusal }
  | {
      readonly kind: "used";
      readonly result: Result;
      /** Entries of the workspace that the copy did not hold. */
      readonly skipped: readonly SkippedEntry[];
      /** The changes of the copy, or why they cannot be determined. */
      readonly comparison:
        | {
            readonly kind: "compared";
            readonly changes: readonly TreeChange[];
            /** Entries left there that are no file, folder or link, or cannot be read. */
            readonly unseen: readonly SkippedEntry[];
          }
        | { readonly kind: "too-large"; readonly excess: TreeExcess };
    };

/** Copies of sessions' workspaces that something may be tried out on. */
export interface ThrowAwayCopies {
  /**
   * The copy exists while `act` runs, and is always removed afterwards. `revision` is the one of the workspace as it
   * was copied. A signal that fires rejects with its reason.
   */
  use<Result>(
    session: string,
    signal: AbortSignal,
    act: (copy: Workspace, revision: string) => Promise<Result>,
  ): Promise<CopyUse<Result>>;
  /** The revision of the workspace as it is now; undefined = it cannot be read whole. */
  readRevision(session: string, signal: AbortSignal): Promise<string | undefined>;
  /** Removes what a process before this one left behind; answers how many. Only while no copy is in use. */
  sweep(): Promise<number>;
}

/**
 * "preview:" in hexadecimal. A copy stands among the workspaces under a name of their form, because that is all that
 * docker-compose.yml's engine guard lets a container mount; no hash of a session begins like this but by a chance of 2^-64.
 */
const prefix = Buffer.from("preview:").toString("hex");

const nameCopy = (): string => `${prefix}${randomBytes(8).toString("hex")}`;

export const previewLimits: TreeLimits = { entries: 5_000, bytes: 256 * 1024 * 1024, depth: 64 };

export function createThrowAwayCopies(options: {
  /** The folder of all workspaces. */
  readonly root: string;
  readonly workspace: Workspace;
  readonly limits?: TreeLimits;
}): ThrowAwayCopies {
  const { root, workspace, limits = previewLimits } = options;
  const anchoring = chooseAnchoring();
  const keepOwner = process.getuid?.() === 0;

  async function copyAndUse<Result>(
    session: string,
    signal: AbortSignal,
    to: string,
    act: (revision: string) => Promise<Result>,
  ): Promise<CopyUse<Result>> {
    const walk = { anchoring, limits, signal };
    const from = await workspace.folderFor(session);
    const skipped = await copyTree(from, to, { ...walk, keepOwner });
    const before = await describeTree(to, walk);
    const result = await act(before.revision);
    const comparison = await compare(from, to, before, signal);
    return { kind: "used", result, skipped, comparison };
  }

  /** The old content is read from the workspace itself, if it is still what was copied: there is no second copy. */
  async function compare(from: string, to: string, before: TreeDescription, signal: AbortSignal) {
    try {
      const after = await describeTree(to, { anchoring, limits: doubled(limits), signal });
      const changes = await compareTrees(before, after, {
        before: (path, file) => readDescribedFile(from, path, file, anchoring),
        after: (path, file) => readDescribedFile(to, path, file, anchoring),
      });
      return { kind: "compared", changes, unseen: after.skipped } as const;
    } catch (error) {
      if (error instanceof TreeTooLarge) return { kind: "too-large", excess: error.excess } as const;
      throw error;
    }
  }

  return {
    async use(session, signal, act) {
      const [name, bin] = [nameCopy(), nameCopy()];
      const trash = join(root, bin);
      // On the host, regardless of where the real workspace is used: only the previewed calls know of a copy.
      const copy = createWorkspace({ root, trash, anchoring, nameFolder: () => name });
      const to = await copy.folderFor(session);
      try {
        return await copyAndUse(session, signal, to, (revision) => act(copy, revision));
      } catch (error) {
        const refusal = readRefusal(error);
        if (refusal === undefined) throw error;
        return { kind: "refused", refusal };
      } finally {
        await removeTree(to, anchoring);
        await removeTree(trash, anchoring);
      }
    },
    async readRevision(session, signal) {
      try {
        const folder = await workspace.folderFor(session);
        return (await describeTree(folder, { anchoring, limits, signal })).revision;
      } catch (error) {
        if (error instanceof TreeTooLarge) return undefined;
        throw error;
      }
    },
    async sweep() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const folder = await realpath(root);
      const left = (await readdir(folder)).filter((name) => name.startsWith(prefix));
      for (const name of left) await removeTree(join(folder, name), anchoring);
      return left.length;
    },
  };
}

/** Added files are compared too. */
function doubled(limits: TreeLimits): TreeLimits {
  return { entries: limits.entries * 2, bytes: limits.bytes * 2, depth: limits.depth };
}

function readRefusal(error: unknown): CopyRefusal | undefined {
  if (error instanceof TreeTooLarge) return { kind: "too-large", excess: error.excess };
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? { kind: "no-space" } : undefined;
}
