import type { ToolOutcome } from "../tools/types.ts";

/** A call's outcome as the model reads it: JSON, so that no content can pose as anything else. The executor made it fit. */
export function renderOutcome(outcome: ToolOutcome): string {
  return escapeHidden(JSON.stringify(toEnvelope(outcome)));
}

function toEnvelope(outcome: ToolOutcome): object {
  switch (outcome.kind) {
    case "done": {
      const { ok, output, parts } = outcome.envelope;
      return { ok, output, ...(parts && { kept: parts.map(({ path }) => path) }) };
    }
    case "failed": {
      const { ok, error, output } = outcome.envelope;
      return { ok, error, ...(output === undefined ? {} : { output }) };
    }
    case "denied":
    case "unknown":
      return { ok: false, kind: outcome.kind, error: outcome.reason };
  }
}

/** Characters that are not seen or turn the order round, and the beginnings of marks that chat templates give a meaning. */
const hidden =
  /(?!\uFE0F)(?:\p{Cf}|\p{Cc}|[\u2028\u2029]|\p{Variation_Selector})|<(?=\||\/?(?:s|tool_calls?|start_of_turn|end_of_turn)>|<SYS>>)|\[(?=\/?INST\])/giu;

/** The same JSON with those written as escapes: a page cannot smuggle words past a reader, or pose as the template. */
function escapeHidden(json: string): string {
  return json.replace(hidden, (found) =>
    Array.from(
      { length: found.length },
      (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
