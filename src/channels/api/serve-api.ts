import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Logger } from "pino";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { wordsFor } from "../../core/words/words.ts";
import { describeError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import { listSentFor } from "../../store/queries/api-requests.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { readBody, type ReadBody } from "../read-body.ts";
import { toSessionId } from "../session-id.ts";
import type { InboundEvent, OutboundMessage } from "../types.ts";
import { answerError, notThere, refuseRequest, type ApiError } from "./api-error.ts";
import type { ApiFiles } from "./api-files.ts";
import type { ApiPace } from "./api-pace.ts";
import { createStreamedResponse, createWholeResponse } from "./answer-response.ts";
import { nameCompletion } from "./completion.ts";
import { createGuard, createMinuteCount, tooMany, tooManyFiles } from "./guard-api.ts";
import type { OpenAnswers, SaidEarlier } from "./open-answers.ts";
import { readPerson } from "./read-person.ts";
import { readRequest, type ChatRequest } from "./read-request.ts";
import { createTakeRequest, type AskedBy, type TakenRequest } from "./take-request.ts";
import { writeMessageText } from "./write-message-text.ts";

type ApiContext = Context<{ Bindings: HttpBindings }>;

/** Clients send the whole conversation each time, with the pictures in it. */
const maxBodyLength = 32 * 1024 * 1024;
/** Bytes of all bodies that are read at the same time; one without Content-Length counts as `maxBodyLength`. */
const maxBodies = 256 * 1024 * 1024;
/** Per user. */
const requestsPerMinute = 60;
const maxOpen = 64;
const maxOpenInOneConversation = 4;

export interface ApiDoor {
  /** Undefined while the channel takes nothing in. Resolves when the events are stored. */
  readonly take: () => ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  readonly onPresence: (address: AskedBy["address"]) => void;
}

/** Mounts the routes of OpenAI's API that she answers. */
export function serveApi(
  parts: {
    readonly token: string;
    readonly model: string;
    readonly answerWithin: () => number;
    readonly http: Pick<HttpRoutes, "app">;
    readonly store: Pick<Store, "main">;
    readonly answers: OpenAnswers;
    readonly files: Pick<ApiFiles, "keep">;
    readonly pace: ApiPace;
    readonly clock: Clock;
    readonly log: Logger;
  } & ApiDoor,
): void {
  const { answers, clock, files, http, log, model, pace, store } = parts;
  const takeRequest = createTakeRequest(parts);
  const countRequests = createMinuteCount(clock);
  /** The last request of each conversation: which event the next one is depends on it. */
  const taking = new Map<string, Promise<unknown>>();
  /** Requests that wait for their turn in a conversation. */
  const coming = new Set<{ readonly session: string }>();
  const bodies = new Set<{ readonly bytes: number }>();
  const startedAt = Math.floor(clock.now() / 1000);
  const card = { id: model, object: "model", created: startedAt, owned_by: "kurisu" };

  http.app.use("/v1/*", createGuard(parts));
  http.app.get("/v1/models", (context) => context.json({ object: "list", data: [card] }));
  http.app.get("/v1/models/:model", (context) =>
    context.req.param("model") === model ? context.json(card) : answerError(context, refuseModel()),
  );
  http.app.post("/v1/chat/completions", (context) => answer(context));
  for (const path of ["/chat/completions", "/models"])
    http.app.all(path, (context) =>
      answerError(context, { status: 404, code: "unknown_url", message: `/v1 is missing: the path is /v1${path}.` }),
    );
  http.app.all("/v1/*", (context) =>
    answerError(context, { status: 404, code: "unknown_url", message: "There is nothing here." }),
  );

  function refuseModel(): ApiError {
    return { status: 404, code: "model_not_found", message: `There is one model: ${model}.`, param: "model" };
  }

  async function answer(context: ApiContext): Promise<Response> {
    const release = takePlace(context);
    if (release === undefined) return answerError(context, tooMany);
    try {
      return await answerBody(context, await readBody(context.req.raw, maxBodyLength), release);
    } finally {
      release();
    }
  }

  /** A body may be large, so it is counted before it is read. Call the returned function when it is taken in; undefined when there are too many. */
  function takePlace({ req }: ApiContext): (() => void) | undefined {
    const bytes = Math.min(Number(req.header("content-length") ?? maxBodyLength) || 0, maxBodyLength);
    const sum = [...bodies].reduce((all, one) => all + one.bytes, bytes);
    if (bodies.size >= maxOpen || sum > maxBodies) return undefined;
    const body = { bytes };
    bodies.add(body);
    return () => void bodies.delete(body);
  }

  async function answerBody(context: ApiContext, body: ReadBody, release: () => void): Promise<Response> {
    if (body.kind === "too-large") {
      const message = `The body has more than ${maxBodyLength / 1024 ** 2} MiB.`;
      return answerError(context, { status: 413, code: "request_too_large", message });
    }
    if (body.kind === "broken") return answerError(context, refuseRequest("The body is broken."));
    const read = readRequest(body.body.toString("utf8"));
    if ("error" in read) return answerError(context, read.error);
    const { request } = read;
    if (request.model !== model) return answerError(context, refuseModel());
    const person = readPerson(context.req.raw.headers, request.user);
    if ("error" in person) return answerError(context, person.error);
    const by: AskedBy = {
      ...person,
      idempotencyKey: context.req.header("idempotency-key"),
      isRetry: Number(context.req.header("x-stainless-retry-count") ?? 0) > 0,
    };
    const session = toSessionId(by.address);
    const here = [...coming].filter((one) => one.session === session).length;
    const isFull =
      answers.count() + coming.size >= maxOpen || answers.count(session) + here >= maxOpenInOneConversation;
    if (isFull || countRequests(by.sender.id, requestsPerMinute)) return answerError(context, tooMany);
    const one = { session };
    coming.add(one);
    const leaveQueue = (): void => {
      coming.delete(one);
      release();
    };
    try {
      return await inOrder(session, () => begin(context, request, by, leaveQueue));
    } catch (error) {
      log.warn({ reason: describeError(error) }, "a request could not be taken in");
      return answerError(context, notThere);
    } finally {
      coming.delete(one);
    }
  }

  async function inOrder(session: string, work: () => Promise<() => Promise<Response>>): Promise<Response> {
    const before = taking.get(session) ?? Promise.resolve();
    const begun = Promise.allSettled([before]).then(work);
    taking.set(session, begun);
    try {
      const respond = await begun;
      return await respond();
    } finally {
      if (taking.get(session) === begun) taking.delete(session);
    }
  }

  /** Until the message is stored; what it answers comes after that. */
  async function begin(
    context: ApiContext,
    request: ChatRequest,
    by: AskedBy,
    onOpen: () => void,
  ): Promise<() => Promise<Response>> {
    const take = parts.take();
    if (take === undefined) return () => Promise.resolve(answerError(context, notThere));
    const taken = await takeRequest(request, by);
    if (taken.kind === "refused") return () => Promise.resolve(answerError(context, taken.error));
    const message = taken.kind === "new" ? await files.keep(taken.message) : undefined;
    if (taken.kind === "new" && message === undefined) return () => Promise.resolve(answerError(context, tooManyFiles));
    const completion = { id: nameCompletion(taken.cause), created: Math.floor(clock.now() / 1000), model };
    const { isStreamed, wantsUsage } = request;
    const response = isStreamed
      ? createStreamedResponse(completion, { wantsUsage, aliveMs: pace.aliveMs })
      : createWholeResponse(completion);
    const session = toSessionId(by.address);
    const said = request.messages.at(-1)?.text ?? "";
    const { goesOn, noAnswer } = wordsFor(detectLanguage(said, undefined, "zh")).program;
    const waiting = answers.open({
      session,
      cause: taken.cause,
      isStreamed,
      ...(!isStreamed && { limitMs: parts.answerWithin() }),
      goesOn,
      noAnswer,
      onPiece: response.onPiece,
    });
    onOpen();
    try {
      if (message) await take([message]);
      waiting.wait(await listEarlier(session, taken));
    } catch (error) {
      await waiting.leave();
      throw error;
    }
    // After the message is stored: no word of it can answer a question that is shown only now.
    parts.onPresence(by.address);
    const { outgoing } = context.env;
    const leave = async (): Promise<void> => {
      await waiting.leave(outgoing.writableFinished);
      // Another request of the conversation may wait for what waits again.
      if (answers.count(session) > 0) parts.onPresence(by.address);
    };
    // The client may have gone away before a listener was set.
    if (outgoing.destroyed) void leave();
    else outgoing.once("close", () => void leave());
    return async () => (await response.respond(waiting)) ?? answerError(context, notThere);
  }

  /** An answer that was sent and did not arrive: the client had gone, or the process ended before it wrote. */
  async function listEarlier(session: string, taken: TakenRequest): Promise<readonly SaidEarlier[]> {
    const left = answers.takeLeft(session).map((text) => ({ text }));
    const sent = taken.kind === "known" ? await listSentFor(store.main, session, taken.cause) : [];
    return [
      ...left,
      ...sent.map((payload) => {
        const message = JSON.parse(payload) as OutboundMessage;
        return { id: message.id, text: writeMessageText(message) };
      }),
    ];
  }
}
