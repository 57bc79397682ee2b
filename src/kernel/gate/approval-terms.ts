import type { ApprovalTerms } from "./types.ts";

/** Approval by the requester, or by an owner in the same chat. Grants require these terms. */
export const defaultTerms: ApprovalTerms = { votes: 1, askerMayApprove: true, ask: "chat" };

export function isDefaultTerms({ approvers, votes, askerMayApprove, ask }: ApprovalTerms): boolean {
  if (approvers !== undefined || votes > defaultTerms.votes) return false;
  return askerMayApprove === defaultTerms.askerMayApprove && ask === defaultTerms.ask;
}

/** Whether every approval under the given terms also satisfies the wanted ones. */
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

/** No common approver: then an owner must approve. */
function meetApprovers(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const both = a.filter((one) => b.includes(one));
  return both.length > 0 ? both : ["owner"];
}
