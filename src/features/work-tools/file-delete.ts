import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";

const input = z.strictObject({
  path: workspacePath.describe("Path relative to the workspace."),
});

export type FileDeleteInput = z.infer<typeof input>;

/** Moves a file or folder to the session's trash, from which people get it back with /undo. */
export function createFileDeleteTool({ workspace }: { readonly workspace: Workspace }): Tool<FileDeleteInput> {
  return defineTool({
    name: "file_delete",
    kind: "write",
    description: {
      zh: "删除工作区里的文件或文件夹:先放进回收站,七天内对方可以用 /undo 找回。返回回收站编号。",
      en: "Delete a file or folder of the workspace: it goes to the trash, and people can get it back with /undo for seven days. Answers the trash id.",
    },
    input,
    level: "confirm",
    alwaysAsks: true,
    readOnly: false,
    idempotent: false,
    place: "workspace",
    summarize: ({ path }) => path,
    changes: ({ path }) => [path],
    // Each deletion needs a separate approval.
    grantPattern: () => undefined,
    onCopy: (copy) => createFileDeleteTool({ workspace: copy }),
    async run({ path }, context) {
      const removed = await workspace.remove(context.session, path);
      if (!removed.ok) return removed;
      const output = { path: removed.path, trash: removed.id, undo: `/undo ${removed.id}` };
      return { ok: true, output, message: `${removed.path}: ${removed.id}` };
    },
  });
}
