/*
 * A strict Telegram Bot API on 127.0.0.1 for tests: `await using fake = await startFakeBotApi()`, then point a channel at
 * `fake.url` with `fake.token`. Drive it as people do (`sendText`, `press`, `push`), look at what they would see
 * (`messages`, `waitForMessage`, `toasts`), at what was asked (`calls`), and let calls fail (`failNext`).
 * Updates stay until the bot's offset moves past them; refusals use Telegram's status codes and words.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkCommands, type FakeCommand } from "./check-commands.ts";
import { createFakeChanges, type FakeChanges } from "./fake-changes.ts";
import { createFakeChats, type FakeDraft, type FakeReaction } from "./fake-chats.ts";
import { createFakeFiles, readMultipart } from "./fake-files.ts";
import { createFakeLimits, type FakeLimits, type ImpatientCall } from "./fake-limits.ts";
import { createFakePeople, type FakePeople } from "./fake-people.ts";
import { createFakeUpdateQueue } from "./fake-update-queue.ts";
import { createFakeWebhook, type FakeWebhook } from "./fake-webhook.ts";
import {
  FakeRefusal,
  toUser,
  type FakeCall,
  type FakeFault,
  type FakeMessage,
  type FakePayload,
  type FakePerson,
  type FakePress,
  type FakeUpdate,
} from "./fake-bot-types.ts";
import { createWaiters } from "../waiters.ts";

export interface FakeBotApiOptions {
  readonly token?: string;
  readonly username?: string;
  /** getMe.can_read_all_group_messages. */
  readonly readsAllGroupMessages?: boolean;
  /** Its clock, milliseconds. */
  readonly now?: () => number;
  /** How much is let through; default: everything. */
  readonly limits?: FakeLimits;
}

export interface FakeBotApi extends AsyncDisposable, FakeChanges, FakePeople {
  readonly url: string;
  readonly token: string;
  readonly username: string;
  readonly botId: number;
  readonly calls: readonly FakeCall[];
  callsOf(method: string): readonly FakeCall[];
  /** A person presses a button that is there; throws when it is not. */
  press(options: FakePress): { updateId: number; pressId: string };
  /** Any update; undefined when the bot did not ask for that kind. */
  push(update: FakeUpdate): number | undefined;
  /** Paths of downloads, as they were asked for, without the token. */
  readonly downloads: readonly string[];
  /** The next download meets this instead of the file. */
  failDownload(fault: { readonly status: number } | { readonly until: Promise<void> }): void;
  /** Lets the bot write there without a message from a person. */
  openChat(chat: number): void;
  /** Every message of a chat, of people and of the bot, as it stands now. */
  messages(chat: number): readonly FakeMessage[];
  botMessages(chat: number): readonly FakeMessage[];
  readonly drafts: readonly FakeDraft[];
  /** Calls for a chat that was told to wait, by a limit or by a planned 429. */
  readonly impatient: readonly ImpatientCall[];
  /** How often a limit has refused a call. */
  refusedByLimits(): number;
  /** What the bot put under messages, oldest first; "" = it took its reaction away. */
  readonly reactions: readonly FakeReaction[];
  /** Somebody has these reactions under a message now. */
  react(options: {
    readonly chat: number;
    readonly messageId: number;
    readonly emoji: readonly string[];
    readonly from?: FakePerson;
  }): void;
  /** Answered presses: press id -> text of the toast. */
  readonly toasts: ReadonlyMap<string, string>;
  /** `<scope> <language code>` -> what is listed when somebody types a slash. */
  readonly commandMenus: ReadonlyMap<string, readonly FakeCommand[]>;
  readonly blocked: Set<number>;
  readonly migrated: Map<number, number>;
  /** What somebody is in a group, by `<chat> <user>`; default: member. */
  readonly memberStatus: Map<string, string>;
  readonly webhook: Pick<FakeWebhook, "url" | "posts" | "set" | "hold">;
  /** Updates that are not confirmed. */
  pendingUpdates(): readonly { readonly update_id: number }[];
  /** The next `times` calls of the method meet this fault. */
  failNext(method: string, fault: FakeFault, times?: number): void;
  /** The first message of the bot, old or new, that the predicate takes. */
  waitForMessage(predicate: (message: FakeMessage) => boolean, timeoutMs?: number): Promise<FakeMessage>;
  /** The first ended call, old or new, that the predicate takes. */
  waitForCall(predicate: (call: FakeCall) => boolean, timeoutMs?: number): Promise<FakeCall>;
  waitFor(predicate: () => boolean, what: string, timeoutMs?: number): Promise<void>;
  /** Every connection breaks, and each further one, until `up`. */
  down(): void;
  up(): void;
}

