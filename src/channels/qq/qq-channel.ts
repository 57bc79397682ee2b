import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, describeError } from "../../core/errors.ts";
import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import type { Store } from "../../store/open-store.ts";
import { isSentMessage } from "../../store/queries/outbox.ts";
import { findGatewaySession, saveGatewaySession } from "../../store/queries/gateway-sessions.ts";
import { findReferredMessage } from "../../store/queries/passive-replies.ts";
import { createHealthBoard } from "../channel-health.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { createRareWarning } from "../rare-warning.ts";
import { splitForQq, textLimit } from "../markdown/render-text.ts";
import { splitText } from "../markdown/split-text.ts";
import type { ChannelNews } from "../channel-health.ts";
import type { Channel, ChatAddress, Delivery, InboundEvent } from "../types.ts";
import { createAcceptWebhook } from "./accept-webhook.ts";
import { createFetchFile } from "./fetch-file.ts";
import type { GatewayLink } from "./gateway-link.ts";
import { keepConnected, type GatewayState, type SessionMemory } from "./keep-connected.ts";
import { createLiveStream } from "./live-stream.ts";
import { createAnswerPress, createMessageSender, createRemoveMessage } from "./message-sender.ts";
import { defaultQqPace, type QqPace } from "./pace.ts";
import { describeUnauthorized, nameBot } from "./probe-qq.ts";
import { createPutBytes } from "./put-bytes.ts";
import { createQqApi, type QqCredentials } from "./qq-api.ts";
import { readDispatch, type Dispatch } from "./read-dispatch.ts";
import { createReplyWindows } from "./reply-windows.ts";
import { createReferences } from "./resolve-quote.ts";
import { createUploadFile, uploadLimit } from "./upload-file.ts";
import { createWebhookSignature } from "./webhook-signature.ts";
import { pickStep } from "../pick-step.ts";

export interface QqChannelOptions extends QqCredentials {
  /** Events come to this address; unset = through the gateway, to which we connect. */
  readonly webhook?: { readonly url: string };
  readonly proactive: () => boolean;
  readonly streaming: boolean;
  readonly http: Pick<HttpRoutes, "app">;
  readonly store: Pick<Store, "main">;
  readonly fetchPublic: GuardedFetch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace?: QqPace;
}

/** People in groups that the log names since the start. */
const maxNamed = 200;

/** An answer that is on its way may come before calls are given up; a silent server is not waited for. */
const stopLimitMs = 500;

type Receive = (events: readonly InboundEvent[]) => Promise<void>;

