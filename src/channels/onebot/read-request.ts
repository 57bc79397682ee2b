import { z } from "zod";
import type { ContactRequestEvent } from "../types.ts";
import { readLabel } from "../json-view.ts";
import { toChat } from "./chat.ts";
import { readPositiveId } from "./wire-id.ts";

const shape = z.object({
  request_type: z.enum(["friend", "group"]),
  sub_type: z.unknown().optional(),
  time: z.coerce.number().int().nonnegative().catch(0),
  user_id: z.unknown(),
  group_id: z.unknown().optional(),
  flag: z.union([z.string().min(1).max(300), z.int().transform(String)]),
  comment: z.unknown().optional(),
});

const maxCommentLength = 100;

/** A user wants to be a friend, or into a group, or to have us in one; undefined when it is no such request. */
export function readRequest(value: unknown, account: string): ContactRequestEvent | undefined {
  const event = shape.safeParse(value).data;
  const user = readPositiveId(event?.user_id);
  if (event === undefined || user === undefined || user === account) return undefined;
  const request = nameRequest(event.request_type, event.sub_type);
  const group = event.request_type === "group" ? readPositiveId(event.group_id) : undefined;
  if (request === undefined || (event.request_type === "group" && group === undefined)) return undefined;
  const chat = toChat(group === undefined ? { kind: "private", id: user } : { kind: "group", id: group });
  return {
    kind: "request",
    key: `request:${chat}:${user}:${event.flag}`,
    address: { platform: "qq", account, chat, thread: null },
    sender: { id: user, name: user, kind: "person" },
    sentAt: event.time * 1_000,
    request,
    flag: event.flag,
    comment: readLabel(event.comment, maxCommentLength),
  };
}

function nameRequest(type: "friend" | "group", detail: unknown): ContactRequestEvent["request"] | undefined {
  if (type === "friend") return "friend";
  if (detail === "add") return "join";
  return detail === "invite" ? "invitation" : undefined;
}
