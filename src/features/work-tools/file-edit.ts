import { workToolWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { bindToImage, type RunsIn } from "./bind-to-image.ts";
import { toFolderPattern } from "../../kernel/gate/grant-scope.ts";
import type { CallDiff } from "../../kernel/gate/types.ts";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import { matchLineEnds, readShaped } from "../../workspace/text-shape.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";
import { workspacePath } from "../../workspace/workspace-path.ts";
import { findNearMatch, findText, lineOf } from "./find-text.ts";
import { showDiff } from "./show-diff.ts";
import { signLines } from "./sign-lines.ts";

/** Line numbers that an error names at most. */
const namedLines = 20;

const input = z
  .strictObject({
    path: workspacePath.describe("Path relative to the workspace."),
    old: z.string().min(1).describe("The text that is there now, exactly."),
    new: z.string().describe("The text that shall stand in its place; empty = nothing."),
    all: z.boolean().default(false).describe("Replace every occurrence instead of the only one."),
  })
  .refine((input) => input.old !== input.new, { path: ["new"], error: "must differ from old" });

export type FileEditInput = z.infer<typeof input>;

/**
 * Replaces one text of a file by another. An approval covers the whole change: the old text has to be there once and
 * exactly, so nothing else can be changed even if the file has.
 */
export function createFileEditTool(parts: {
  readonly workspace: Workspace;
  /** The owners of contents; absent on copies, which are shown to people alone. */
  readonly contents?: KnownContents;
  readonly runsIn?: RunsIn;
}): Tool<FileEditInput> {
  return defineTool({
    name: "file_edit",
    kind: "write",
    description: {
      zh: "把工作区文件里的一段文字换成另一段。old 必须一字不差(包括空格和换行),并且只出现一次;要全部替换就用 all。",
      en: "Replace a piece of text in a workspace file by another. old must be exact, spaces and line breaks included, and be there once; use all to replace every occurrence.",
    },
    input,
    level: "confirm",
    readOnly: false,
    idempotent: false,
    place: "workspace",
    summarize: ({ path }) => path,
    detail: describeEdit,
    diff: showEdit,
    // A missing file fails before an approval is requested.
    async inspect(input, { language, session }) {
      const found = await parts.workspace.readBytes(session, input.path);
      return found.ok ? { ok: true, detail: describeEdit(input, language) } : found;
    },
    changes: ({ path }) => [path],
    grantPattern: ({ path }) => toFolderPattern(path),
    ...(parts.runsIn && { binding: bindToImage(parts.runsIn) }),
    onCopy: (copy) => createFileEditTool({ workspace: copy }),
    run: (input, context) => edit(parts, context, input),
  });
}

function describeEdit(input: FileEditInput, language: Language): string {
  const { file, lines, note } = showEdit(input, language);
  return `${file} (${note})\n\n${lines.map(({ sign, text }) => `${sign}${text}`).join("\n")}`;
}

function showEdit(input: FileEditInput, language: Language): CallDiff {
  const { everywhere, once } = workToolWords[language].change;
  const lines = [...signLines(input.old, "-"), ...signLines(input.new, "+")];
  return { file: input.path, note: input.all ? everywhere : once, lines };
}

async function edit(
  { contents, workspace }: Parameters<typeof createFileEditTool>[0],
  context: ToolContext,
  input: FileEditInput,
): Promise<ToolResult> {
  const { session } = context;
  const found = await workspace.readBytes(session, input.path);
  if (!found.ok) return found;
  const { path, version } = found;
  const shaped = readShaped(found.bytes, path);
  if (!shaped.ok) return shaped;
  const seen = (await contents?.labelFiles(context, [{ path, sha256: version }])) ?? {};
  const before = shaped.text;
  const old = matchLineEnds(input.old, before);
  const places = findText(before, old);
  if (places.length === 0) return { ok: false, error: describeMissing(path, before, old), ...seen };
  if (places.length > 1 && !input.all) {
    const lines = places.slice(0, namedLines).map((at) => lineOf(before, at));
    const rest = places.length > namedLines ? " …" : "";
    const error = `The text is ${places.length} times in "${path}", in lines ${lines.join(", ")}${rest}. Add lines around it until it is there once, or set all.`;
    return { ok: false, error, ...seen };
  }
  const after = before.split(old).join(matchLineEnds(input.new, before));
  const bytes = shaped.shape(after);
  const written = await workspace.writeBytes(session, path, bytes, { expected: version });
  if (!written.ok) return written;
  if (seen.taint === undefined) await contents?.keep(context, path, hashContent(bytes));
  const diff = showDiff(path, before, after);
  const output = { replacements: places.length, diff };
  const display = { kind: "diff", text: diff } as const;
  return { ok: true, output, message: `${path}: ${places.length} replaced`, display, ...seen };
}

function describeMissing(path: string, text: string, old: string): string {
  const near = findNearMatch(text, old);
  const missing = `The text is not in "${path}" exactly like that; nothing was changed.`;
  if (near === undefined) return `${missing} Read the file and copy the text from it.`;
  return `${missing} Line ${near.line} is like it: ${JSON.stringify(near.text.slice(0, 500))}. Copy it exactly, spaces included.`;
}
