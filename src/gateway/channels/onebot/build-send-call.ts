import type { QqChat } from "./chat.ts";
import { formatCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";
import { toWireId } from "./wire-id.ts";

/** Segments, or CQ codes for an implementation that knows no others. */
export type MessageFormat = "array" | "string";

/** The call that sends one text; a quote must be the first segment. Text never becomes a segment, whatever stands in it. */
export function buildSendCall(
  chat: QqChat,
  text: string,
  options: { readonly format: MessageFormat; readonly replyTo: string | undefined },
): { action: string; params: object } {
  const segments: readonly Segment[] = [
    ...(options.replyTo === undefined ? [] : [{ type: "reply", data: { id: options.replyTo } }]),
    { type: "text", data: { text } },
  ];
  const message = options.format === "array" ? segments : formatCqCode(segments);
  return chat.kind === "group"
    ? { action: "send_group_msg", params: { group_id: toWireId(chat.id), message } }
    : { action: "send_private_msg", params: { user_id: toWireId(chat.id), message } };
}
