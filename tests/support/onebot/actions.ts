import { readBoolean, readId, readNumber, readOptionalId, readStringId } from "./check-params.ts";
import { readBase64, readSegments } from "./check-segments.ts";
import { readForward, readNodes, type FakeForwarded } from "./forwards.ts";
import { fakeTraits } from "./implementations.ts";
import { createUploadStreams } from "./streams.ts";
import type { FakeQq, FakeQqGroup } from "./fake-qq.ts";
import {
  chatOf,
  OneBotRefusal,
  splitChat,
  type FakeOneBotSettings,
  type FakeParams,
  type FakeQqChat,
  type FakeQqMessage,
  type FakeQqPerson,
  type FakeSegment,
} from "./onebot-types.ts";
import { describeMessage } from "./write-event.ts";

export type FakeAction = (params: FakeParams) => unknown;

export interface FakeActionParts {
  readonly qq: FakeQq;
  readonly settings: FakeOneBotSettings;
  readonly online: () => boolean;
  readonly onSent: (message: FakeQqMessage) => void;
  readonly onRecalled: (message: FakeQqMessage, by: number) => void;
  readonly onTyping: (user: number) => void;
  readonly onReaction: (reaction: { readonly messageId: number; readonly face: string; readonly set: boolean }) => void;
  /** What can be fetched, by the names that segments give it (file, file_id). */
  readonly files: ReadonlyMap<string, FakeParams>;
  /** Merged forwards that people send, by their id. */
  readonly forwards: Map<string, readonly FakeForwarded[]>;
  readonly onRequestAnswered: (answer: FakeParams) => void;
}

