import { readSegments } from "./check-segments.ts";
import type { FakeTraits } from "./implementations.ts";
import { OneBotRefusal, type FakeParams, type FakeSegment } from "./onebot-types.ts";

/** One message of a merged forward. */
export interface FakeForwarded {
  readonly from: number;
  readonly name: string;
  readonly segments: readonly FakeSegment[];
}

/** What `get_forward_msg` answers. */
export function readForward(
  params: FakeParams,
  forwards: ReadonlyMap<string, readonly FakeForwarded[]>,
  { forwardAnswer, forwardIds }: FakeTraits,
): FakeParams {
  const id = forwardIds.map((name) => params[name]).find((value) => value !== undefined);
  if (typeof id !== "string") throw new OneBotRefusal(1400, "message_id is required");
  const messages = forwards.get(id);
  if (messages === undefined) throw new OneBotRefusal(1200, "消息已过期或者为内层消息，无法获取转发消息");
  const sender = ({ from, name }: FakeForwarded) => ({ user_id: from, nickname: name });
  switch (forwardAnswer) {
    case "events":
      return {
        messages: messages.map((one) => ({ message_type: "group", sender: sender(one), message: one.segments })),
      };
    case "contents":
      return { messages: messages.map((one) => ({ content: one.segments, sender: sender(one), time: 1 })) };
    case "nodes":
      return {
        message: messages.map((one) => ({
          type: "node",
          data: { ...sender(one), user_id: String(one.from), content: one.segments },
        })),
      };
  }
}

const maxNodes = 100;

/** The nodes of a forward to be sent. One that is too long fails as a whole, with the number that may mean anything. */
export function readNodes(params: FakeParams, maxText: number, { nodeWriter }: FakeTraits): readonly FakeForwarded[] {
  const nodes = params["messages"];
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw new OneBotRefusal(1400, "Key: messages, Message: Expected array");
  if (nodes.length > maxNodes) throw new OneBotRefusal(1200, "forward too long");
  const [id, name] = nodeWriter;
  return nodes.map((item: unknown) => {
    const { type, data } = item as { type?: unknown; data?: FakeParams };
    if (type !== "node" || data === undefined) throw new OneBotRefusal(1400, "only nodes in a forward");
    const writer = Number(data[id]);
    if (!Number.isSafeInteger(writer) || writer <= 0)
      throw new OneBotRefusal(1400, `Key: ${id}, Message: Expected string`);
    if (typeof data[name] !== "string") throw new OneBotRefusal(1400, `Key: ${name}, Message: Expected string`);
    return { from: writer, name: data[name], segments: readSegments({ message: data["content"] }, maxText) };
  });
}
