import type { Verdict } from "../../src/kernel/gate/types.ts";
import { explainCall } from "../../src/kernel/gate/permission.ts";

/** The verdict without its reasons. */
export function judgeCall(...call: Parameters<typeof explainCall>): Verdict {
  return explainCall(...call).verdict;
}
