/*
 * A QQ account with a strict OneBot 11 implementation on 127.0.0.1 for tests, modelled on NapCat (af07479): `await using fake =
 * await startFakeOneBot()`, then point a client at `fake.url` (forward) or let the account call it (`connectTo`, reverse).
 * Drive it as people do (`say`, `recall`, `push`), look at what they would see (`messages`, `waitForMessage`, `typing`),
 * at what was asked (`calls`, `handshakes`, `violations`), and let things fail (`failNext`, `cut`, `freeze`, `down`).
 */
import { createWaiters } from "../waiters.ts";
import { createActions } from "./actions.ts";
import { createConnections, type Connections } from "./fake-connections.ts";
import { type EventPoster, startEventPoster } from "./event-poster.ts";
import { createFakeQq } from "./fake-qq.ts";
import type { FakeForwarded } from "./forwards.ts";
import { startForwardServer } from "./forward-server.ts";
import {
  splitChat,
  type FakeHandshake,
  type FakeOneBotCall,
  type FakeOneBotFault,
  type FakeOneBotSettings,
  type FakeParams,
  type FakeQqChat,
  type FakeQqMessage,
  type FakeQqPerson,
  type FakeQqText,
} from "./onebot-types.ts";
import { startReverseLink, type ReverseLink, type ReverseLinkOptions } from "./reverse-link.ts";
import type { FakeConnection } from "./fake-connection.ts";
import { describeMessage } from "./write-event.ts";

export interface FakeOneBot extends AsyncDisposable {
  readonly settings: FakeOneBotSettings;
  readonly selfId: number;
  readonly token: string;
  /** Where clients connect to. */
  readonly url: string;
  /** The account calls a client, and calls again after each end. */
  connectTo(url: string, options?: ReverseLinkOptions): ReverseLink;
  /** Events go there over HTTP from now on, beside the connections that are sent events. */
  postTo(url: string): void;

  befriend(person: FakeQqPerson): void;
  addGroup(id: number, options?: { readonly name?: string; readonly members?: readonly FakeQqPerson[] }): void;
  /** The bot is thrown out. */
  leaveGroup(id: number): void;
  /** A person writes. Opens the chat, too. `delivered` counts the connections it went to. */
  say(text: FakeQqText): { readonly messageId: number; readonly delivered: number };
  /** The same event once more. */
  repeat(messageId: number): number;
  /** Takes a message back; by its author by default. */
  recall(messageId: number, by?: number): void;
  /** Somebody asks to be a friend, or for a group. */
  request(event: FakeParams & { readonly flag: string }): number;
  /** How requests were answered, in order. */
  readonly answered: readonly FakeParams[];
  /** Any event; `time` and `self_id` are filled in. Answers how many connections it went to. */
  push(event: FakeParams): number;
  /** Any frame, to every connection. */
  sendFrame(frame: string): void;
  /** Whether QQ has the account logged in; told by a heartbeat, and by a notice if `announce`. */
  setOnline(online: boolean, options?: { readonly announce?: boolean }): void;

  /** Every message of a chat, of people and of the bot. */
  messages(chat: FakeQqChat): readonly FakeQqMessage[];
  botMessages(chat: FakeQqChat): readonly FakeQqMessage[];
  /** Whom the bot showed that it is typing, in order. */
  readonly typing: readonly number[];
  /** The faces that the bot has under a message now. */
  faces(messageId: number): readonly string[];

  readonly calls: readonly FakeOneBotCall[];
  callsOf(action: string): readonly FakeOneBotCall[];
  readonly handshakes: readonly FakeHandshake[];
  /** Those that are open. */
  connections(): readonly FakeConnection[];
  /** What a client sent that no client may send. */
  readonly violations: readonly string[];

  waitForConnection(predicate?: (connection: FakeConnection) => boolean, timeoutMs?: number): Promise<FakeConnection>;
  /** The first message of the bot, old or new, that the predicate takes. */
  waitForMessage(predicate: (message: FakeQqMessage) => boolean, timeoutMs?: number): Promise<FakeQqMessage>;
  /** The first answered call, old or new, that the predicate takes. */
  waitForCall(predicate: (call: FakeOneBotCall) => boolean, timeoutMs?: number): Promise<FakeOneBotCall>;
  waitFor(predicate: () => boolean, what: string, timeoutMs?: number): Promise<void>;

