import { decodeCqCode } from "./cq-code.ts";
import { OneBotRefusal, refusedByQq, type FakeParams, type FakeSegment } from "./onebot-types.ts";

/** The segments of a message to be sent: an array, one segment, or CQ codes. Their shape is checked, not what they name. */
export function readSegments(params: FakeParams, maxText: number): readonly FakeSegment[] {
  const segments = normalize(params["message"], params["auto_escape"] === true);
  if (segments.length === 0) throw new OneBotRefusal(1200, unreadable);
  for (const segment of segments) checkSegment(segment);
  const replies = segments.filter(({ type }) => type === "reply");
  if (replies.length > 1) throw new OneBotRefusal(1200, "a message quotes one message");
  if (replies.length === 1 && segments[0]?.type !== "reply") {
    throw new OneBotRefusal(1200, "the reply segment must be the first one");
  }
  const text = segments.map(({ type, data }) => (type === "text" ? String(data["text"]) : "")).join("");
  const hasMore = segments.some(({ type }) => type !== "text" && type !== "reply");
  if (text.trim() === "" && !hasMore) throw refusedByQq(1, "empty message");
  if (text.length > maxText) throw refusedByQq(120, "message too long");
  return segments;
}

const unreadable = "消息体无法解析, 请检查是否发送了不支持的消息类型";

function normalize(message: unknown, literal: boolean): readonly FakeSegment[] {
  if (typeof message === "string") {
    return literal ? [{ type: "text", data: { text: message } }] : decodeCqCode(message);
  }
  const list: readonly unknown[] = Array.isArray(message) ? message : [message];
  for (const item of list) {
    if (!isSegment(item)) throw new OneBotRefusal(1400, "Key: message, Message: Expected a segment");
  }
  return list as readonly FakeSegment[];
}

function isSegment(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const { type, data } = item as { readonly type?: unknown; readonly data?: unknown };
  return typeof type === "string" && typeof data === "object" && data !== null;
}

/** The field each kind cannot do without. The standard has strings in all of them. */
const needed: Readonly<Record<string, string>> = {
  text: "text",
  at: "qq",
  reply: "id",
  face: "id",
  image: "file",
  record: "file",
  file: "file",
};

function checkSegment({ type, data }: FakeSegment): void {
  const field = needed[type];
  if (field === undefined) throw new OneBotRefusal(1200, `未知的消息类型：${type}`);
  const value = data[field];
  if (typeof value !== "string")
    throw new OneBotRefusal(1400, `Key: message.${type}.${field}, Message: Expected string`);
  if (!value.isWellFormed()) throw refusedByQq(1, "the text is not UTF-8");
  if (field === "file") checkReference(value);
  if (type === "at" && !/^(?:\d+|all)$/.test(value)) throw new OneBotRefusal(1200, "Get Uid Error");
  if (type === "reply" && !/^-?\d+$/.test(value)) throw new OneBotRefusal(1200, `消息${value}不存在`);
}

/** Bytes, an address, or a path that it gave out itself; one of another machine leads nowhere. */
function checkReference(value: string): void {
  if (/^https?:\/\//.test(value) || value.startsWith("/app/napcat/temp/")) return;
  readBase64(value);
}

/** What stands in a file field: only bytes come over from another machine; a path would be one of this one. */
export function readBase64(reference: unknown): Buffer {
  const text = typeof reference === "string" ? reference : "";
  if (!text.startsWith("base64://")) throw new OneBotRefusal(1200, `识别URL失败, uri= ${text.slice(0, 40)}`);
  const encoded = text.slice("base64://".length);
  // No expression over megabytes: it may run out of its stack.
  const content = Buffer.from(encoded, "base64");
  if (encoded === "" || content.toString("base64") !== encoded) throw new OneBotRefusal(1200, "文件异常，大小为0");
  return content;
}
