import type { ApprovalTerms } from "../types.ts";

/** The terms that satisfy both. */
export function meetTerms(a: ApprovalTerms, b: ApprovalTerms): ApprovalTerms {
  const approvers = meetApprovers(a.approvers, b.approvers);
  return {
    ...(approvers && { approvers }),
    votes: Math.max(a.votes, b.votes),
    askerMayApprove: a.askerMayApprove && b.askerMayApprove,
    ask: a.ask === "owner" || b.ask === "owner" ? "owner" : "chat",
  };
}

/** Nobody in both: then an owner's yes. */
function meetApprovers(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const both = a.filter((one) => b.includes(one));
  return both.length > 0 ? both : ["owner"];
}
