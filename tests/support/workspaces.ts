import { lchown, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createContainerFiles } from "../../src/workspace/container/container-files.ts";
import { createWorkspace, type WorkspaceOptions } from "../../src/workspace/create-workspace.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { requireDocker } from "./docker.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { createTestSandbox } from "./test-sandbox.ts";

export const workspaceKinds = ["host by descriptor", "host by path", "container"] as const;
export type WorkspaceKind = (typeof workspaceKinds)[number];

export interface WorkspaceBench {
  readonly workspace: Workspace & { sweepTrash(): Promise<void> };
  readonly session: string;
  /** Of the session, on the host. */
  readonly folder: string;
  /** Beside the workspaces, with a file `secret.txt` that says SECRET. */
  readonly outside: string;
  /** Puts a file there as a command of the session would: with its folders, belonging to its user. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Gives everything in the folder to the user that commands run as. */
  settle(): Promise<void>;
}

/** A workspace of one implementation, gone when the test is over. */
export async function createWorkspaceBench(
  kind: WorkspaceKind,
  options: Pick<WorkspaceOptions, "limits" | "clock"> = {},
): Promise<WorkspaceBench> {
  const base = await createTemporaryFolder();
  const outside = join(base, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "SECRET");
  const workspace = createWorkspace({ root: join(base, "workspaces"), ...describeKind(kind), ...options });
  const session = "telegram:42:main";
  const folder = await workspace.folderFor(session);
  const settle = () => giveAway(folder);
  return {
    workspace,
    session,
    folder,
    outside,
    settle,
    async put(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
      await settle();
    },
  };
}

function describeKind(kind: WorkspaceKind): Partial<WorkspaceOptions> {
  if (kind !== "container") return { anchoring: kind === "host by path" ? "realpath" : "descriptor" };
  const { sandbox } = createTestSandbox({ docker: requireDocker() });
  onTestFinished(() => sandbox.stop());
  return { files: () => createContainerFiles({ sandbox }) };
}

async function giveAway(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await lchown(path, 1000, 1000);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await giveAway(join(path, name));
}
