import { workToolWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { bindToImage, type RunsIn } from "./bind-to-image.ts";
import { toFolderPattern } from "../../kernel/gate/grant-scope.ts";
import type { Tool, ToolContext, ToolDisplay } from "../../kernel/tools/types.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import { readShaped } from "../../workspace/text-shape.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { BytesFound, FileAnswer, Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";
import { showDiff } from "./show-diff.ts";
import { signLines } from "./sign-lines.ts";

/** Larger texts are not compared for people. */
const maxCompared = 200_000;

const input = z.strictObject({
  path: workspacePath.describe("Path relative to the workspace."),
  content: z.string().describe("The text, as it shall be in the file."),
  mode: z.enum(["write", "append"]).default("write").describe("write = replace the file, append = add to its end."),
});

export type FileWriteInput = z.infer<typeof input>;

/** Writes a text file of the session's workspace. */
export function createFileWriteTool(parts: {
  readonly workspace: Workspace;
  /** The owners of contents; absent on copies, which are shown to people alone. */
  readonly contents?: KnownContents;
  readonly runsIn?: RunsIn;
}): Tool<FileWriteInput> {
  const { contents, workspace } = parts;
  return defineTool({
    name: "file_write",
    kind: "write",
    description: {
      zh: "把文本写进工作区的文件。路径相对于工作区,缺少的文件夹会自动建立;write 整个替换,append 加在末尾。",
      en: "Write text to a file in the workspace. The path is relative to the workspace, missing folders are made; write replaces the file, append adds to its end.",
    },
    input,
    level: "confirm",
    readOnly: false,
    // Appending twice is not the same as once.
    idempotent: false,
    place: "workspace",
    changes: ({ path }) => [path],
    grantPattern: ({ path }) => toFolderPattern(path),
    summarize: ({ path }) => path,
    detail: (input, language) => `${input.path} (${describeKind(input, language)})\n\n${input.content}`,
    diff: (input, language) => ({
      file: input.path,
      note: describeKind(input, language),
      lines: signLines(input.content.endsWith("\n") ? input.content.slice(0, -1) : input.content, "+"),
    }),
    ...(parts.runsIn && { binding: bindToImage(parts.runsIn) }),
    onCopy: (copy) => createFileWriteTool({ workspace: copy }),
    async run({ path, content, mode }, context) {
      const before = mode === "append" && contents ? await workspace.readBytes(context.session, path) : undefined;
      const old = before ?? (await readForPeople(workspace, context, path));
      const written = await workspace.write(context.session, path, content, mode);
      if (!written.ok) return written;
      // A file that is added to stays known only if it was.
      if (mode === "write" || !written.existed)
        await contents?.keep(context, written.path, hashContent(Buffer.from(content)));
      else if (before?.ok === true && (await contents?.isKnown(context, before.version)) === true)
        await contents?.keep(context, written.path, hashContent(Buffer.concat([before.bytes, Buffer.from(content)])));
      const output = { path: written.path, bytes_written: written.bytesWritten, existed: written.existed };
      const display = showChange(written, old, { content, mode });
      return {
        ok: true,
        output,
        message: `${written.path}: ${countOf(written.bytesWritten, "byte")}`,
        ...(display && { display }),
      };
    },
  });
}

function describeKind({ content, mode }: FileWriteInput, language: Language): string {
  const { appended, written } = workToolWords[language].change;
  const size = { lines: countLines(content), bytes: Buffer.byteLength(content) };
  return mode === "append" ? appended(size) : written(size);
}

/** After an approval no comparison is shown, so the file is not read: the approver has read the content already. */
async function readForPeople(workspace: Workspace, { session, shown }: ToolContext, path: string) {
  return shown === undefined ? workspace.readBytes(session, path, maxCompared) : undefined;
}

/** Returns undefined if the two cannot be compared. */
function showChange(
  { path, existed }: { readonly path: string; readonly existed: boolean },
  old: FileAnswer<BytesFound> | undefined,
  { content, mode }: Pick<FileWriteInput, "content" | "mode">,
): ToolDisplay | undefined {
  if (old === undefined || content.length > maxCompared) return undefined;
  if (!existed) return { kind: "diff", text: showDiff(path, "", content) };
  const before = old.ok && old.bytes.length <= maxCompared ? readShaped(old.bytes, path) : undefined;
  if (before?.ok !== true) return undefined;
  return { kind: "diff", text: showDiff(path, before.text, mode === "append" ? before.text + content : content) };
}

/** As an editor counts them: a line break at the end begins no further line. */
function countLines(content: string): number {
  return content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}
