import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { bindToImage, type RunsIn } from "./bind-to-image.ts";
import { toFolderPattern } from "../../kernel/gate/grant-scope.ts";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";
import { readShaped } from "../../workspace/text-shape.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";
import { applyOnePatch, readOnePatch, type OnePatch } from "./apply-one-patch.ts";
import { showDiff } from "./show-diff.ts";
import { readSigns } from "./sign-lines.ts";

const input = z.strictObject({
  path: workspacePath.describe("Path relative to the workspace."),
  patch: z.string().min(1).max(500_000).describe("Unified diff of this file, with @@ lines."),
});

export type FilePatchInput = z.infer<typeof input>;

/** Applies a unified diff to one file, as a whole or not at all. */
export function createFilePatchTool(parts: {
  readonly workspace: Workspace;
  /** The owners of contents; absent on copies, which are shown to people alone. */
  readonly contents?: KnownContents;
  readonly runsIn?: RunsIn;
}): Tool<FilePatchInput> {
  return defineTool({
    name: "file_patch",
    kind: "write",
    description: {
      zh: "把 unified diff 用到工作区的一个文件上:所有改动要么全部生效,要么都不生效。行号可以有偏差,上下文必须一字不差。/dev/null 表示新建或删除。",
      en: "Apply a unified diff to one workspace file: all of its hunks or none. Line numbers may be off, context lines must be exact. /dev/null stands for a new or a deleted file.",
    },
    input,
    level: "confirm",
    readOnly: false,
    idempotent: false,
    place: "workspace",
    summarize: ({ path }) => path,
    detail: ({ path, patch }) => `${path}\n\n${patch}`,
    diff: ({ path, patch }) => ({ file: path, note: "", lines: readSigns(patch) }),
    changes: ({ path }) => [path],
    grantPattern({ path, patch }) {
      const parsed = parseWorkspacePath(path);
      const read = parsed.ok ? readOnePatch(patch, parsed.relative) : undefined;
      return read?.ok && read.kind !== "delete" ? toFolderPattern(path) : undefined;
    },
    ...(parts.runsIn && { binding: bindToImage(parts.runsIn) }),
    onCopy: (copy) => createFilePatchTool({ workspace: copy }),
    async run({ path, patch }, context) {
      const parsed = parseWorkspacePath(path);
      if (!parsed.ok) return parsed;
      const read = readOnePatch(patch, parsed.relative);
      if (!read.ok) return read;
      return read.kind === "create"
        ? create(parts, context, parsed.relative, read)
        : change(parts, context, parsed.relative, read);
    },
  });
}

type Parts = Parameters<typeof createFilePatchTool>[0];

async function create(
  { contents, workspace }: Parts,
  context: ToolContext,
  path: string,
  { patch }: OnePatch,
): Promise<ToolResult> {
  const { session } = context;
  const made = applyOnePatch("", patch);
  if (!made.ok) return made;
  const written = await workspace.writeBytes(session, path, Buffer.from(made.text), { expected: "absent" });
  if (!written.ok) {
    const there = await workspace.stat(session, path);
    return there.ok
      ? { ok: false, error: `There is a "${path}" already; patch it as it is, or delete it first.` }
      : written;
  }
  await contents?.keep(context, path, hashContent(Buffer.from(made.text)));
  return describe(path, patch.hunks.length, "", made.text);
}

async function change(
  { contents, workspace }: Parts,
  context: ToolContext,
  path: string,
  { patch, kind }: OnePatch,
): Promise<ToolResult> {
  const { session } = context;
  const found = await workspace.readBytes(session, path);
  if (!found.ok) return found;
  const shaped = readShaped(found.bytes, path);
  if (!shaped.ok) return shaped;
  const seen = (await contents?.labelFiles(context, [{ path, sha256: found.version }])) ?? {};
  const changed = applyOnePatch(shaped.text, patch);
  if (!changed.ok) return { ...changed, ...seen };
  if (kind === "delete") {
    if (changed.text !== "") return { ok: false, error: `The patch leaves lines of "${path}", so it was not deleted.` };
    const removed = await workspace.remove(session, path);
    return removed.ok ? { ...describe(path, patch.hunks.length, shaped.text, "", removed.id), ...seen } : removed;
  }
  const bytes = shaped.shape(changed.text);
  const written = await workspace.writeBytes(session, path, bytes, { expected: found.version });
  if (!written.ok) return written;
  if (seen.taint === undefined) await contents?.keep(context, path, hashContent(bytes));
  return { ...describe(path, patch.hunks.length, shaped.text, changed.text), ...seen };
}

function describe(path: string, hunks: number, before: string, after: string, trash?: string) {
  const diff = showDiff(path, before, after);
  const output = { hunks, diff, ...(trash === undefined ? {} : { trash }) };
  return {
    ok: true,
    output,
    message: `${path}: ${countOf(hunks, "hunk")}`,
    display: { kind: "diff", text: diff },
  } as const;
}
