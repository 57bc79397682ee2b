import type { ToolOutcome } from "../tools/types.ts";

/** Characters of one result that go to the model; the rest is cut from the middle. */
const modelLimit = 16_000;

/** A call's outcome as the model reads it: JSON, so that no content can pose as anything else. */
export function renderOutcome(outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case "done": {
      const { ok, output } = outcome.envelope;
      return cut({ ok, output });
    }
    case "failed": {
      const { ok, error, output } = outcome.envelope;
      return cut({ ok, error, ...(output === undefined ? {} : { output }) });
    }
    case "denied":
    case "unknown":
      return cut({ ok: false, kind: outcome.kind, error: outcome.reason });
  }
}

function cut(value: object): string {
  const text = JSON.stringify(value);
  if (text.length <= modelLimit) return text;
  const half = modelLimit / 2;
  const note = `cut: ${text.length - modelLimit} of ${text.length} characters left out; ask for a smaller part`;
  return JSON.stringify({
    ok: (value as { ok: boolean }).ok,
    start: text.slice(0, half),
    note,
    end: text.slice(-half),
  });
}