/** The official QQ bot, API v2. The address of a chat is (app id, chat). */
export function createQqChannel(options: QqChannelOptions): Channel {
  const { appId, apiRoot, webhook, http, store, clock, pace = defaultQqPace } = options;
  const log = options.log.child({ channel: "qq" });
  const health = createHealthBoard(clock);
  const warnOfChat = createRareWarning(log, "a message was refused: it came from a kind of place that is not known");
  /** First nothing more comes in, then nothing more goes out. */
  const [receiving, running] = [new AbortController(), new AbortController()];
  const api = createQqApi(options);
  const windows = createReplyWindows({ store, clock });
  const references = createReferences({
    findOwn: (account, reference) => findReferredMessage(store.main, account, reference),
    isOwn: (account, chat, messageId) => isSentMessage(store.main, { platform: "qqbot", account, chat, messageId }),
  });
  const stream = createLiveStream({ api, windows, everyMs: pace.streamMs, log });
  const upload = createUploadFile({ api, putBytes: createPutBytes(apiRoot, running.signal) });
  const sender = createMessageSender({ ...options, api, windows, references, stream, upload, log });
  const answerPress = createAnswerPress({ api, log });
  const sending = new Set<Promise<unknown>>();
  const named = new Set<string>();
  let userId: string | undefined;
  let receive: Receive | undefined;
  let onPresence: (address: ChatAddress) => void = () => undefined;
  let link: GatewayLink | undefined;
  let attending: Promise<void> | undefined;
  let storing: string | undefined;
  let state: readonly [state: "starting" | "ready" | "degraded" | "failed", detail: string, news?: ChannelNews] = [
    "starting",
    "connecting",
  ];

  function report(...next: typeof state): void {
    state = next;
    if (running.signal.aborted) return;
    if (storing === undefined) return health.report(...next);
    health.report("degraded", `messages cannot be stored, so they wait at QQ: ${storing}`);
  }

  /** Openids are seen nowhere else, and a person has another one in each group. Once for each of them. */
  function nameGroup({ address, sender, ...event }: Exclude<InboundEvent, { kind: "ignored" }>): void {
    if (event.kind !== "message" || event.chatKind !== "group" || !event.addressed) return;
    const key = `${address.chat} ${sender.id}`;
    if (named.has(key) || named.size >= maxNamed) return;
    named.add(key);
    const hint = "to open the group list it under qq.groups; to own her there add the person to KURISU_OWNERS";
    log.info({ group: address.chat, person: `${address.platform}:${sender.id}`, name: sender.name }, hint);
  }

  /** Answers whether the event is stored. */
  async function storeEvent(dispatch: Dispatch): Promise<boolean> {
    if (receive === undefined || receiving.signal.aborted) return false;
    health.noteLife();
    const event = await references.resolve(readDispatch(dispatch, { appId, userId }, clock.now()));
    if (event.kind === "ignored") {
      if (event.rule === "unknown_chat") warnOfChat();
      log.debug({ event: dispatch.t, rule: event.rule }, "an event was ignored");
      return true;
    }
    nameGroup(event);
    await receive([event]);
    // A reply that waits may answer this event.
    onPresence(event.address);
    return true;
  }

  function note(fault: string | undefined): void {
    if (fault === storing) return;
    storing = fault;
    report(...state);
  }

  /** A single try: the server that posts an event posts it again. */
  async function takePosted(dispatch: Dispatch): Promise<boolean> {
    try {
      const isStored = await storeEvent(dispatch);
      note(undefined);
      return isStored;
    } catch (error) {
      note(describeError(error));
      log.error({ reason: describeError(error) }, "a QQ event was not stored; QQ posts it again");
      return false;
    }
  }

  /** Until it succeeds: the gateway sends an event once in a connection. */
  async function takePushed(dispatch: Dispatch): Promise<boolean> {
    for (let failures = 0; !receiving.signal.aborted; failures += 1) {
      if (await takePosted(dispatch)) return true;
      await sleep(pickStep(pace.storingMs, failures), receiving.signal);
    }
    return false;
  }

  http.app.post(
    "/webhook/qq",
    createAcceptWebhook({
      signature: createWebhookSignature(options.appSecret),
      take: () => (receive === undefined || receiving.signal.aborted ? undefined : takePosted),
      clock,
      log,
    }),
  );

  function describeGateway(gateway: GatewayState): void {
    switch (gateway.kind) {
      case "connecting":
        return report("starting", "connecting to QQ's gateway", { kind: "connecting" });
      case "open": {
        const guilds = gateway.withGuilds ? "" : "; in guilds it may not hear anything";
        const missing: ChannelNews = { kind: "connected", as: appId, misses: "guilds" };
        const news: ChannelNews = gateway.withGuilds ? { kind: "connected", as: appId } : missing;
        return report("ready", `the bot ${appId} by the gateway${guilds}`, news);
      }
      case "unauthorized":
        return report("failed", describeUnauthorized(gateway.reason));
      case "refused":
        return report("failed", `QQ does not let the bot in: ${gateway.reason}. Look at its state at q.qq.com`);
      case "unreachable":
        return report("degraded", `QQ's gateway cannot be reached, trying again: ${gateway.reason}`);
    }
  }

  const memory: SessionMemory = {
    async find() {
      const found = await findGatewaySession(store.main, appId);
      return { id: found?.session, seq: found?.seq };
    },
    save: ({ id, seq = 0 }) =>
      saveGatewaySession(store.main, appId, id === undefined ? undefined : { session: id, seq }),
  };

  /** With posted events no connection shows whether QQ is there. */
  async function watchApi(url: string): Promise<void> {
    while (!running.signal.aborted) {
      const answer = await api.call("GET", "/users/@me");
      if (running.signal.aborted) return;
      if (answer.kind === "ok") health.noteLife();
      const as = answer.kind === "ok" ? nameBot(answer.value) : "";
      if (answer.kind === "ok") report("ready", `${as}; events come to ${url}`, { kind: "connected", as, at: url });
      else if (answer.kind === "unauthorized") report("failed", describeUnauthorized(answer.reason));
      else report("degraded", `QQ's API does not answer, trying again: ${answer.reason}`);
      await sleep(pace.checkMs, running.signal);
    }
  }

  function attend(): Promise<void> {
    if (webhook !== undefined) return watchApi(webhook.url);
    return keepConnected({
      api,
      apiRoot,
      take: takePushed,
      memory,
      onUser: (id) => (userId = id),
      report: describeGateway,
      onLink: (opened) => (link = opened),
      onLife: health.noteLife,
      pace,
      log,
      signal: running.signal,
    });
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
    platform: "qqbot",
    capabilities: {
      streaming: options.streaming ? "edit" : "none",
      buttons: true,
      edit: false,
      reactions: false,
      removal: true,
      textLimit,
      fileLimit: uploadLimit,
      voice: false,
      displays: false,
      idsDifferByChat: true,
    },

    async start(take, present) {
      if (receive !== undefined) throw new AppError("INTERNAL", "The QQ channel was started twice");
      receive = take;
      onPresence = present;
      report("starting", "connecting to QQ", { kind: "connecting" });
      attending = attend().catch((error: unknown) => {
        report("failed", `receiving ended with a fault of ours: ${describeError(error)}`);
        log.error({ err: error }, "receiving from QQ ended with a fault");
      });
    },

    // The connection stays: in guilds only a bot that is connected may speak.
    async stopReceiving() {
      receiving.abort();
    },

    async stop() {
      receiving.abort();
      running.abort();
      link?.end({ kind: "stopped" });
      await Promise.race([Promise.allSettled(sending), sleep(stopLimitMs, undefined, { ref: false })]);
      api.stop();
      await Promise.allSettled(sending);
      await attending;
      await link?.closed;
      health.report("off", "stopped");
    },

    split: ({ plain, text }) => (plain ? splitText(text.toWellFormed(), textLimit) : splitForQq(text)),
    send: (message, part, previewId) => untilStopped(sender.send(message, part, previewId)),
    sendFile: (message, path) => untilStopped(sender.sendFile(message, path)),
    fetchFile: createFetchFile({ apiRoot, fetchPublic: options.fetchPublic }),
    ...(options.streaming && { show: stream.show }),
    remove: createRemoveMessage({ api }),
    answerPress,
    health: health.read,
  };
}
