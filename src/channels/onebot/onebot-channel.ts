import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { AppError, describeError } from "../../core/errors.ts";
import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { sleep } from "../../core/abort.ts";
import { splitText } from "../markdown/split-text.ts";
import type { Channel, Delivery, OutboundMessage } from "../types.ts";
import type { SendPace } from "../send-pace.ts";
import { createMarkQueue, defaultMarkPace, type MarkPace } from "../mark-queue.ts";
import { createHealthBoard } from "../channel-health.ts";
import { createAcceptPosts, type PostIntake } from "./accept-posts.ts";
import { createAcceptReverse } from "./accept-reverse.ts";
import { createAccounts, createAccountWork } from "./account.ts";
import { createAnswerRequest } from "./answer-request.ts";
import { createAttendSocket, type AttendSocket } from "./attend-account.ts";
import type { MessageFormat } from "./build-send-call.ts";
import { connectForward, type ForwardState } from "./connect-forward.ts";
import { describeHealth } from "./describe-health.ts";
import type { ChatHistory } from "./open-gaps.ts";
import { createIsAdministrator } from "./is-administrator.ts";
import type { IsOwnMessageKnown } from "./find-own-message.ts";
import { createFetchFile } from "./fetch-file.ts";
import { createFileLinks } from "./file-links.ts";
import { base64Limit } from "./hand-over-file.ts";
import { createMessageSender } from "./message-sender.ts";
import { type OneBotLink, defaultMaxPayloadBytes } from "./onebot-link.ts";
import { defaultOneBotPace, defaultReconnectPace, type OneBotPace, type ReconnectPace } from "./onebot-pace.ts";
import { splitForQq, textLimit } from "../markdown/render-text.ts";
import { createPutReaction } from "./put-reaction.ts";
import { createReadStoredHistory } from "./read-stored-history.ts";
import { createShowTyping } from "./show-typing.ts";

export interface OneBotChannelOptions {
  /** The implementation's WebSocket server; unset means that we open no connection. */
  readonly url?: string;
  /** Unset or empty means that incoming connections are refused. */
  readonly accessToken?: string;
  readonly messageFormat?: () => MessageFormat;
  /** Texts of at least this length go as one merged forward; 0 or unset turns this off. */
  readonly forwardFrom?: () => number;
  /** How the QQ side reaches our HTTP server: large files go by links to it. */
  readonly filesUrl?: string;
  readonly http: Pick<HttpRoutes, "onUpgrade" | "app" | "port">;
  readonly history: ChatHistory;
  readonly isOwnMessageKnown: IsOwnMessageKnown;
  readonly fetchPublic: GuardedFetch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Messages of groups that she works on are marked. */
  readonly reactions?: boolean;
  readonly markPace?: MarkPace;
  readonly pace?: OneBotPace;
  /** How fast messages may leave, as of now; left out = as `pace` says. */
  readonly sendPace?: () => SendPace;
  readonly reconnect?: ReconnectPace;
  readonly maxPayloadBytes?: number;
}

/** By a link; QQ itself takes more from people. */
const linkedLimit = 256 * 1024 * 1024;
/** An answer that is on its way may come before the sockets are closed; a silent implementation is not waited for. */
const stopLimitMs = 500;
/** Implementations try again within seconds: a refusal that was not repeated for this time has ended. */
const refusalMs = 120_000;

/**
 * QQ through OneBot 11 (NapCat, LLBot, go-cqhttp), on WebSockets that either side opens. Each account has one
 * connection. The token is the whole chain of trust: its holder can write as any user.
 */