/** What a client can ask for: action -> data. They throw OneBotRefusal. */
export function createActions(parts: FakeActionParts): Readonly<Record<string, FakeAction>> {
  const { qq, settings } = parts;
  const traits = fakeTraits[settings.implementation];
  const uploaded = new Map<string, Buffer>();
  const takeStream = createUploadStreams(uploaded);

  function send(chat: FakeQqChat, params: FakeParams): FakeParams | Promise<FakeParams> {
    const segments = readSegments(params, settings.maxText);
    if (!traits.fileSegments && segments.some(({ type }) => type === "file")) {
      throw new OneBotRefusal(traits.unknownAction === 404 ? 100 : 1200, "EMPTY_MSG_ERROR");
    }
    const fetched = fetchFiles(segments);
    return fetched instanceof Promise ? fetched.then((ready) => put(chat, ready)) : put(chat, fetched);
  }

  function put(chat: FakeQqChat, segments: readonly FakeSegment[]): FakeParams {
    const message = qq.send(chat, segments);
    parts.onSent(message);
    return { message_id: message.messageId };
  }

  /** What stands at an address or on its own disk becomes part of the message, as bytes. */
  function fetchFiles(segments: readonly FakeSegment[]): readonly FakeSegment[] | Promise<readonly FakeSegment[]> {
    const isFar = ({ data }: FakeSegment) => /^https?:/.test(String(data["file"]));
    const inline = (segment: FakeSegment, content: Buffer) => ({
      ...segment,
      data: { ...segment.data, file: `base64://${content.toString("base64")}` },
    });
    if (!segments.some(isFar)) {
      return segments.map((segment) => {
        const path = segment.data["file"];
        if (typeof path !== "string" || path.startsWith("base64://") || segment.type === "text") return segment;
        const content = uploaded.get(path);
        if (content === undefined) throw new OneBotRefusal(1200, `识别URL失败, uri= ${path.slice(0, 40)}`);
        return inline(segment, content);
      });
    }
    return Promise.all(
      segments.map(async (segment) => {
        if (!isFar(segment)) return segment;
        const answer = await fetch(String(segment.data["file"]));
        if (!answer.ok) throw new OneBotRefusal(1200, `下载文件失败 ${answer.status}`);
        return inline(segment, Buffer.from(await answer.arrayBuffer()));
      }),
    );
  }

  function sendForward(chat: FakeQqChat, params: FakeParams): FakeParams {
    const nodes = readNodes(params, settings.maxText, traits);
    const id = `forward-${parts.forwards.size + 1}`;
    parts.forwards.set(id, nodes);
    return { ...put(chat, [{ type: "forward", data: { id } }]), forward_id: id };
  }

  function answerRequest(params: FakeParams, more: readonly string[]): null {
    const { flag, approve } = params;
    if (typeof flag !== "string" || typeof approve !== "boolean")
      throw new OneBotRefusal(1400, "Expected flag, approve");
    if (!qq.requests.delete(flag)) throw new OneBotRefusal(1200, "找不到对应的请求");
    for (const name of more) if (typeof params[name] !== "string") throw new OneBotRefusal(1400, `Key: ${name}`);
    parts.onRequestAnswered(params);
    return null;
  }

  function findMessage(params: FakeParams): FakeQqMessage {
    const message = qq.find(readId(params, "message_id"));
    if (message === undefined) throw new OneBotRefusal(1200, "消息不存在");
    if (message.recalled) throw new OneBotRefusal(1200, "消息不存在或已被撤回");
    return message;
  }

  function upload(chat: FakeQqChat, params: FakeParams): FakeParams {
    // It opens files of its own disk only.
    if (settings.implementation === "gocqhttp") throw new OneBotRefusal(100, "OPEN_FILE_ERROR");
    const path = String(params["file"]);
    if (!uploaded.has(path)) readBase64(path);
    if (typeof params["name"] !== "string") throw new OneBotRefusal(1400, "Key: name, Message: Expected string");
    parts.onSent(qq.send(chat, [{ type: "file", data: { file: params["file"], name: params["name"] } }]));
    return { file_id: "uploaded" };
  }

  function findFile(params: FakeParams): FakeParams {
    const found = parts.files.get(String(params["file_id"])) ?? parts.files.get(String(params["file"]));
    if (found === undefined) throw new OneBotRefusal(1200, "file not found");
    return found;
  }

  function findGroup(params: FakeParams): FakeQqGroup {
    const id = readId(params, "group_id");
    const group = qq.groups.get(id);
    if (group?.botIsMember !== true) throw new OneBotRefusal(1200, `群${id}不存在`);
    return group;
  }

  function describeMember(group: FakeQqGroup, { id, card = "", role = "member" }: FakeQqPerson): FakeParams {
    const nickname = id === settings.selfId ? settings.nickname : (qq.people.get(id)?.name ?? `用户${id}`);
    return { group_id: group.id, user_id: id, nickname, card, role, sex: "unknown", age: 0, title: "", level: "1" };
  }

  function findMember(params: FakeParams): FakeParams {
    const group = findGroup(params);
    const id = readId(params, "user_id");
    const member = id === settings.selfId ? { id } : group.members.get(id);
    if (member === undefined) throw new OneBotRefusal(1200, `群(${group.id})成员${id}不存在`);
    return describeMember(group, member);
  }

  const describeGroup = ({ id, name, members }: FakeQqGroup): FakeParams => ({
    group_all_shut: 0,
    group_remark: "",
    group_id: id,
    group_name: name,
    member_count: members.size + 1,
    max_member_count: 200,
  });

  const describePerson = (id: number): FakeParams => {
    const nickname = qq.people.get(id)?.name ?? `用户${id}`;
    return { user_id: id, nickname, remark: nickname, sex: "unknown", age: 0 };
  };

  return {
    send_private_msg: (params) => send(chatOf("private", readId(params, "user_id")), params),
    send_group_msg: (params) => send(chatOf("group", readId(params, "group_id")), params),
    send_msg: (params) => send(readPlace(params), params),
    get_msg: (params) => describeMessage(findMessage(params), qq, settings),
    delete_msg(params) {
      const message = findMessage(params);
      if (!message.fromBot) throw new OneBotRefusal(1200, "Recall failed");
      message.recalled = true;
      parts.onRecalled(message, settings.selfId);
      return null;
    },
    get_forward_msg: (params) => readForward(params, parts.forwards, traits),
    send_group_forward_msg: (params) => sendForward(chatOf("group", readId(params, "group_id")), params),
    send_private_forward_msg: (params) => sendForward(chatOf("private", readId(params, "user_id")), params),
    upload_file_stream: takeStream,
    set_friend_add_request: (params) => answerRequest(params, []),
    set_group_add_request: (params) => answerRequest(params, ["sub_type"]),
    upload_group_file: (params) => upload(chatOf("group", readId(params, "group_id")), params),
    upload_private_file: (params) => upload(chatOf("private", readId(params, "user_id")), params),
    get_file: findFile,
    get_image: findFile,
    // As if ffmpeg stood beside it: what is known under the name with the wanted format comes first.
    get_record: (params) =>
      parts.files.get(`${String(params["file"])} ${String(params["out_format"])}`) ?? findFile(params),
    get_group_msg_history: (params) => readHistory(chatOf("group", findGroup(params).id), params, parts),
    get_friend_msg_history: (params) => readHistory(chatOf("private", readId(params, "user_id")), params, parts),
    get_login_info: () => ({ user_id: settings.selfId, nickname: settings.nickname }),
    get_status: () => ({ online: parts.online(), good: true, stat: {} }),
    get_version_info: () => ({ app_name: traits.appName, protocol_version: "v11", app_version: "4.8.0" }),
    get_group_member_info: findMember,
    get_group_member_list(params) {
      const group = findGroup(params);
      return [{ id: settings.selfId }, ...group.members.values()].map((member) => describeMember(group, member));
    },
    get_group_info: (params) => describeGroup(findGroup(params)),
    get_group_list: () => [...qq.groups.values()].filter(({ botIsMember }) => botIsMember).map(describeGroup),
    get_friend_list: () => [...qq.friends].map(describePerson),
    get_stranger_info(params) {
      const id = readId(params, "user_id");
      if (!qq.people.has(id)) throw new OneBotRefusal(1200, "无法获取用户信息");
      return describePerson(id);
    },
    get_recent_contact: (params) =>
      qq
        .chats()
        .flatMap((chat) => describeContact(chat, qq))
        .toSorted((a, b) => Number(b["msgTime"]) - Number(a["msgTime"]))
        .slice(0, readNumber(params, "count", 10)),
    set_input_status(params) {
      const user = readStringId(params, "user_id");
      readNumber(params, "event_type");
      if (!qq.people.has(user)) throw new OneBotRefusal(1200, "uid is empty");
      parts.onTyping(user);
      return { result: 0, errMsg: "" };
    },
    set_msg_emoji_like(params) {
      const message = findMessage(params);
      const face = params["emoji_id"];
      if (typeof face !== "string" || !/^\d+$/.test(face))
        throw new OneBotRefusal(1400, "Key: emoji_id, Message: Expected string");
      const set = readBoolean(params, "set", true);
      if (splitChat(message.chat).kind !== "group") throw new OneBotRefusal(1200, "只支持群聊消息");
      parts.onReaction({ messageId: message.messageId, face, set });
      return { result: 0, errMsg: "" };
    },
    set_group_reaction(params) {
      const { code, is_add: set } = params;
      findGroup(params);
      if (typeof code !== "string" || typeof set !== "boolean") throw new OneBotRefusal(200, "failed");
      parts.onReaction({ messageId: findMessage(params).messageId, face: code, set });
      return null;
    },
    // NapCat knows the name and nothing of guilds.
    get_guild_service_profile: () => null,
    can_send_image: () => ({ yes: true }),
  };
}

