import type { SessionRow } from "../store/queries/sessions.ts";
import type { ChatAddress } from "./types.ts";

/** Where the messages of a session go. */
export function toAddress(session: SessionRow): ChatAddress {
  return { platform: session.platform, account: session.account, chat: session.chat, thread: session.thread };
}
