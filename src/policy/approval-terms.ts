import type { ApprovalTerms } from "./types.ts";

/** The yes of the person who asked, or of an owner in the same chat. A standing yes covers no other terms. */
export const defaultTerms: ApprovalTerms = { votes: 1, askerMayApprove: true, ask: "chat" };

export function isDefaultTerms({ approvers, votes, askerMayApprove, ask }: ApprovalTerms): boolean {
  if (approvers !== undefined || votes > defaultTerms.votes) return false;
  return askerMayApprove === defaultTerms.askerMayApprove && ask === defaultTerms.ask;
}