export async function startFakeBotApi(options: FakeBotApiOptions = {}): Promise<FakeBotApi> {
  const { token = "123456789:FakeTokenOfTheTests", username = "kurisu_test_bot" } = options;
  const now = () => Math.floor((options.now ?? Date.now)() / 1_000);
  const botId = Number(token.split(":")[0]);
  const me = {
    id: botId,
    is_bot: true,
    first_name: "Kurisu",
    username,
    can_read_all_group_messages: options.readsAllGroupMessages ?? false,
  };
  const chats = createFakeChats();
  const files = createFakeFiles();
  const limits = createFakeLimits(options.limits);
  const downloads: string[] = [];
  const memberStatus = new Map<string, string>();
  const downloadFaults: ({ readonly status: number } | { readonly until: Promise<void> })[] = [];
  const queue = createFakeUpdateQueue();
  const waiters = createWaiters();
  const webhook = createFakeWebhook(queue, { now, onPosted: () => waiters.check() });
  const calls: FakeCall[] = [];
  const faults: { method: string; fault: FakeFault }[] = [];
  const openPresses = new Set<string>();
  const toasts = new Map<string, string>();
  const commandMenus = new Map<string, readonly FakeCommand[]>();
  let presses = 0;
  let isDown = false;

  function toTelegram(message: FakeMessage): object {
    const { chat, messageId, text, entities, keyboard, thread, topic, fromBot, document } = message;
    return {
      message_id: messageId,
      date: now(),
      chat: describeChat(chat),
      ...(fromBot ? { from: me } : {}),
      ...(document === undefined ? { text } : { caption: text, document: { file_name: document.name } }),
      ...(entities.length > 0 ? { entities } : {}),
      ...(keyboard.length > 0 ? { reply_markup: { inline_keyboard: keyboard } } : {}),
      ...(thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true }),
      ...(topic !== undefined && describeDirect(chat, topic, chats.direct.get(chat)?.get(topic))),
    };
  }

  const methods: Readonly<Record<string, (payload: FakePayload, gone: AbortSignal) => unknown>> = {
    getMe: () => me,
    setWebhook: (payload) => webhook.set(payload),
    deleteWebhook: (payload) => webhook.remove(payload),
    getWebhookInfo: () => webhook.info(),
    getUpdates(payload, gone) {
      if (webhook.url() === "") return queue.poll(payload, gone);
      const remedy = "use deleteWebhook to delete the webhook first";
      throw new FakeRefusal(409, `Conflict: can't use getUpdates method while webhook is active; ${remedy}`);
    },
    sendMessage: (payload) => toTelegram(chats.send(payload)),
    sendDocument: (payload) => toTelegram(chats.upload(payload, "document")),
    sendPhoto: (payload) => toTelegram(chats.upload(payload, "photo")),
    sendVoice: (payload) => toTelegram(chats.upload(payload, "voice")),
    getChatMember: ({ chat_id: chat, user_id: user }) => ({
      user: { id: user, is_bot: false, first_name: "x" },
      status: memberStatus.get(`${String(chat)} ${String(user)}`) ?? "member",
    }),
    getFile: files.getFile,
    setMyCommands(payload) {
      const { scope, language, list } = checkCommands(payload);
      commandMenus.set(`${scope} ${language}`, list);
      return true;
    },
    editMessageText: (payload) => toTelegram(chats.editText(payload)),
    editMessageReplyMarkup: (payload) => toTelegram(chats.editKeyboard(payload)),
    deleteMessage: (payload) => chats.remove(payload),
    sendMessageDraft: (payload) => chats.draft(payload),
    sendChatAction: (payload) => chats.act(payload),
    setMessageReaction: (payload) => chats.react(payload),
    answerCallbackQuery(payload) {
      const id = String(payload["callback_query_id"]);
      const text = typeof payload["text"] === "string" ? payload["text"] : "";
      if (text.length > 200) throw new FakeRefusal(400, "Bad Request: MESSAGE_TOO_LONG");
      if (!openPresses.delete(id)) {
        throw new FakeRefusal(400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
      }
      toasts.set(id, text);
      return true;
    },
  };

  async function answer(call: FakeCall, path: string, gone: AbortSignal): Promise<unknown> {
    if (path !== `/bot${token}/${call.method}`) {
      throw new FakeRefusal(
        /^\/bot\d+:[\w-]+\//.test(path) ? 401 : 404,
        /^\/bot\d+:[\w-]+\//.test(path) ? "Unauthorized" : "Not Found",
      );
    }
    const method = methods[call.method];
    if (method === undefined) throw new FakeRefusal(404, "Not Found: method not found");
    limits.count(call.method, call.payload);
    return method(call.payload, gone);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (request.method === "GET" && path.startsWith("/file/")) return download(path, response);
    const payload = await readPayload(request);
    const call: FakeCall = { method: path.split("/").at(-1) ?? "", payload, status: 0, description: "" };
    calls.push(call);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const planned = faults.findIndex(({ method }) => method === call.method);
    const fault = planned < 0 ? undefined : faults.splice(planned, 1)[0]?.fault;
    if (fault?.kind === "hang") return;
    if (fault?.kind === "drop") {
      if (fault.taken) await answer(call, path, gone.signal);
      request.socket.destroy();
    } else {
      await respond(response, call, fault, () => answer(call, path, gone.signal));
    }
    waiters.check();
  }

  async function download(path: string, response: ServerResponse): Promise<void> {
    const prefix = `/file/bot${token}/`;
    downloads.push(path.slice(prefix.length));
    const fault = downloadFaults.shift();
    waiters.check();
    if (fault && "until" in fault) await fault.until;
    const status = fault && "status" in fault ? fault.status : 200;
    const content = path.startsWith(prefix) && status === 200 ? files.read(path.slice(prefix.length)) : undefined;
    if (response.destroyed) return;
    response.writeHead(content === undefined ? (status === 200 ? 404 : status) : 200, {
      "content-type": "application/octet-stream",
    });
    response.end(content);
  }

  async function respond(
    response: ServerResponse,
    call: FakeCall,
    fault: FakeFault | undefined,
    act: () => Promise<unknown>,
  ): Promise<void> {
    let body: object;
    try {
      const retryAfter = fault?.kind === "answer" ? fault.parameters?.["retry_after"] : undefined;
      if (retryAfter !== undefined) limits.tell(call.payload["chat_id"], retryAfter);
      if (fault?.kind === "answer")
        throw new FakeRefusal(fault.status, fault.description ?? "planned fault", fault.parameters);
      body = { ok: true, result: await act() };
      call.status = 200;
    } catch (error) {
      const refusal =
        error instanceof FakeRefusal ? error : new FakeRefusal(500, `Internal Server Error: ${String(error)}`);
      const { status, message, parameters } = refusal;
      Object.assign(call, { status, description: message });
      body = {
        ok: false,
        error_code: status,
        description: message,
        ...(parameters === undefined ? {} : { parameters }),
      };
    }
    if (response.destroyed) return;
    response.writeHead(call.status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    if (isDown) request.socket.destroy();
    else handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  function pushWanted(update: FakeUpdate): number {
    const id = queue.push(update);
    if (id === undefined) throw new Error("the bot did not ask for this kind of update");
    return id;
  }

  const changes = createFakeChanges({ chats, me, now, describeChat, push: pushWanted, offer: queue.push });
  const people = createFakePeople({ chats, files, toTelegram, describeChat, push: pushWanted });

  const findBotMessage = (predicate: (message: FakeMessage) => boolean, known: readonly number[]) =>
    known.flatMap((chat) => chats.list(chat)).find((message) => message.fromBot && predicate(message));

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    username,
    botId,
    calls,
    callsOf: (method) => calls.filter((call) => call.method === method),
    drafts: chats.drafts,
    impatient: limits.impatient,
    refusedByLimits: limits.refusals,
    reactions: chats.reactions,
    react({ chat, messageId, emoji, from = { id: Math.abs(chat) } }) {
      const reaction = {
        chat: describeChat(chat),
        message_id: messageId,
        user: toUser(from),
        date: now(),
        old_reaction: [],
        new_reaction: emoji.map((sign) => ({ type: "emoji", emoji: sign })),
      };
      pushWanted({ message_reaction: reaction } as unknown as FakeUpdate);
    },
    toasts,
    commandMenus,
    blocked: chats.blocked,
    migrated: chats.migrated,
    ...changes,
    memberStatus,
    downloads,
    failDownload: (fault) => void downloadFaults.push(fault),
    openChat: chats.open,
    messages: chats.list,
    botMessages: (chat) => chats.list(chat).filter(({ fromBot }) => fromBot),
    webhook,
    pendingUpdates: queue.pending,
    push: queue.push,

    ...people,
    press({ chat, messageId, button, from = { id: Math.abs(chat) } }) {
      const message = chats.find(chat, messageId);
      const found = message?.keyboard
        .flat()
        .find((item) => item.text === button || ("callback_data" in item && item.callback_data === button));
      if (message === undefined || found === undefined || !("callback_data" in found))
        throw new Error(`there is no button ${button} to press`);
      presses += 1;
      const pressId = `press-${presses}`;
      openPresses.add(pressId);
      const query = {
        id: pressId,
        from: toUser(from),
        message: toTelegram(message),
        chat_instance: "1",
        data: found.callback_data,
      };
      return { updateId: pushWanted({ callback_query: query } as unknown as FakeUpdate), pressId };
    },

    failNext(method, fault, times = 1) {
      for (let index = 0; index < times; index += 1) faults.push({ method, fault });
    },

    waitForMessage: (predicate, timeoutMs) =>
      waiters.wait(() => findBotMessage(predicate, chats.ids()), "a message of the bot", timeoutMs),
    waitForCall: (predicate, timeoutMs) =>
      waiters.wait(() => calls.find((call) => call.status !== 0 && predicate(call)), "a call of the bot", timeoutMs),
    async waitFor(predicate, what, timeoutMs) {
      await waiters.wait(() => (predicate() ? true : undefined), what, timeoutMs);
    },

    down() {
      isDown = true;
      webhook.hold(true);
      server.closeAllConnections();
    },
    up() {
      isDown = false;
      webhook.hold(false);
    },

    async [Symbol.asyncDispose]() {
      queue.close();
      webhook.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function describeDirect(chat: number, topic: number, person: FakePerson | undefined): object {
  return {
    chat: { id: chat, type: "supergroup", title: `Direct ${-chat}`, is_direct_messages: true },
    direct_messages_topic: { topic_id: topic, ...(person && { user: toUser(person) }) },
  };
}

function describeChat(chat: number, type?: string): object {
  return chat > 0
    ? { id: chat, type: "private", first_name: `Person ${chat}` }
    : { id: chat, type: type ?? "supergroup", title: `Group ${-chat}` };
}

async function readPayload(request: IncomingMessage): Promise<FakePayload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const contentType = request.headers["content-type"] ?? "";
  if (contentType.startsWith("multipart/")) return readMultipart(body, contentType);
  const text = body.toString();
  return text === "" ? {} : (JSON.parse(text) as FakePayload);
}
