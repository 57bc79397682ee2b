import { hashJson, toCanonicalJson, type JsonValue } from "../../core/canonical-json.ts";
import type { Taint } from "../../core/conversation.ts";
import type { Grant } from "../../store/queries/grants.ts";
import type { GrantScope } from "../../store/queries/questions.ts";
import { isDefaultTerms } from "./approval-terms.ts";
import type { KnownTool, Verdict } from "./types.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/** The scope of a grant for this call; undefined = there can be none. Pure. */
export function findGrantScope(
  tool: Pick<KnownTool, "name" | "source" | "place" | "alwaysAsks" | "definition" | "grantPattern" | "inspect">,
  input: unknown,
  { verdict, taint }: { readonly verdict: Verdict; readonly taint: Taint },
): GrantScope | undefined {
  if (!isGrantable(verdict, taint)) return undefined;
  if (tool.alwaysAsks === true) return undefined;
  // Nobody here can tell what others' tools do (delete, for one); a command or a page can be anything.
  if (tool.source !== "builtin" || tool.place === "sandbox" || tool.place === "network") return undefined;
  // Its effect depends on the files of that moment, and nobody would be shown those. A pattern says what it stays within.
  if (tool.inspect && !tool.grantPattern) return undefined;
  const scope: GrantScope | undefined = tool.grantPattern
    ? tool.grantPattern(input)
    : { kind: "exact", hash: hashJson({ tool: tool.name, input: input as JsonValue }) };
  if (scope === undefined || tool.definition === undefined) return scope;
  return { ...scope, definition: hashJson(tool.definition).slice(0, 16) };
}

/** Asked for because of its level alone, on the usual terms, in a turn that has read nothing of strangers. */
function isGrantable(verdict: Verdict, taint: Taint): boolean {
  if (verdict.kind !== "ask" || taint === "untrusted") return false;
  return verdict.because.every(({ kind }) => kind === "level") && isDefaultTerms(verdict.terms);
}

/**
 * The verdict, or what a grant makes of it. `grants` are those that hold now for this person in this chat; the scope has to
 * be equal to the one that was shown when the grant was given.
 */
export function coverByGrant(
  verdict: Verdict,
  call: { readonly tool: string; readonly scope: GrantScope | undefined; readonly grants: readonly Grant[] },
): Verdict {
  if (verdict.kind !== "ask" || call.scope === undefined) return verdict;
  const wanted = toCanonicalJson(call.scope);
  const grant = call.grants.find(({ tool, pattern }) => tool === call.tool && toCanonicalJson(pattern) === wanted);
  return grant ? { kind: "allow", grant: grant.id } : verdict;
}

/** The folder that a path of the workspace is in, without those below it; undefined = the path is refused anyway. */
export function toFolderPattern(path: string): GrantScope | undefined {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok || parsed.parts.length === 0) return undefined;
  return { kind: "folder", folder: parsed.parts.slice(0, -1).join("/") };
}