/** A chat as the list of recent contacts names it: NapCat's, with ids and times as texts. */
function describeContact(chat: FakeQqChat, qq: FakeQq): FakeParams[] {
  const { kind, id } = splitChat(chat);
  const last = qq.list(chat).at(-1);
  if (last === undefined) return [];
  return [{ peerUin: String(id), msgTime: String(last.time), chatType: kind === "group" ? 2 : 1, remark: "" }];
}

function readPlace(params: FakeParams): FakeQqChat {
  const kind = params["message_type"];
  if (kind !== undefined && kind !== "private" && kind !== "group") {
    throw new OneBotRefusal(1400, "Key: message_type, Message: Expected union value");
  }
  const group = readOptionalId(params, "group_id");
  if (kind === "group" || (kind === undefined && group !== undefined)) {
    return chatOf("group", readId(params, "group_id"));
  }
  return chatOf("private", readId(params, "user_id"));
}

/** Oldest first. From the newest, or around the message that `message_seq` names, which is part of it. */
function readHistory(chat: FakeQqChat, params: FakeParams, { qq, settings }: FakeActionParts): FakeParams {
  const count = readNumber(params, "count", 20);
  const newer = readBoolean(params, "reverse_order", false);
  const { historyPlace, seqIsId } = fakeTraits[settings.implementation];
  const from = readOptionalId(params, historyPlace) ?? 0;
  const all = qq.list(chat);
  const byId = historyPlace === "message_id" || seqIsId;
  const at =
    from === 0 ? all.length - 1 : all.findIndex(({ messageId, sequence }) => (byId ? messageId : sequence) === from);
  const side = newer && from !== 0 ? all.slice(at) : all.slice(0, at + 1);
  const kept = side.filter(({ recalled }) => !recalled);
  const messages = newer && from !== 0 ? kept.slice(0, count) : kept.slice(-count);
  if (at < 0 || messages.length === 0) throw new OneBotRefusal(1200, `消息${String(params["message_seq"])}不存在`);
  return { messages: messages.map((message) => describeMessage(message, qq, settings)) };
}
