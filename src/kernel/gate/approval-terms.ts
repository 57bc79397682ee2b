import type { ApprovalTerms } from "./types.ts";

/** Approval by the person who asked, or by an owner in the same chat. A grant covers no other terms. */
export const defaultTerms: ApprovalTerms = { votes: 1, askerMayApprove: true, ask: "chat" };

export function isDefaultTerms({ approvers, votes, askerMayApprove, ask }: ApprovalTerms): boolean {
  if (approvers !== undefined || votes > defaultTerms.votes) return false;
  return askerMayApprove === defaultTerms.askerMayApprove && ask === defaultTerms.ask;
}

/** Whether an approval on the first terms would have been enough on the others, by any of the approvers. */
export function areAsStrict(given: ApprovalTerms, wanted: ApprovalTerms): boolean {
  const { approvers } = wanted;
  return (
    given.votes >= wanted.votes &&
    (wanted.askerMayApprove || !given.askerMayApprove) &&
    (wanted.ask === "chat" || given.ask === "owner") &&
    (approvers === undefined || given.approvers?.every((one) => approvers.includes(one)) === true)
  );
}

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

/** Nobody in both: then an owner has to approve. */
function meetApprovers(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const both = a.filter((one) => b.includes(one));
  return both.length > 0 ? both : ["owner"];
}
