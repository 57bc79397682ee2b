import type { Language } from "../core/conversation.ts";
import { findReason } from "../core/words/tell-reason.ts";
import { findTiming } from "../tools/call-journal.ts";
import type { ToolOutcome } from "../tools/types.ts";
import { toModelJson } from "./model-text.ts";

/**
 * A call's outcome as the model reads it: whether it worked, how it ended, for how many milliseconds it ran, and what came
 * of it. JSON, so that no content can pose as anything else. The executor made it fit.
 */
export function renderOutcome(outcome: ToolOutcome, language: Language = "en"): string {
  const ms = findTiming(outcome);
  const ended = { ok: outcome.kind === "done", status: outcome.kind, ...(ms !== undefined && { ms }) };
  return toModelJson({ ...ended, ...describeResult(outcome), ...wordForPeople(outcome, language) });
}

/** Why it did not work, as people are told it in their language: the reason itself is a sentence for models. */
function wordForPeople(outcome: ToolOutcome, language: Language): { readonly say?: string } {
  if (outcome.kind === "done" || language === "en") return {};
  const say = findReason(outcome.kind === "failed" ? outcome.envelope.error : outcome.reason, language);
  return say === undefined ? {} : { say };
}

function describeResult(outcome: ToolOutcome): object {
  switch (outcome.kind) {
    case "done": {
      const { output, parts } = outcome.envelope;
      return { output, ...(parts && { kept: parts.map(({ path }) => path) }) };
    }
    case "failed": {
      const { error, output } = outcome.envelope;
      return { error, ...(output === undefined ? {} : { output }) };
    }
    case "denied":
    case "unknown":
      return { error: outcome.reason };
  }
}
