import type { ToolOutcome } from "../tools/types.ts";
import { toModelJson } from "./model-text.ts";

/** A call's outcome as the model reads it: JSON, so that no content can pose as anything else. The executor made it fit. */
export function renderOutcome(outcome: ToolOutcome): string {
  return toModelJson(toEnvelope(outcome));
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