export function createOneBotChannel(options: OneBotChannelOptions): Channel {
  const { url, accessToken = "", messageFormat = () => "array", http, history, clock } = options;
  const {
    pace = defaultOneBotPace,
    reconnect = defaultReconnectPace,
    maxPayloadBytes = defaultMaxPayloadBytes,
  } = options;
  const log = options.log.child({ channel: "onebot" });
  const health = createHealthBoard(clock);
  /** First nothing more comes in, then nothing more goes out. */
  const [receiving, running] = [new AbortController(), new AbortController()];
  const accounts = createAccounts();
  const sockets = new Set<OneBotLink>();
  const split = (message: OutboundMessage): readonly string[] =>
    message.plain ? splitText(message.text.toWellFormed(), textLimit) : splitForQq(message.text);
  const { filesUrl } = options;
  const links = filesUrl === undefined ? undefined : createFileLinks({ http, baseUrl: filesUrl, clock, log });
  const sender = createMessageSender({
    accounts,
    format: messageFormat,
    forwardFrom: options.forwardFrom ?? (() => 0),
    split,
    links,
    pace,
    sendPace: options.sendPace ?? (() => pace.send),
    isOwnMessageKnown: options.isOwnMessageKnown,
    clock,
    log,
    signal: running.signal,
  });
  const { signal } = running;
  const marks = { put: createPutReaction({ accounts }), pace: options.markPace ?? defaultMarkPace, signal };
  const react = options.reactions ? createMarkQueue(marks) : undefined;
  const sending = new Set<Promise<unknown>>();
  let attend: AttendSocket | undefined;
  let intake: PostIntake | undefined;
  let connecting: Promise<void> | undefined;
  let forward: ForwardState = { kind: "connecting" };
  let refusal: string | undefined;
  let refusedAt = 0;
  let storing: string | undefined;

  function reportHealth(): void {
    if (attend === undefined || running.signal.aborted) return;
    const own = url === undefined ? undefined : { place: hideSecrets(url), state: forward };
    const reverse = accessToken === "" ? undefined : `ws://127.0.0.1:${http.port()}/onebot/v11/ws`;
    if (clock.now() - refusedAt > refusalMs) refusal = undefined;
    const { state, detail, news } = describeHealth({
      accounts: accounts.list(),
      forward: own,
      reverse,
      refusal,
      storing,
    });
    health.report(state, detail, news);
  }

  function keep(link: OneBotLink): void {
    sockets.add(link);
    void link.closed.then(() => sockets.delete(link));
  }

  if (accessToken !== "") {
    const onRefusal = (reason: string) => {
      refusal = reason;
      refusedAt = clock.now();
      reportHealth();
    };
    const keepReverse = (link: OneBotLink) => {
      refusal = undefined;
      keep(link);
    };
    const whileReceiving = <T>(part: T) => (receiving.signal.aborted ? undefined : part);
    const accept = {
      accessToken,
      attend: () => whileReceiving(attend),
      onRefusal,
      onLink: keepReverse,
      maxPayloadBytes,
      log,
    };
    http.onUpgrade("/onebot/v11/ws", createAcceptReverse(accept));
    const posts = createAcceptPosts({
      accessToken,
      accounts,
      intake: () => whileReceiving(intake),
      quoteMs: pace.quoteMs,
      log,
    });
    http.app.post("/onebot/v11/event", posts);
  }

  /** Events that still come are missed for now; the history has them at the next start. */
  async function stopReceiving(): Promise<void> {
    receiving.abort();
    await Promise.all(accounts.list().flatMap(({ work }) => [...work.values()]));
  }

  /** A stop waits for what is being sent. */
  async function untilStopped(delivery: Promise<Delivery>): Promise<Delivery> {
    sending.add(delivery);
    try {
      return await delivery;
    } finally {
      sending.delete(delivery);
    }
  }

  return {
    platform: "qq",
    capabilities: {
      streaming: "none",
      buttons: false,
      edit: false,
      reactions: react !== undefined,
      removal: false,
      textLimit,
      fileLimit: links === undefined ? base64Limit : linkedLimit,
      voice: "mp3",
      displays: false,
    },

    async start(receive, _, onReconnect = () => undefined) {
      if (attend !== undefined) throw new AppError("INTERNAL", "The OneBot channel was started twice");
      const onStoring = (fault: string | undefined) => {
        if (fault === storing) return;
        storing = fault;
        reportHealth();
      };
      const work = createAccountWork({ storingMs: pace.storingMs, onStoring, log, signal: receiving.signal });
      intake = { work, receive };
      attend = createAttendSocket({
        accounts,
        work,
        history,
        receive,
        onChange: reportHealth,
        onBack: onReconnect,
        onLife: health.noteLife,
        pace,
        clock,
        log,
        signal: receiving.signal,
      });
      reportHealth();
      if (url === undefined) return;
      const report = (state: ForwardState) => {
        forward = state;
        reportHealth();
      };
      const own = { url, accessToken: accessToken || undefined, attend, accounts, report, onLink: keep };
      connecting = connectForward({ ...own, pace: reconnect, maxPayloadBytes, log, signal: receiving.signal }).catch(
        (error: unknown) => {
          health.report("failed", `connecting ended with a fault of ours: ${describeError(error)}`);
          log.error({ err: error }, "connecting to the OneBot server ended with a fault");
        },
      );
    },

    stopReceiving,

    async stop() {
      await stopReceiving();
      running.abort();
      await Promise.race([Promise.allSettled(sending), sleep(stopLimitMs, undefined, { ref: false })]);
      for (const link of sockets) link.end({ kind: "stopped" });
      await Promise.allSettled(sending);
      await Promise.all([...sockets].map((link) => link.closed));
      await connecting;
      health.report("off", "stopped");
    },

    split,

    send: (message, part) => untilStopped(sender.send(message, part)),
    sendFile: (message, path) => untilStopped(sender.sendFile(message, path)),
    fetchFile: createFetchFile({ accounts, endpoint: url, fetchPublic: options.fetchPublic }),

    ...(react && { react }),
    showTyping: createShowTyping({ accounts, everyMs: pace.typingMs }),
    answerRequest: createAnswerRequest({ accounts }),
    isAdministrator: createIsAdministrator({ accounts, clock }),
    readHistory: createReadStoredHistory({ accounts, timeoutMs: pace.historyMs, signal }),
    health() {
      if (refusal !== undefined) reportHealth();
      return health.read();
    },
  };
}

/** An address as it may be shown: without the token that may be in its query, and without a password. */
function hideSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
