import type { ToolOutcome } from "../tools/types.ts";

/** A call's outcome as the model reads it: JSON, so that no content can pose as anything else. The executor made it fit. */
export function renderOutcome(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case "done": {
      const { ok, output, parts } = outcome.envelope;
      return JSON.stringify({ ok, output, ...(parts && { kept: parts.map(({ path }) => path) }) });
    }
    case "failed": {
      const { ok, error, output } = outcome.envelope;
      return JSON.stringify({ ok, error, ...(output === undefined ? {} : { output }) });
    }
    case "denied":
    case "unknown":
      return JSON.stringify({ ok: false, kind: outcome.kind, error: outcome.reason });
  }
}
