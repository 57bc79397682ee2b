import { toCanonicalJson, type JsonValue } from "../core/canonical-json.ts";
import type { Language } from "../core/conversation.ts";
import type { KnownTool } from "./types.ts";

/**
 * What exactly would happen, for the question. A tool without words of its own shows every argument: its summary alone only
 * where that is the one argument there is.
 */
export function detailCall(tool: KnownTool, input: unknown, language: Language): string {
  if (tool.detail) return tool.detail(input, language);
  const summary = tool.summarize(input);
  const given = JSON.parse(JSON.stringify(input ?? {})) as JsonValue;
  const values = typeof given === "object" && given !== null ? Object.values(given) : [given];
  return values.length === 1 && values[0] === summary ? summary : toCanonicalJson(given);
}
