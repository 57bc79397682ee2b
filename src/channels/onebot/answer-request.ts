import type { ChatAddress, ContactRequestEvent, RequestAnswer } from "../types.ts";
import type { Accounts } from "./account.ts";

const callMs = 15_000;

/** Accepts or declines a request, by the flag that came with it. */
export function createAnswerRequest(parts: { readonly accounts: Accounts }) {
  return async (
    { account }: ChatAddress,
    { flag, request }: Pick<ContactRequestEvent, "request" | "flag">,
    approve: boolean,
  ): Promise<RequestAnswer> => {
    const link = parts.accounts.find(account)?.link;
    if (link === undefined) return { kind: "later", reason: `QQ account ${account} is not connected` };
    const isFriend = request === "friend";
    const more = isFriend ? {} : { sub_type: request === "join" ? "add" : "invite" };
    const action = isFriend ? "set_friend_add_request" : "set_group_add_request";
    const answer = await link.call(action, { flag, approve, ...more }, callMs);
    switch (answer.kind) {
      case "ok":
        return { kind: "done" };
      case "failed":
        return { kind: "refused", reason: answer.reason };
      case "unanswered":
        return { kind: "unknown", reason: answer.reason };
      case "unsent":
        return { kind: "later", reason: answer.reason };
    }
  };
}
