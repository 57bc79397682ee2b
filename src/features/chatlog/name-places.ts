import type { LogChat } from "./queries/chat-log.ts";

/**
 * The link to a message, for those who are in that chat; undefined = the platform has no links to it. Telegram has them for
 * supergroups and channels (core.telegram.org/api/links#private-message-links).
 */
export function linkMessage({ key, session }: { readonly key: string; readonly session: string | null }) {
  const [, chat, thread] = /^telegram:[^:]{1,64}:-100(\d{1,20})(?:#(\d{1,20}))?$/.exec(session ?? "") ?? [];
  if (chat === undefined || !/^\d{1,20}$/.test(key)) return undefined;
  return `https://t.me/c/${chat}/${thread === undefined ? "" : `${thread}/`}${key}`;
}

/** People of a live group chose its name; that of an import is the operator's or the export's. */
export function isNamedByOthers({ name, session }: LogChat): boolean {
  return session !== null && name !== "";
}

/** The name of a chat; many have none here, and a number. */
export function nameChat({ id, kind, name, session }: LogChat): string {
  return name === "" ? `${(session ?? "").split(":")[0]} ${kind} ${id}` : name;
}
