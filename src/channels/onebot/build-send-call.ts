import type { QqChat } from "./chat.ts";
import { formatCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";
import { toWireId } from "./wire-id.ts";

/** Segments, or CQ codes for an implementation that knows no others. */
export type MessageFormat = "array" | "string";

/** The content of one message: a text, or a file of so many bytes of base64. */
export type SendContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file" | "picture"; readonly name: string; readonly base64: string };

/** The call that sends one text; a quote must be the first segment. Text never becomes a segment, whatever stands in it. */
export function buildSendCall(
  chat: QqChat,
  content: SendContent,
  options: { readonly format: MessageFormat; readonly replyTo: string | undefined },
): { action: string; params: object } {
  const segments: readonly Segment[] = [
    ...(options.replyTo === undefined ? [] : [{ type: "reply", data: { id: options.replyTo } }]),
    toSegment(content),
  ];
  const message = options.format === "array" ? segments : formatCqCode(segments);
  return chat.kind === "group"
    ? { action: "send_group_msg", params: { group_id: toWireId(chat.id), message } }
    : { action: "send_private_msg", params: { user_id: toWireId(chat.id), message } };
}

/** Base64, because the other side may stand on another machine. */
function toSegment(content: SendContent): Segment {
  return content.kind === "text"
    ? { type: "text", data: { text: content.text } }
    : {
        type: content.kind === "picture" ? "image" : "file",
        data: { file: `base64://${content.base64}`, name: content.name },
      };
}

/** The call of go-cqhttp for an implementation whose messages hold no files. It answers no message id. */
export function buildUploadCall(
  chat: QqChat,
  file: { readonly name: string; readonly base64: string },
): { action: string; params: object } {
  const params = { file: `base64://${file.base64}`, name: file.name };
  return chat.kind === "group"
    ? { action: "upload_group_file", params: { group_id: toWireId(chat.id), ...params } }
    : { action: "upload_private_file", params: { user_id: toWireId(chat.id), ...params } };
}
