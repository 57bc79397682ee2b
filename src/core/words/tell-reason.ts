import type { Language } from "../conversation.ts";
import { fileReasons } from "./reasons/file-reasons.ts";
import { gateReasons } from "./reasons/gate-reasons.ts";
import { otherReasons } from "./reasons/other-reasons.ts";
import { memoryReasons } from "./reasons/memory-reasons.ts";
import { createFinder, quoteReason } from "./find-reason.ts";
import type { ReasonWords } from "./reasons/reason-words.ts";
import { sandboxReasons } from "./reasons/sandbox-reasons.ts";
import { webReasons } from "./reasons/web-reasons.ts";

export const reasons: readonly ReasonWords[] = [
  ...gateReasons,
  ...fileReasons,
  ...sandboxReasons,
  ...webReasons,
  ...memoryReasons,
  ...otherReasons,
];

/** A sentence of these in the language; undefined when it is none of ours. */
export const findReason = createFinder(reasons, quoteReason);

/**
 * A reason that was written for the model, for people: in their language where it is one of ours, else as a quotation,
 * since it is another person's words or a technical detail.
 */
export function tellReason(reason: string, language: Language): string {
  return findReason(reason, language) ?? quoteReason(reason);
}
