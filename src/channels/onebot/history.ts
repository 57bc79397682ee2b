import { z } from "zod";
import type { Account } from "./account.ts";
import type { QqChat } from "./chat.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { toWireId } from "./wire-id.ts";

/** The newest messages of a chat as events, or those up to one of them; an extension of go-cqhttp that NapCat and LLBot have too. */
export type History =
  | { readonly kind: "known"; readonly messages: readonly object[] }
  /** The implementation does not know (it has no history, or it failed). */
  | { readonly kind: "unknown"; readonly reason: string; readonly unsupported: boolean }
  | { readonly kind: "disconnected" };

const pages = z.object({ messages: z.array(z.unknown()) });

export async function readHistory(
  link: OneBotLink,
  account: Pick<Account, "id" | "dialect">,
  chat: QqChat,
  options: {
    readonly count: number;
    /** The newest one wanted, by the field that this implementation pages by. */
    readonly upTo?: number | string | undefined;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  },
): Promise<History> {
  const isGroup = chat.kind === "group";
  const action = isGroup ? "get_group_msg_history" : "get_friend_msg_history";
  const id = toWireId(chat.id);
  const upTo = options.upTo === undefined ? {} : { [account.dialect.historyPlace]: options.upTo };
  const params = { ...(isGroup ? { group_id: id } : { user_id: id }), count: options.count, ...upTo };
  const answer = await link.call(action, params, options.timeoutMs, options.signal);
  switch (answer.kind) {
    case "unsent":
      return { kind: "disconnected" };
    case "unanswered":
      // The next connection can answer.
      if (answer.ended === true) return { kind: "disconnected" };
      return { kind: "unknown", reason: answer.reason, unsupported: false };
    case "failed":
      return {
        kind: "unknown",
        reason: answer.reason,
        unsupported: account.dialect.noSuchAction.includes(answer.retcode),
      };
    case "ok":
      break;
  }
  const page = pages.safeParse(answer.data).data;
  if (page === undefined) return { kind: "unknown", reason: "its history is no list of messages", unsupported: false };
  // Some leave out what the question said already.
  const known = { post_type: "message", self_id: account.id, message_type: chat.kind };
  const messages = page.messages.flatMap((message) =>
    typeof message === "object" && message !== null ? [{ ...known, ...message }] : [],
  );
  return { kind: "known", messages };
}
