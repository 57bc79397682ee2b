import type { ChatAddress, ContactRequestEvent, RequestAnswer } from "../types.ts";
import type { Accounts } from "./account.ts";
import { judgeSend } from "./judge-send.ts";

const callMs = 15_000;

/** Accepts or declines, by the flag that came with the request. An answer that may mean anything is no yes. */
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
    if (answer.kind === "failed") return { kind: "refused", reason: answer.reason };
    const verdict = judgeSend(answer);
    switch (verdict.kind) {
      case "sent":
        return { kind: "done" };
      case "doubtful":
        return { kind: "unknown", reason: verdict.reason };
      case "later":
      case "refused":
        return { kind: verdict.kind, reason: verdict.reason };
    }
  };
}
