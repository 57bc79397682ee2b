import { countOf } from "../../core/words/count-of.ts";
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { ToolOptions } from "../../kernel/tools/tool-options.ts";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import { hashContent } from "../../workspace/hash-content.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { FileAnswer, Workspace } from "../../workspace/types.ts";
import { readPrefix } from "./glob.ts";
import { readPattern } from "./read-pattern.ts";
import type { Search, SearchThreads } from "./search-thread.ts";
import type { LineMatch } from "./search-work.ts";

const mebibyte = 1024 * 1024;
/** Larger files are left out, and at most this much is held at once. */
const readLimits = { file: 2 * mebibyte, all: 8 * mebibyte };
/** For all files together. */
const searchedBytes = 128 * mebibyte;

/** `limit` = matches when a call names no number. */
const grepInput = (limit: number) =>
  z.strictObject({
    pattern: z.string().min(1).max(1024).describe("Regular expression, matched against each line."),
    path: z.string().min(1).max(1024).default(".").describe("File or folder, relative to the workspace."),
    glob: z.string().min(1).max(1024).optional().describe("Only files that match this, such as *.ts."),
    ignore_case: z.boolean().default(false).describe("Take capital and small letters for the same."),
    context: z.number().int().min(0).max(20).default(0).describe("Lines to show before and after each match."),
    limit: z.number().int().min(1).max(1000).default(limit).describe("Matches at most, 1 to 1000."),
  });

export type GrepInput = z.infer<ReturnType<typeof grepInput>>;

/** Finds lines in the files of the session's workspace. */
export function createGrepTool(
  parts: {
    readonly workspace: Workspace;
    readonly threads: SearchThreads;
    /** The owners of contents; absent = they are not checked. */
    readonly contents?: KnownContents;
  } & Pick<ToolOptions, "limit">,
): Tool<GrepInput> {
  return defineTool({
    name: "grep",
    kind: "read",
    description: {
      zh: "用正则表达式(JavaScript)在工作区的文本文件里逐行查找,返回 path、line、text。用 glob 限定文件,例如 *.ts。",
      en: "Search the text files of the workspace line by line with a regular expression (JavaScript); answers path, line, text. Narrow the files down with glob, such as *.ts.",
    },
    input: grepInput(parts.limit ?? 100),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "workspace",
    timeoutMs: 60_000,
    summarize: ({ pattern, path }) => (path === "." ? pattern : `${pattern} · ${path}`),
    run: (input, context) => parts.threads(context.signal, (search) => grep(parts, search, input, context)),
  });
}

async function grep(
  { contents, workspace }: Pick<Parameters<typeof createGrepTool>[0], "contents" | "workspace">,
  search: Search,
  input: GrepInput,
  reading: ToolContext,
): Promise<ToolResult> {
  const { session, signal } = reading;
  const digests = new Map<string, string>();
  const chosen = await chooseFiles(workspace, search, input, session);
  if (!chosen.ok) return chosen;
  const matches: LineMatch[] = [];
  let [left, bytes, isMore] = [chosen.paths, 0, !chosen.complete];
  while (left.length > 0 && matches.length <= input.limit && !signal.aborted) {
    if (bytes > searchedBytes) {
      isMore = true;
      break;
    }
    const read = await workspace.readMany(session, left, readLimits);
    if (!read.ok) return read;
    const [only] = read.files;
    if (chosen.named && (!only || only.bytes.includes(0) || !isUtf8(only.bytes))) return refuse(chosen.paths[0] ?? "");
    left = left.slice(Math.max(1, read.looked));
    bytes += read.files.reduce((sum, file) => sum + file.bytes.length, 0);
    for (const { bytes: content, path } of read.files) if (contents) digests.set(path, hashContent(content));
    // Only what is the file's own goes over: a piece of a larger buffer would be copied with all of it.
    const files = read.files.map((file) => ({ path: file.path, bytes: new Uint8Array(file.bytes) }));
    const { pattern, ignore_case: ignoreCase, context } = input;
    const limit = input.limit + 1 - matches.length;
    const found = await search({ kind: "grep", pattern, ignoreCase, context, limit, files });
    if (found.kind === "refused") return { ok: false, error: `"${pattern}": ${found.reason}` };
    if (found.kind === "matches") matches.push(...found.matches);
  }
  if (signal.aborted) return { ok: false, error: "The search was stopped." };
  isMore ||= matches.length > input.limit;
  const shown = matches.slice(0, input.limit).map((match) => ({ ...match }));
  const { skipped } = chosen;
  const output = { matches: shown, has_more: isMore, ...(skipped.length > 0 && { skipped: skipped.slice(0, 20) }) };
  const paths = [...new Set(shown.map(({ path }) => path))];
  const files = paths.map((path) => ({ path, sha256: digests.get(path) }));
  const names = await contents?.labelNames(reading, [...paths, ...skipped.slice(0, 20)]);
  const label = { ...names, ...(await contents?.labelFiles(reading, files)) };
  return { ok: true, output, message: countOf(shown.length, "match", "matches"), ...label };
}

async function chooseFiles(
  workspace: Workspace,
  search: Search,
  { path, glob }: GrepInput,
  session: string,
): Promise<FileAnswer<ChosenFiles>> {
  const found = await workspace.stat(session, path);
  if (!found.ok) return found;
  if (found.entry.kind === "file") {
    if (found.entry.size > readLimits.file) return refuse(found.entry.path);
    return { ok: true, paths: [found.entry.path], complete: true, skipped: [], named: true };
  }
  const listed = await workspace.list(session, path);
  if (!listed.ok) return listed;
  const sizes = new Map(listed.entries.flatMap(({ kind, path: of, size }) => (kind === "file" ? [[of, size]] : [])));
  const choose = (paths: readonly string[]) => {
    const isLarge = (one: string): boolean => (sizes.get(one) ?? 0) > readLimits.file;
    const skipped = paths.filter((one) => isLarge(one));
    return {
      ok: true,
      paths: paths.filter((one) => !isLarge(one)),
      complete: listed.complete,
      skipped,
      named: false,
    } as const;
  };
  const paths = [...sizes.keys()];
  if (glob === undefined) return choose(paths);
  const read = readPattern(glob);
  if (!read.ok) return read;
  const prefix = readPrefix(path);
  const names = paths.map((one) => one.slice(prefix.length));
  const matching = await search({ kind: "glob", pattern: read.pattern, paths: names });
  if (matching.kind !== "paths") {
    return { ok: false, error: `"${glob}": ${matching.kind === "refused" ? matching.reason : "no answer"}` };
  }
  return choose(matching.paths.map((name) => `${prefix}${name}`));
}

interface ChosenFiles {
  readonly paths: readonly string[];
  /** false = there are more files than were listed. */
  readonly complete: boolean;
  /** Files that would be searched if they were smaller. */
  readonly skipped: readonly string[];
  /** It is one file, which the call names. */
  readonly named: boolean;
}

/** Avoids reporting no matches for a file that was not searched. */
function refuse(path: string): { readonly ok: false; readonly error: string } {
  return {
    ok: false,
    error: `"${path}" was not searched: it is no text file of at most 2 MiB with one name. Use grep in the shell for it.`,
  };
}
