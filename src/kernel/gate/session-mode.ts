import type { KnownTool, Verdict } from "./types.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/** plan allows only reading and thinking; files under `paths` (relative to the workspace) may change. */
export type SessionMode = { readonly kind: "act" } | { readonly kind: "plan"; readonly paths: readonly string[] };

/** The stored form: null for `act`, else JSON. */
export function writeMode(mode: SessionMode): string | null {
  return mode.kind === "act" ? null : JSON.stringify(mode.paths);
}

export function readMode(stored: string | null): SessionMode {
  return stored === null ? { kind: "act" } : { kind: "plan", paths: JSON.parse(stored) as string[] };
}

/** The denial of a call that plan mode blocks. Returns undefined when the levels decide. */
export function judgeMode(tool: KnownTool, input: unknown, mode: SessionMode): Verdict | undefined {
  if (mode.kind === "act" || tool.readOnly || (tool.place === "gateway" && tool.level === "safe")) return undefined;
  const changed = tool.changes?.(input);
  if (changed !== undefined && changed.length > 0 && changed.every((path) => isUnderOne(path, mode.paths)))
    return undefined;
  const where = mode.paths.length === 0 ? "" : ` outside of ${mode.paths.join(", ")}`;
  return {
    kind: "deny",
    reason: `Plan mode: nothing is changed or run${where}. Go on by reading, then put the plan to the person; they turn it off with /act.`,
  };
}

function isUnderOne(path: string, folders: readonly string[]): boolean {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok) return false;
  const { relative } = parsed;
  return folders.some((folder) => folder === "." || relative === folder || relative.startsWith(`${folder}/`));
}
