import type { Account } from "./account.ts";
import type { QqChat } from "./chat.ts";
import { formatCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";
import { toWireId } from "./wire-id.ts";

/** Segments, or CQ codes for an implementation that knows no others. */
export type MessageFormat = "array" | "string";

/** The content of one message: a text, a file by base64 or where the other side finds it, or a merged forward of texts. */
export type SendContent =
  /** `at` = the user who is called before the text. */
  | { readonly kind: "text"; readonly text: string; readonly at?: string }
  | { readonly kind: "file" | "picture" | "record"; readonly name: string; readonly reference: string }
  | { readonly kind: "forward"; readonly texts: readonly string[] };

/** The speaker in the nodes of a forward, and the form of the nodes. */
export type NodeWriter = Pick<Account, "id" | "nickname" | "dialect">;

/**
 * The call that sends one message; a quote must be the first segment. Text never becomes a segment, whatever it
 * contains.
 */
export function buildSendCall(
  chat: QqChat,
  content: SendContent,
  options: { readonly format: MessageFormat; readonly replyTo: string | undefined; readonly writer: NodeWriter },
): { action: string; params: object } {
  const place = chat.kind === "group" ? { group_id: toWireId(chat.id) } : { user_id: toWireId(chat.id) };
  if (content.kind === "forward") {
    const messages = content.texts.map((text) => writeNode(text, options.writer));
    return { action: `send_${chat.kind}_forward_msg`, params: { ...place, messages } };
  }
  const segments: readonly Segment[] = [
    ...(options.replyTo === undefined ? [] : [{ type: "reply", data: { id: options.replyTo } }]),
    ...(content.kind === "text" && content.at !== undefined ? [{ type: "at", data: { qq: content.at } }] : []),
    toSegment(content),
  ];
  const message = options.format === "array" ? segments : formatCqCode(segments);
  return { action: `send_${chat.kind}_msg`, params: { ...place, message } };
}

function writeNode(text: string, { id, nickname, dialect }: NodeWriter): object {
  const { id: idField, name } = dialect.nodeWriter;
  const writer = { [idField]: toWireId(id), [name]: nickname || id };
  return { type: "node", data: { ...writer, content: [{ type: "text", data: { text } }] } };
}

const segmentTypes = { picture: "image", record: "record", file: "file" } as const;

function toSegment(content: Exclude<SendContent, { kind: "forward" }>): Segment {
  if (content.kind === "text") return { type: "text", data: { text: content.text } };
  return { type: segmentTypes[content.kind], data: { file: content.reference, name: content.name } };
}

/** The call of go-cqhttp for an implementation whose messages hold no files. It answers no message id. */
export function buildUploadCall(
  chat: QqChat,
  file: { readonly name: string; readonly reference: string },
): { action: string; params: object } {
  const params = { file: file.reference, name: file.name };
  return chat.kind === "group"
    ? { action: "upload_group_file", params: { group_id: toWireId(chat.id), ...params } }
    : { action: "upload_private_file", params: { user_id: toWireId(chat.id), ...params } };
}
