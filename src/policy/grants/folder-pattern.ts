import type { GrantScope } from "../../store/queries/questions.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/** The folder that a path of the workspace is in, without those below it; undefined = the path is refused anyway. */
export function toFolderPattern(path: string): GrantScope | undefined {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok || parsed.parts.length === 0) return undefined;
  return { kind: "folder", folder: parsed.parts.slice(0, -1).join("/") };
}
