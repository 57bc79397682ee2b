import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import { detectImage } from "../../core/media-type.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { ToolOptions } from "../../kernel/tools/tool-options.ts";
import type { ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import type { KnownContents, WorkspaceLabel } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";

/** Bytes of a picture that models take. */
const maxImageSize = 5 * 1024 * 1024;

/** Reads lines of a text file of the session's workspace, or a picture. */
export function createFileReadTool(
  parts: {
    readonly workspace: Workspace;
    /** The owners of contents; absent = they are not checked. */
    readonly contents?: KnownContents;
  } & Pick<ToolOptions, "limit">,
) {
  const { contents, workspace } = parts;

  /** A file that is too large to be read whole has no known owner. */
  async function label(path: string, context: ToolContext): Promise<WorkspaceLabel> {
    if (!contents || context.taint === "untrusted") return {};
    const whole = await workspace.readBytes(context.session, path);
    return contents.labelFiles(context, [{ path, sha256: whole.ok ? whole.version : undefined }]);
  }

  return defineTool({
    name: "file_read",
    kind: "read",
    description: {
      zh: "读取工作区里的文本文件,按行返回;png、jpg、gif、webp 图片会直接给你看。路径相对于工作区,例如 notes/today.md;文件很长时用 offset 和 limit 分段读。",
      en: "Read lines of a text file in the workspace, or look at a picture (png, jpg, gif, webp). The path is relative to the workspace, such as notes/today.md; read long files in parts with offset and limit.",
    },
    input: z.strictObject({
      path: z.string().min(1).max(1024).describe("Path relative to the workspace."),
      offset: z.number().int().min(0).default(0).describe("First line, counted from 0."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(2000)
        .default(parts.limit ?? 200)
        .describe("Lines at most, 1 to 2000."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "workspace",
    summarize: ({ path }) => path,
    async run({ path, offset, limit }, context) {
      const found = await workspace.readLines(context.session, path, offset, limit);
      if (!found.ok) {
        const image = await readImage(workspace, context.session, path);
        return image?.ok === true ? { ...image, ...(await label(path, context)) } : (image ?? found);
      }
      if (offset > 0 && offset >= found.totalLines) {
        return {
          ok: false,
          error:
            found.totalLines === 1
              ? "The file has one line; use an offset below that."
              : `The file has ${found.totalLines} lines; use an offset below that.`,
        };
      }
      const output = {
        content: found.content,
        total_lines: found.totalLines,
        has_more: found.hasMore,
        ...(found.cut ? { note: "This line is too long and was cut; use the shell (cut -c) to see the rest." } : {}),
      };
      return { ok: true, output, message: countOf(found.totalLines, "line"), ...(await label(path, context)) };
    },
  });
}

/** Returns undefined if it is no picture. */
async function readImage(workspace: Workspace, session: string, path: string): Promise<ToolResult | undefined> {
  const found = await workspace.readBytes(session, path);
  const mimeType = found.ok ? detectImage(found.bytes) : undefined;
  if (!found.ok || mimeType === undefined) return undefined;
  const { bytes } = found;
  if (bytes.length > maxImageSize) {
    const error = `"${found.path}" is a picture of more than 5 MiB; make it smaller in the shell before you look at it.`;
    return { ok: false, error };
  }
  const output = { image: mimeType, bytes: bytes.length };
  const part = { type: "image", mimeType, data: bytes.toString("base64") } as const;
  return { ok: true, output, parts: [part], message: `${mimeType}, ${countOf(bytes.length, "byte")}` };
}
