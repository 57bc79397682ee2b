import type { ApprovalTerms } from "./types.ts";

/** One yes, of the person who asked or of an owner, in the chat it was asked in. */
export function isUsualTerms({ approvers, votes, askerMayApprove, ask }: ApprovalTerms): boolean {
  return approvers === undefined && votes <= 1 && askerMayApprove && ask === "chat";
}