  /** The next `times` calls of the action meet this fault. */
  failNext(action: string, fault: FakeOneBotFault, times?: number): void;
  /** Actions that this implementation does not have: 1404. */
  readonly disabled: Set<string>;
  /** What get_file, get_image and get_record answer, by the names that segments give it (file, file_id). */
  readonly files: Map<string, FakeParams>;
  /** What merged forwards hold, by their id: people's, and those the bot sent. */
  readonly forwards: Map<string, readonly FakeForwarded[]>;
  /** Every socket ends without a word. */
  cut(): void;
  /** Every socket is closed as it should be. */
  close(code?: number): void;
  /** The sockets that are open now become half-open: nothing is read from them, nothing goes out. */
  freeze(): void;
  /** Cut, and no connection is possible until `up`. */
  down(): void;
  up(): void;
}

const defaults: FakeOneBotSettings = {
  implementation: "napcat",
  clockAheadMs: 0,
  selfId: 10_001,
  nickname: "Kurisu",
  token: "canary-OneBot-token-0123456789",
  badToken: "napcat",
  messageFormat: "array",
  ids: "number",
  negativeMessageIds: false,
  reportSelf: false,
  heartbeatMs: 30_000,
  lostReply: "refuse",
  maxText: 5_000,
};

export async function startFakeOneBot(options: Partial<FakeOneBotSettings> = {}): Promise<FakeOneBot> {
  const settings: FakeOneBotSettings = { ...defaults, ...options };
  const qq = createFakeQq(settings);
  const waiters = createWaiters();
  const calls: FakeOneBotCall[] = [];
  const handshakes: FakeHandshake[] = [];
  const violations: string[] = [];
  const typing: number[] = [];
  const faces = new Map<number, readonly string[]>();
  const disabled = new Set<string>();
  const faults: { readonly action: string; readonly fault: FakeOneBotFault }[] = [];
  const links: ReverseLink[] = [];
  const posters: EventPoster[] = [];
  const files = new Map<string, FakeParams>();
  const forwards = new Map<string, readonly FakeForwarded[]>();
  const answered: FakeParams[] = [];
  let isOnline = true;
  let isDown = false;

  function push(event: FakeParams): number {
    const time = Math.floor(Date.now() / 1_000);
    const whole = { time, self_id: settings.selfId, ...event };
    for (const poster of posters) poster.push(whole);
    return connections.push(whole) + posters.length;
  }

  function pushHeartbeat(): void {
    push({
      post_type: "meta_event",
      meta_event_type: "heartbeat",
      status: { online: isOnline, good: true },
      interval: settings.heartbeatMs,
    });
  }

  function pushRecall(message: FakeQqMessage, by: number): void {
    const { kind, id } = splitChat(message.chat);
    const common = { post_type: "notice", user_id: message.from, message_id: message.messageId };
    if (kind === "group") push({ ...common, notice_type: "group_recall", group_id: id, operator_id: by });
    else push({ ...common, notice_type: "friend_recall" });
  }

  const actions = createActions({
    qq,
    settings,
    online: () => isOnline,
    files,
    forwards,
    onRequestAnswered: (answer) => answered.push(answer),
    onTyping: (user) => typing.push(user),
    onReaction({ messageId, face, set }) {
      const others = (faces.get(messageId) ?? []).filter((one) => one !== face);
      faces.set(messageId, set ? [...others, face] : others);
    },
    onRecalled: pushRecall,
    onSent(message) {
      if (settings.reportSelf) push(describeMessage(message, qq, settings));
    },
  });

  const connections: Connections = createConnections({
    settings,
    calls,
    violations,
    actions,
    disabled,
    onOpen: (connection) => {
      if (connection.events) connection.push(describeLifecycle(settings.selfId));
      waiters.check();
    },
    takeFault(action) {
      const planned = faults.findIndex((item) => item.action === action);
      return planned < 0 ? undefined : faults.splice(planned, 1)[0]?.fault;
    },
    onChange: waiters.check,
  });
  const transport = {
    settings,
    down: () => isDown,
    onHandshake: (handshake: FakeHandshake) => void handshakes.push(handshake),
  };
  const server = await startForwardServer({
    ...transport,
    onOpen: (socket, path) => connections.add(socket, "forward", path),
  });
  const heart = settings.heartbeatMs > 0 ? setInterval(pushHeartbeat, settings.heartbeatMs) : undefined;

  const findMessage = (messageId: number): FakeQqMessage => {
    const message = qq.find(messageId);
    if (message === undefined) throw new Error(`there is no message ${messageId}`);
    return message;
  };
  const listBotMessages = (chat: FakeQqChat) => qq.list(chat).filter(({ fromBot }) => fromBot);

  return {
    settings,
    selfId: settings.selfId,
    token: settings.token,
    url: server.url,
    connectTo(url, linkOptions = {}) {
      const link = startReverseLink(url, linkOptions, {
        ...transport,
        onOpen: (socket, path) => connections.add(socket, "reverse", path),
      });
      links.push(link);
      return link;
    },

    postTo(url) {
      posters.push(startEventPoster(url, { settings, down: () => isDown, violations }));
    },

    befriend: qq.befriend,
    addGroup: (id, { name, members } = {}) => qq.addGroup(id, name, members),
    leaveGroup: qq.leaveGroup,
    say(text) {
      const message = qq.say(text);
      const delivered = push({ ...describeMessage(message, qq, settings), ...text.extra });
      return { messageId: message.messageId, delivered };
    },
    repeat: (messageId) => push(describeMessage(findMessage(messageId), qq, settings)),
    recall(messageId, by) {
      const message = findMessage(messageId);
      message.recalled = true;
      pushRecall(message, by ?? message.from);
    },
    push,
    sendFrame: (frame) => connections.open().forEach((connection) => connection.sendFrame(frame)),
    setOnline(online, { announce = false } = {}) {
      isOnline = online;
      const message = "账号状态变更为离线";
      if (announce && !online) {
        push({
          post_type: "notice",
          notice_type: "bot_offline",
          user_id: settings.selfId,
          tag: "KickedOffLine",
          message,
        });
      }
      pushHeartbeat();
    },

    messages: qq.list,
    botMessages: listBotMessages,
    typing,
    faces: (messageId) => faces.get(messageId) ?? [],
    calls,
    callsOf: (action) => calls.filter((call) => call.action === action),
    handshakes,
    connections: connections.open,
    violations,

    waitForConnection: (predicate = () => true, timeoutMs) =>
      waiters.wait(() => connections.open().find(predicate), "a connection", timeoutMs),
    waitForMessage: (predicate, timeoutMs) =>
      waiters.wait(() => qq.chats().flatMap(listBotMessages).find(predicate), "a message of the bot", timeoutMs),
    waitForCall: (predicate, timeoutMs) =>
      waiters.wait(
        () => calls.find((call) => call.retcode !== undefined && predicate(call)),
        "a call of the bot",
        timeoutMs,
      ),
    async waitFor(predicate, what, timeoutMs) {
      await waiters.wait(() => (predicate() ? true : undefined), what, timeoutMs);
    },

    failNext(action, fault, times = 1) {
      for (let n = 0; n < times; n += 1) faults.push({ action, fault });
    },
    disabled,
    files,
    forwards,
    answered,
    request(event) {
      qq.requests.add(event.flag);
      return push({ post_type: "request", ...event });
    },
    cut: () => connections.open().forEach((connection) => connection.cut()),
    close: (code) => connections.open().forEach((connection) => connection.close(code)),
    freeze: () => connections.open().forEach((connection) => connection.freeze()),
    down() {
      isDown = true;
      connections.open().forEach((connection) => connection.cut());
    },
    up() {
      isDown = false;
    },

    async [Symbol.asyncDispose]() {
      clearInterval(heart);
      await Promise.all([...links, ...posters].map((one) => one.end()));
      await server.close();
    },
  };
}

function describeLifecycle(selfId: number): FakeParams {
  const time = Math.floor(Date.now() / 1_000);
  return { time, self_id: selfId, post_type: "meta_event", meta_event_type: "lifecycle", sub_type: "connect" };
}
