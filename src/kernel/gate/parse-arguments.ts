import type { JsonObject } from "../../core/conversation.ts";
import type { KnownTool } from "./types.ts";

/** Parses the arguments, or returns the violated rules in one sentence for the model. */
export function parseArguments(
  tool: KnownTool,
  given: JsonObject,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly error: string } {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, input: parsed.data };
  const rules = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return { ok: false, error: `Wrong arguments for ${tool.name}: ${rules.join("; ")}` };
}
