import type { JsonValue } from "../../core/canonical-json.ts";
import type { ToolDisplay, ToolResult } from "./types.ts";

/** Removes known secrets from all text of a result: it goes to the model, the log, the chat and the database. */
export function scrubResult(result: ToolResult, scrub: (text: string) => string): ToolResult {
  const { output, message, display } = result;
  const words = {
    ...(message !== undefined && { message: scrub(message) }),
    ...(display !== undefined && { display: scrubDisplay(display, scrub) }),
  };
  if (result.ok) return { ...result, ...words, output: scrubJson(result.output, scrub) };
  const scrubbed = output === undefined ? {} : { output: scrubJson(output, scrub) };
  return { ...result, ...words, ...scrubbed, error: scrub(result.error) };
}

function scrubDisplay(display: ToolDisplay, scrub: (text: string) => string): ToolDisplay {
  switch (display.kind) {
    case "diff":
      return { ...display, text: scrub(display.text) };
    case "image":
      return { ...display, title: scrub(display.title) };
    case "table":
      return { ...display, header: display.header.map(scrub), rows: display.rows.map((row) => row.map(scrub)) };
  }
}

function scrubJson(value: JsonValue, scrub: (text: string) => string): JsonValue {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((one: JsonValue) => scrubJson(one, scrub));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [scrub(key), scrubJson(one, scrub)]));
}
