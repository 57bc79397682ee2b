import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import type { ToolOptions } from "../../kernel/tools/tool-options.ts";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { KnownContents } from "../../workspace/known-contents.ts";
import type { Workspace } from "../../workspace/types.ts";
import { readPattern } from "./read-pattern.ts";
import type { SearchThreads } from "./search-thread.ts";

/** Finds files of the session's workspace by their names. */
export function createGlobTool(
  parts: {
    readonly workspace: Workspace;
    readonly threads: SearchThreads;
    /** The owners of contents; absent = they are not checked. */
    readonly contents?: KnownContents;
  } & Pick<ToolOptions, "limit">,
) {
  const { contents, workspace, threads } = parts;
  return defineTool({
    name: "glob",
    kind: "read",
    description: {
      zh: "按名字在工作区里找文件和文件夹,例如 **/*.md 或 src/{a,b}/*.ts;不含 / 的模式匹配任何文件夹里的名字。文件夹以 / 结尾。",
      en: "Find files and folders of the workspace by name, such as **/*.md or src/{a,b}/*.ts; a pattern without / is about names in any folder. Folders end in /.",
    },
    input: z.strictObject({
      pattern: z.string().min(1).max(1024).describe("Glob pattern: *, **, ?, [a-z], {one,other}."),
      path: z.string().min(1).max(1024).default(".").describe("Folder to look in, relative to the workspace."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(2000)
        .default(parts.limit ?? 200)
        .describe("Paths at most, 1 to 2000."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "workspace",
    summarize: ({ pattern, path }) => (path === "." ? pattern : `${pattern} · ${path}`),
    async run({ pattern, path, limit }, context) {
      const read = readPattern(pattern);
      if (!read.ok) return read;
      const listed = await workspace.list(context.session, path);
      if (!listed.ok) return listed;
      const prefix = readPrefix(path);
      const byPath = new Map(listed.entries.map((entry) => [entry.path.slice(prefix.length), entry]));
      const found = await threads(context.signal, (search) =>
        search({ kind: "glob", pattern: read.pattern, paths: [...byPath.keys()] }),
      );
      if (found.kind === "refused") return { ok: false, error: `"${pattern}": ${found.reason}` };
      if (found.kind !== "paths") throw new TypeError("a glob is answered with paths");
      const paths = found.paths.slice(0, limit).map((name) => {
        const entry = byPath.get(name);
        return entry?.kind === "folder" ? `${entry.path}/` : (entry?.path ?? name);
      });
      const isMore = found.paths.length > limit || !listed.complete;
      const label = (await contents?.labelNames(context, paths)) ?? {};
      return { ok: true, output: { paths, has_more: isMore }, message: countOf(paths.length, "path"), ...label };
    },
  });
}

/** Patterns are relative to the folder that is looked in. */
export function readPrefix(path: string): string {
  const bare = path
    .replace(/^\/workspace(?=\/|$)/, "")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return bare.length === 0 ? "" : `${bare.join("/")}/`;
}
