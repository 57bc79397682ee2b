import { encodeCqCode } from "./cq-code.ts";
import { fakeTraits } from "./implementations.ts";
import type { FakeQq } from "./fake-qq.ts";
import { splitChat, type FakeOneBotSettings, type FakeParams, type FakeQqMessage } from "./onebot-types.ts";

/** The number behind which QQ hides people who write anonymously. */
const anonymousId = 80_000_000;

/** A message as an event, and as get_msg and the histories answer it; NapCat's fields. */
export function describeMessage(message: FakeQqMessage, qq: FakeQq, settings: FakeOneBotSettings): FakeParams {
  const { kind, id } = splitChat(message.chat);
  const raw = encodeCqCode(message.segments).trim();
  const from = message.anonymous ? anonymousId : message.from;
  return {
    self_id: settings.selfId,
    user_id: from,
    time: message.time,
    message_id: message.messageId,
    message_seq: fakeTraits[settings.implementation].seqIsId ? message.messageId : message.sequence,
    real_id: message.messageId,
    real_seq: String(message.sequence),
    message_type: kind,
    sender: describeSender(message, qq, settings, from),
    raw_message: raw,
    font: 14,
    sub_type: kind === "group" ? "normal" : "friend",
    message: settings.messageFormat === "string" ? raw : message.segments,
    message_format: settings.messageFormat,
    post_type: message.fromBot ? "message_sent" : "message",
    ...(message.fromBot && { message_sent_type: "self" }),
    ...(kind === "group" ? { group_id: id, group_name: qq.groups.get(id)?.name } : { target_id: id }),
    ...(message.temp !== undefined && { sub_type: "group", group_id: message.temp, temp_source: 0 }),
    ...(message.anonymous && { sub_type: "anonymous", anonymous: { id: 1, name: "匿名", flag: "flag" } }),
  };
}

function describeSender(
  message: FakeQqMessage,
  qq: FakeQq,
  { selfId, nickname }: FakeOneBotSettings,
  from: number,
): FakeParams {
  const { kind, id } = splitChat(message.chat);
  if (message.anonymous) return { user_id: from, nickname: "匿名", card: "" };
  const person = from === selfId ? { id: selfId, name: nickname } : qq.people.get(from);
  const name = person?.name ?? `用户${from}`;
  if (kind === "private") return { user_id: from, nickname: name, card: "" };
  const member = qq.groups.get(id)?.members.get(from);
  return { user_id: from, nickname: name, card: member?.card ?? "", role: member?.role ?? "member" };
}

const idFields = new Set([
  "self_id",
  "user_id",
  "group_id",
  "message_id",
  "message_seq",
  "real_id",
  "target_id",
  "operator_id",
]);

/** Numbers in the fields that hold ids become strings, at any depth. */
export function writeIdsAsStrings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeIdsAsStrings);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      idFields.has(name) && typeof field === "number" ? String(field) : writeIdsAsStrings(field),
    ]),
  );
}
