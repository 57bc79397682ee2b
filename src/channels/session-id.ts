import type { ChatAddress, InboundMessage } from "./types.ts";

/** A session is one platform account + chat + thread. */
export function toSessionId(address: ChatAddress): string {
  const base = `${address.platform}:${address.account}:${address.chat}`;
  return address.thread === null ? base : `${base}#${address.thread}`;
}

/** The id of an event's inbox row: the platform's own key, made unique over platforms and accounts. */
export function toInboxId(address: { readonly platform: string; readonly account: string }, key: string): string {
  return `${address.platform}:${address.account}:${key}`;
}

export function toPersonId(platform: string, senderId: string): string {
  return `${platform}:${senderId}`;
}

/** The requester whose turns a message counts among; null for the terminal, which has no limit. */
export function toRequester({ address, sender }: Pick<InboundMessage, "address" | "sender">): string | null {
  return address.platform === "cli" ? null : toPersonId(address.platform, sender.id);
}
