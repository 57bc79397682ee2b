import { hashJson, toCanonicalJson, type JsonValue } from "../../core/canonical-json.ts";
import type { Taint } from "../../core/conversation.ts";
import type { Grant } from "../../store/queries/grants.ts";
import type { GrantScope } from "../../store/queries/questions.ts";
import { isDefaultTerms } from "./approval-terms.ts";
import type { KnownTool, Verdict } from "./types.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/** The scope of a grant for this call. Returns undefined when none is possible. Pure. */
export function findGrantScope(
  tool: Pick<KnownTool, "name" | "source" | "place" | "alwaysAsks" | "definition" | "grantPattern" | "inspect">,
  input: unknown,
  { verdict, taint }: { readonly verdict: Verdict; readonly taint: Taint },
): GrantScope | undefined {
  if (!isGrantable(verdict, taint)) return undefined;
  if (tool.alwaysAsks === true) return undefined;
  // The effect of a foreign tool is unknown here (it might delete), and a command or a page can do anything.
  if (tool.source !== "builtin" || tool.place === "sandbox" || tool.place === "network") return undefined;
  // Its effect depends on the files at that moment, and with a grant no person would see them. A pattern would limit
  // it.
  if (tool.inspect && !tool.grantPattern) return undefined;
  const scope: GrantScope | undefined = tool.grantPattern
    ? tool.grantPattern(input)
    : { kind: "exact", hash: hashJson({ tool: tool.name, input: input as JsonValue }) };
  if (scope === undefined || tool.definition === undefined) return scope;
  return { ...scope, definition: hashJson(tool.definition).slice(0, 16) };
}

/** Only the level asks, on the default terms, in a turn without untrusted content. */
function isGrantable(verdict: Verdict, taint: Taint): boolean {
  if (verdict.kind !== "ask" || taint === "untrusted") return false;
  return verdict.because.every(({ kind }) => kind === "level") && isDefaultTerms(verdict.terms);
}

/**
 * Applies the grants to a verdict. `grants` are those valid now for this person in this chat. The scope must equal the
 * one shown when the grant was given.
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

/** The folder of a workspace path, without its subfolders. Returns undefined when the path is refused anyway. */
export function toFolderPattern(path: string): GrantScope | undefined {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok || parsed.parts.length === 0) return undefined;
  return { kind: "folder", folder: parsed.parts.slice(0, -1).join("/") };
}
