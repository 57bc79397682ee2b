import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { AppError, describeError } from "../../core/errors.ts";
import { chooseMediaType } from "../../core/media-type.ts";
import type { Store } from "../../store/open-store.ts";
import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import { createHealthBoard } from "../channel-health.ts";
import { fetchPublicFile } from "../fetch-public-file.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { handOnGrowing } from "../markdown/hand-on-markdown.ts";
import type { Channel, ChatAddress, InboundEvent } from "../types.ts";
import { createApiFiles } from "./api-files.ts";
import { defaultApiPace, type ApiPace } from "./api-pace.ts";
import { createOpenAnswers } from "./open-answers.ts";
import { serveApi } from "./serve-api.ts";
import { writeFile, writeMessageText } from "./write-message-text.ts";

export interface ApiChannelOptions {
  readonly token: string;
  readonly model: string;
  /** Milliseconds. */
  readonly answerWithin: () => number;
  /** Files that come with messages are kept below it for a while. */
  readonly home: string;
  readonly http: Pick<HttpRoutes, "app">;
  readonly store: Pick<Store, "main">;
  readonly isPreviewRunning: (session: string) => boolean;
  readonly fetchPublic: GuardedFetch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace?: ApiPace;
}

/** It goes into the text, and the client sends it back with each later request. */
const fileLimit = 1024 * 1024;

/**
 * OpenAI's API as a place where people talk: a request hands in a message and waits for the result. A client that does
 * not wait counts as absent; what is said in the meantime is kept until the next request. The address of a chat is
 * (user, conversation).
 */
export function createApiChannel(options: ApiChannelOptions): Channel {
  const { clock, fetchPublic, pace = defaultApiPace } = options;
  const log = options.log.child({ channel: "api" });
  const health = createHealthBoard(clock);
  const files = createApiFiles({ ...options, log });
  const answers = createOpenAnswers({ ...options, pace, log });
  let receive: ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  let onPresence: (address: ChatAddress) => void = () => undefined;
  let isStarted = false;

  async function take(events: readonly InboundEvent[]): Promise<void> {
    try {
      await receive?.(events);
    } catch (error) {
      if (receive) health.report("degraded", `messages cannot be stored: ${describeError(error)}`);
      throw error;
    }
    health.noteLife();
    if (receive) health.report("ready", describeDoor(), { kind: "serving", model: options.model });
  }

  const describeDoor = () => `the model ${options.model} at /v1`;

  serveApi({
    ...options,
    answers,
    files,
    pace,
    log,
    take: () => receive && take,
    onPresence: (address) => onPresence(address),
  });

  return {
    platform: "api",
    capabilities: {
      streaming: "draft",
      buttons: false,
      edit: false,
      reactions: false,
      removal: false,
      textLimit: Infinity,
      fileLimit,
      voice: false,
      displays: false,
    },

    async start(onReceive, present) {
      if (isStarted) throw new AppError("INTERNAL", "The API channel was started twice");
      isStarted = true;
      receive = onReceive;
      onPresence = present;
      await files.start();
      health.report("ready", describeDoor(), { kind: "serving", model: options.model });
    },

    async stopReceiving() {
      receive = undefined;
    },

    async stop() {
      receive = undefined;
      await answers.stop();
      files.stop();
      health.report("off", "stopped");
    },

    split: (message) => [writeMessageText(message)],

    hasClient: (session) => answers.count(session) > 0,
    hasAsker: answers.hasAsker,

    async send(message, { text }) {
      const isHeard = answers.deliver(message, text);
      return isHeard ? { kind: "sent", messageId: message.id } : { kind: "absent" };
    },

    async sendFile(message, path) {
      const { file } = message;
      if (file.bytes > fileLimit) return { kind: "refused", reason: `it is larger than ${fileLimit} bytes` };
      const text = writeFile(message, await readFile(path), chooseMediaType(undefined, file.name));
      // Without a final message it would look like one.
      const isHeard = answers.deliver({ ...message, partial: true }, text);
      return isHeard ? { kind: "sent", messageId: message.id } : { kind: "absent" };
    },

    fetchFile: async (_address, source, limits) =>
      source["url"] === undefined
        ? files.find(source, limits.maxBytes)
        : fetchPublicFile(fetchPublic, source["url"], limits),

    show: (view) =>
      Promise.resolve(answers.show({ ...view, text: handOnGrowing(view.text) }) ? `live.${view.turn}` : undefined),

    health: health.read,
  };
}
