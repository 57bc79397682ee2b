import { z } from "zod";
import { toChat } from "./chat.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { readPositiveId } from "./wire-id.ts";

const contacts = z.array(z.unknown());
const contact = z.object({ peerUin: z.unknown(), chatType: z.coerce.number(), msgTime: z.coerce.number() });
const kinds = new Map<number, "private" | "group">([
  [1, "private"],
  [2, "group"],
]);

/**
 * Friends and groups with a message since then (the platform's time, milliseconds). Only NapCat can tell; the others, and
 * whatever goes wrong, name nobody.
 */
export async function listRecentContacts(
  link: OneBotLink,
  options: {
    readonly since: number;
    readonly count: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<string[]> {
  const { since, count, timeoutMs, signal } = options;
  const answer = await link.call("get_recent_contact", { count }, timeoutMs, signal);
  if (answer.kind !== "ok") return [];
  return (contacts.safeParse(answer.data).data ?? []).flatMap((item) => {
    const read = contact.safeParse(item);
    if (!read.success || read.data.msgTime * 1_000 < since) return [];
    const kind = kinds.get(read.data.chatType);
    const id = readPositiveId(read.data.peerUin);
    return kind === undefined || id === undefined ? [] : [toChat({ kind, id })];
  });
}
