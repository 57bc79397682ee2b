import type { ApprovalTerms } from "./types.ts";

/** Whether what was agreed to on the first terms would have been enough on the others, whoever of those agreed. */
export function areAsStrict(given: ApprovalTerms, wanted: ApprovalTerms): boolean {
  const { approvers } = wanted;
  return (
    given.votes >= wanted.votes &&
    (wanted.askerMayApprove || !given.askerMayApprove) &&
    (wanted.ask === "chat" || given.ask === "owner") &&
    (approvers === undefined || given.approvers?.every((one) => approvers.includes(one)) === true)
  );
}
