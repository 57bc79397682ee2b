import { createHash } from "node:crypto";
import { readBase64 } from "./check-segments.ts";
import {
  OneBotRefusal,
  refusedByQq,
  splitChat,
  type FakeOneBotSettings,
  type FakeQqChat,
  type FakeQqMessage,
  type FakeQqPerson,
  type FakeQqText,
  type FakeSegment,
} from "./onebot-types.ts";

export interface FakeQqGroup {
  readonly id: number;
  readonly name: string;
  readonly members: Map<number, FakeQqPerson>;
  botIsMember: boolean;
}

/** QQ as one account sees it: friends, groups and what was said. Nothing of OneBot. */
export interface FakeQq {
  readonly people: ReadonlyMap<number, FakeQqPerson>;
  readonly friends: ReadonlySet<number>;
  readonly groups: ReadonlyMap<number, FakeQqGroup>;
  /** Flags of requests that nobody has answered. */
  readonly requests: Set<string>;
  befriend(person: FakeQqPerson): void;
  addGroup(id: number, name?: string, members?: readonly FakeQqPerson[]): void;
  leaveGroup(id: number): void;
  say(text: FakeQqText): FakeQqMessage;
  /** The bot's own message. Throws OneBotRefusal. */
  send(chat: FakeQqChat, segments: readonly FakeSegment[]): FakeQqMessage;
  list(chat: FakeQqChat): readonly FakeQqMessage[];
  find(messageId: number): FakeQqMessage | undefined;
  readonly chats: () => readonly FakeQqChat[];
}

export function createFakeQq(settings: FakeOneBotSettings): FakeQq {
  const people = new Map<number, FakeQqPerson>();
  const friends = new Set<number>();
  const groups = new Map<number, FakeQqGroup>();
  const requests = new Set<string>();
  const chats = new Map<FakeQqChat, FakeQqMessage[]>();
  let count = 0;

  function know(person: FakeQqPerson): void {
    people.set(person.id, { ...people.get(person.id), ...person });
  }

  function enterGroup(id: number, name = `群${id}`): FakeQqGroup {
    const group = groups.get(id) ?? { id, name, members: new Map<number, FakeQqPerson>(), botIsMember: true };
    groups.set(id, group);
    return group;
  }

  function join(group: FakeQqGroup, person: FakeQqPerson): void {
    know({ id: person.id, ...(person.name !== undefined && { name: person.name }) });
    group.members.set(person.id, { ...group.members.get(person.id), ...person });
  }

  /** NapCat hashes the platform's own id into 31 bits; other implementations use the sign as well. */
  function nextId(): number {
    count += 1;
    const id = createHash("md5").update(`${settings.selfId}|${count}`).digest().readUInt32BE(0) & 0x7fffffff;
    return settings.negativeMessageIds ? -id - 1 : id;
  }

  function add(
    message: Pick<FakeQqMessage, "chat" | "from" | "fromBot" | "segments" | "anonymous" | "temp">,
  ): FakeQqMessage {
    const list = chats.get(message.chat) ?? [];
    chats.set(message.chat, list);
    const added = {
      ...message,
      ...readSegmentsAsPeopleDo(message.segments),
      messageId: nextId(),
      time: Math.floor((Date.now() + settings.clockAheadMs) / 1_000),
      sequence: 20_000 + list.length + 1,
      recalled: false,
    };
    list.push(added);
    return added;
  }

  function checkPlace(chat: FakeQqChat): void {
    const { kind, id } = splitChat(chat);
    if (kind === "group" && groups.get(id)?.botIsMember !== true) throw refusedByQq(110, "not a member of the group");
    if (kind === "group" || friends.has(id)) return;
    if (!people.has(id)) throw new OneBotRefusal(1200, "无法获取用户信息");
    throw refusedByQq(16, "not a friend");
  }

  /** What is left of it where it is sent to: mentions say nothing in private, and a lost quote may go. */
  function fit(chat: FakeQqChat, segments: readonly FakeSegment[]): readonly FakeSegment[] {
    const { kind, id } = splitChat(chat);
    const kept = segments.filter(({ type, data }) => {
      if (type === "at") {
        if (kind === "private") return false;
        const { members } = enterGroup(id);
        const known = data["qq"] === "all" || members.has(Number(data["qq"])) || Number(data["qq"]) === settings.selfId;
        if (!known) throw new OneBotRefusal(1200, "Get Uid Error");
      }
      if (type !== "reply") return true;
      const quoted = find(Number(data["id"]));
      const there = quoted !== undefined && !quoted.recalled && quoted.chat === chat;
      if (!there && settings.lostReply === "refuse") throw new OneBotRefusal(1200, `消息${String(data["id"])}不存在`);
      return there;
    });
    if (kept.length === 0) throw new OneBotRefusal(1200, "消息体无法解析, 请检查是否发送了不支持的消息类型");
    return kept;
  }

  function find(messageId: number): FakeQqMessage | undefined {
    return [...chats.values()].flat().find((message) => message.messageId === messageId);
  }

  return {
    people,
    friends,
    groups,
    requests,
    befriend(person) {
      know(person);
      friends.add(person.id);
    },
    addGroup(id, name, members = []) {
      const group = enterGroup(id, name);
      for (const member of members) join(group, member);
    },
    leaveGroup(id) {
      enterGroup(id).botIsMember = false;
    },
    say(said) {
      const { kind, id } = splitChat(said.chat);
      const from = said.from ?? { id };
      if (kind === "group") join(enterGroup(id), from);
      else if (said.temp === undefined) friends.add(from.id);
      know({ id: from.id, ...(from.name !== undefined && { name: from.name }) });
      if (said.temp !== undefined) join(enterGroup(said.temp), from);
      return add({
        chat: said.chat,
        from: from.id,
        fromBot: false,
        segments: said.segments ?? writeSegments(said),
        anonymous: said.anonymous ?? false,
        temp: said.temp,
      });
    },
    send(chat, segments) {
      checkPlace(chat);
      const fitting = fit(chat, segments);
      return add({ chat, from: settings.selfId, fromBot: true, segments: fitting, anonymous: false, temp: undefined });
    },
    list: (chat) => chats.get(chat) ?? [],
    find,
    chats: () => [...chats.keys()],
  };
}

/** As QQ writes it: the quote first, then mentions, each followed by a space. */
function writeSegments({ text = "", at = [], replyTo }: FakeQqText): readonly FakeSegment[] {
  const words = at.length === 0 ? text : ` ${text}`;
  return [
    ...(replyTo === undefined ? [] : [{ type: "reply", data: { id: String(replyTo) } }]),
    ...at.map((whom) => ({ type: "at", data: { qq: String(whom) } })),
    ...(words === "" ? [] : [{ type: "text", data: { text: words } }]),
  ];
}

function readSegmentsAsPeopleDo(
  segments: readonly FakeSegment[],
): Pick<FakeQqMessage, "text" | "ats" | "replyTo" | "file"> {
  const field = (type: string, name: string) =>
    segments.filter((segment) => segment.type === type).map(({ data }) => String(data[name]));
  const [quoted] = field("reply", "id");
  const files = segments.filter(
    ({ type, data }) => type === "file" || type === "record" || (type === "image" && data["name"] !== undefined),
  );
  const { file: content, name = "" } = files[0]?.data ?? {};
  const isSent = typeof content === "string" && content.startsWith("base64://");
  return {
    text: field("text", "text").join(""),
    ats: field("at", "qq"),
    replyTo: quoted === undefined ? undefined : Number(quoted),
    file: isSent ? { name: String(name), content: readBase64(content) } : undefined,
  };
}
