import type { CallDesk, CallInFlight } from "./call-desk.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection, McpRequest } from "./connection/types.ts";
import type { ConnectionSupervisor } from "./connection-supervisor.ts";
import type { McpServer } from "./servers/types.ts";

/** `error` is one sentence for the model and people. */
export type ServerAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

export interface ServerRequest<T> {
  /** The operator or the protocol says that it changes nothing: then it is sent again after a loss. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** Why the server cannot be used in a session; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
  /** Why it must not be sent to the server as that is now; asked when there is a connection. */
  readonly refuse?: () => string | undefined;
  readonly send: (connection: McpConnection, request: McpRequest) => Promise<T>;
}

const maxProgressLength = 200;
const tellEveryMs = 5_000;
/**
 * However often a server reports progress, a call ends after this many times its limit, but gets at least ten minutes.
 */
const maxSteps = 10;
const minTotalMs = 600_000;
/** The time that people have to answer a question of the server. */
const peopleMs = 900_000;

/** Milliseconds that one request may take as a tool call: two starts, two tries, and a question to a person. */
export function limitOfRequest({ installTimeoutMs }: McpServer, timeoutMs: number): number {
  return installTimeoutMs * 2 + limitOfCall(timeoutMs) * 2 + peopleMs;
}

/** The most that a call can take without the waiting for people. */
function limitOfCall(stepMs: number): number {
  return Math.max(minTotalMs, stepMs * maxSteps);
}

/**
 * Sends one request on behalf of a call and its person, within its time. A request that may have reached the server is sent
 * again only if it changes nothing.
 */
export async function sendRequest<T>(
  server: string,
  place: () => { readonly supervisor: ConnectionSupervisor; readonly calls: CallDesk },
  request: ServerRequest<T>,
  context: ToolContext,
): Promise<ServerAnswer<T>> {
  const { readOnly } = request;
  const clock = createCallClock(request.timeoutMs, context.signal);
  // The start has its own limit.
  clock.pause();
  const over = new AbortController();
  const call: CallInFlight = { context, clock, over: over.signal, elicitations: { open: 0, all: 0 } };
  const onProgress: NonNullable<McpRequest["onProgress"]> = ({ done, total, message = "" }) => {
    clock.touch();
    const count = total === undefined ? String(done) : `${done}/${total}`;
    context.progress(makeVisible(`${message} ${count}`.trim().slice(0, maxProgressLength)).replaceAll(/\s+/g, " "));
  };

  /** A first start may take minutes, and the person is waiting for it. */
  async function waitForStart(supervisor: ConnectionSupervisor): Promise<McpConnection> {
    const telling = setInterval(() => {
      const { state, detail } = supervisor.view();
      if (state === "starting" && detail !== "") context.progress(detail);
    }, tellEveryMs).unref();
    try {
      return await supervisor.get(context.signal);
    } finally {
      clearInterval(telling);
    }
  }

  async function send(): Promise<ServerAnswer<T>> {
    // Before the server is started for it, and after that, which takes time.
    const before = await request.whyNotHere(context.session);
    if (before !== undefined) return { ok: false, error: before };
    const { supervisor } = place();
    const connection = await waitForStart(supervisor);
    const refusal = (await request.whyNotHere(context.session)) ?? request.refuse?.();
    if (refusal !== undefined) return { ok: false, error: refusal };
    clock.resume();
    try {
      const value = await request.send(connection, { signal: clock.signal, onProgress });
      supervisor.prove(connection);
      return { ok: true, value };
    } catch (error) {
      if (error instanceof McpFault) {
        const wantsLogin = error.kind === "login" || error.kind === "rights";
        const isDead = wantsLogin || ["session-gone", "not-sent", "lost"].includes(error.kind);
        if (isDead) await supervisor.drop(connection, error.message, wantsLogin);
      }
      throw error;
    } finally {
      clock.pause();
    }
  }

  try {
    const { calls } = place();
    await calls.enter(call, context.signal, () => context.progress(`${server} is at work for somebody else first`));
    try {
      return await send();
    } catch (error) {
      const mayRepeat =
        error instanceof McpFault && (error.kind === "session-gone" || (error.kind === "lost" && readOnly));
      if (!mayRepeat || context.signal.aborted) throw error;
      return await send();
    } finally {
      calls.leave(call);
      over.abort();
    }
  } catch (error) {
    if (!(error instanceof McpFault)) throw error;
    return { ok: false, error: describeFault(server, error, { readOnly, expired: clock.expired() }) };
  } finally {
    clock.release();
  }
}

function describeFault(
  name: string,
  fault: McpFault,
  { readOnly, expired }: { readonly readOnly: boolean; readonly expired: string | undefined },
): string {
  const doubt = "It may or may not have happened. Tell the person so, and do not call it again by yourself.";
  if (expired !== undefined)
    return `The server ${name} ${expired} and was told to stop. ${readOnly ? "" : doubt}`.trim();
  switch (fault.kind) {
    case "refused":
      return `The server ${name} refused: ${fault.message}`;
    case "failed":
      // A failed request that changes nothing has the same effect as a refused one.
      return readOnly
        ? `The server ${name} refused: ${fault.message}`
        : `The server ${name} answered with an error: ${fault.message} — ${doubt}`;
    case "unread":
      return `The server ${name} answered; it may have run, and the result could not be read: ${fault.message}${readOnly ? "" : ` — ${doubt}`}`;
    case "lost":
      return `The server ${name} was lost during the call (${fault.message}). ${readOnly ? "Nothing changed." : doubt}`;
    case "stopped":
      return "Stopped.";
    case "login":
      return `The server ${name} wants its owner to log in: /mcp login ${name}. Nothing was called.`;
    case "rights":
      return `The server ${name} did not do it: ${fault.message}. Its owner has to log in again for that: /mcp login ${name}.`;
    case "not-sent":
    case "session-gone":
      return `The server ${name} cannot be reached: ${fault.message}. Nothing was called.`;
  }
}

/** `stepMs` is the limit of one step: progress that the server reports begins a new one. */
function createCallClock(stepMs: number, outer: AbortSignal) {
  const own = new AbortController();
  const total = limitOfCall(stepMs);
  const begun = performance.now();
  let waited = 0;
  let pausedAt: number | undefined;
  let reason: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(): void {
    clearTimeout(timer);
    if (pausedAt !== undefined || own.signal.aborted) return;
    const left = total - (performance.now() - begun - waited);
    timer = setTimeout(
      () => {
        reason = left < stepMs ? `took longer than ${total / 1000} s in all` : `gave no answer for ${stepMs / 1000} s`;
        own.abort(reason);
      },
      Math.max(1, Math.min(stepMs, left)),
    );
  }
  set();
  return {
    /** Aborts when the time is up, and with the outer signal. */
    signal: AbortSignal.any([outer, own.signal]),
    /** A sentence once the time is up; undefined before. */
    expired: () => reason,
    touch: set,
    pause() {
      pausedAt ??= performance.now();
      clearTimeout(timer);
    },
    resume() {
      if (pausedAt === undefined) return;
      waited += performance.now() - pausedAt;
      pausedAt = undefined;
      set();
    },
    release: () => clearTimeout(timer),
  };
}
