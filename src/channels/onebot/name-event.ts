import { z } from "zod";

const named = z
  .object({
    post_type: z.string(),
    meta_event_type: z.string(),
    notice_type: z.string(),
    request_type: z.string(),
    sub_type: z.string(),
  })
  .partial();

/** Events of OneBot 11, go-cqhttp, NapCat and LLBot that ask nothing of us; each is ignored under its own name. */
const quiet = new Set([
  "message_sent",
  "heartbeat",
  "lifecycle",
  "friend_request",
  "group_add_request",
  "group_invite_request",
  "group_recall",
  "friend_recall",
  "group_upload",
  "offline_file",
  "online_file_receive",
  "online_file_send",
  "group_admin",
  "group_increase",
  "group_ban",
  "group_card",
  "group_msg_emoji_like",
  "friend_add",
  "essence",
  "client_status",
  "flash_file",
  "bot_offline",
  "poke",
  "poke_recall",
  "lucky_king",
  "honor",
  "title",
  "group_name",
  "input_status",
  "profile_like",
  "gray_tip",
]);

/** The rule an event other than a message is ignored by. */
export function nameEvent(value: unknown): string {
  const read = named.safeParse(value);
  if (!read.success) return "malformed";
  const name = nameKind(read.data);
  if (quiet.has(name)) return name;
  return `unknown:${/^\w{1,64}$/.test(name) ? name : "unnamed"}`;
}

function nameKind(event: z.output<typeof named>): string {
  const { post_type: post, sub_type: detail = "" } = event;
  switch (post) {
    case "meta_event":
      return event.meta_event_type ?? "";
    case "notice":
      return (event.notice_type === "notify" ? detail : event.notice_type) ?? "";
    case "request":
      return event.request_type === "group" ? `group_${detail}_request` : `${event.request_type ?? ""}_request`;
    case undefined:
    default:
      return post ?? "";
  }
}
