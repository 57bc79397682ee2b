import type { Logger } from "pino";
import { describeError } from "../core/errors.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection } from "./connection/types.ts";
import type { Scrub } from "../tools/key-argument.ts";

/** Milliseconds. */
const pingEvery = 30_000;
const pingLimit = 10_000;
const longestPause = 60_000;
/** One that ends sooner than this has not come up. */
const provenAfter = 10_000;
/** So often it is started again by itself; after that only when somebody needs it. */
const mostRestarts = 5;

export interface LinkView {
  /** login = it wants its owner to log in; it is tried again when that has happened, or when somebody needs it. */
  readonly state: "idle" | "starting" | "ready" | "failed" | "login";
  readonly detail: string;
}

/** One place for a connection that comes and goes. */
export interface Link {
  /** The connection there is, or a new one. Throws McpFault; `signal` ends the waiting, not the start. */
  get(signal: AbortSignal): Promise<McpConnection>;
  /** It has answered a call: its end will be no failed start. */
  prove(connection: McpConnection): void;
  /** Lets go of a connection that turned out to be dead, or to be let in no more. */
  drop(connection: McpConnection, reason: string, login?: boolean): Promise<void>;
  view(): LinkView;
  /** Milliseconds since it was last used. */
  idleFor(): number;
  close(): Promise<void>;
}

/**
 * Opens on first need, and again after an end: at once after a good life, later and later after bad ones. An idle connection
 * is asked for a sign of life now and then.
 */
export function createLink(parts: {
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<McpConnection>;
  readonly startTimeoutMs: number;
  /** Takes known secrets out: what a server says of its end is read by whoever may look at its state. */
  readonly scrub: Scrub;
  /** A call is at work: a server with one thread does not answer a ping then. */
  readonly isBusy: () => boolean;
  readonly log: Pick<Logger, "info" | "warn">;
}): Link {
  const { name, log, scrub } = parts;
  const closing = new AbortController();
  let live: McpConnection | undefined;
  let opening: Promise<McpConnection> | undefined;
  let failures = 0;
  let notBefore = 0;
  let lastReason = "";
  let wantsLogin = false;
  let proven: McpConnection | undefined;
  let lastUse = performance.now();
  let restart: NodeJS.Timeout | undefined;
  const ending = new Set<Promise<unknown>>();

  function noteEnd(reason: string, wasGood: boolean): void {
    wantsLogin = false;
    failures = wasGood ? 1 : failures + 1;
    lastReason = reason;
    const pause = Math.min(longestPause, 1_000 * 2 ** (failures - 1));
    notBefore = failures > 1 ? performance.now() + pause : 0;
    if (closing.signal.aborted || failures > mostRestarts) return;
    clearTimeout(restart);
    restart = setTimeout(() => void tryAgain(), pause).unref();
  }

  /** Never throws: nobody waits for it. */
  async function tryAgain(): Promise<void> {
    notBefore = 0;
    try {
      await get(closing.signal);
    } catch (error) {
      log.info({ server: name, reason: describeError(error) }, "an MCP server did not come back");
    }
  }

  async function begin(): Promise<McpConnection> {
    const started = performance.now();
    const limit = AbortSignal.timeout(parts.startTimeoutMs);
    try {
      const connection = await parts.open(AbortSignal.any([limit, closing.signal]));
      if (closing.signal.aborted) {
        await connection.close();
        throw new McpFault("not-sent", "it was closed");
      }
      live = connection;
      wantsLogin = false;
      const since = performance.now();
      // What could be opened but ended at once has failed as well; `noteEnd` tells the two apart by its life.
      void track(connection.ended.then((reason) => forget(connection, reason, performance.now() - since)));
      log.info({ server: name, title: connection.title, ms: Math.round(since - started) }, "an MCP server is up");
      return connection;
    } catch (error) {
      const late = `did not start within ${parts.startTimeoutMs / 1000} s`;
      const reason = limit.aborted && !closing.signal.aborted ? late : describeError(error);
      const kind =
        error instanceof McpFault && (error.kind === "login" || error.kind === "rights") ? error.kind : "not-sent";
      if (kind !== "not-sent") {
        // To try again by itself would bring nothing.
        wantsLogin = true;
        lastReason = reason;
        log.warn({ server: name }, "an MCP server wants its owner to log in");
      } else if (!closing.signal.aborted) {
        noteEnd(reason, false);
        log.warn({ server: name, reason, failures }, "an MCP server could not be started");
      }
      throw new McpFault(kind, reason, { cause: error });
    }
  }

  function forget(connection: McpConnection, reason: string, livedMs: number): void {
    if (live !== connection) return;
    live = undefined;
    if (closing.signal.aborted) return;
    log.warn({ server: name, reason }, "an MCP server ended");
    noteEnd(reason, connection === proven || livedMs > provenAfter);
  }

  async function get(signal: AbortSignal): Promise<McpConnection> {
    lastUse = performance.now();
    if (closing.signal.aborted) throw new McpFault("not-sent", "it was closed");
    if (live) return live;
    const pause = notBefore - performance.now();
    if (opening === undefined && pause > 0) {
      const seconds = Math.ceil(pause / 1000);
      throw new McpFault("not-sent", `failed ${failures} times (${lastReason}); the next try is in ${seconds} s`);
    }
    clearTimeout(restart);
    opening ??= begin().finally(() => {
      opening = undefined;
    });
    return waitUnless(opening, signal);
  }

  async function drop(connection: McpConnection, reason: string, login = false): Promise<void> {
    if (live === connection) {
      live = undefined;
      lastReason = reason;
      wantsLogin = login;
    }
    await track(connection.close());
  }

  function track<T>(work: Promise<T>): Promise<T> {
    ending.add(work);
    const forgetWork = (): void => void ending.delete(work);
    void Promise.allSettled([work]).then(forgetWork);
    return work;
  }

  async function ping(): Promise<void> {
    const connection = live;
    if (connection === undefined || parts.isBusy()) return;
    try {
      await connection.ping({ signal: AbortSignal.any([closing.signal, AbortSignal.timeout(pingLimit)]) });
    } catch (error) {
      // A server that knows no ping is alive all the same.
      const dead = error instanceof McpFault && error.kind !== "refused" && !parts.isBusy();
      if (!dead || closing.signal.aborted) return;
      log.warn({ server: name }, "an MCP server does not answer any more");
      await drop(connection, "did not answer a ping");
      noteEnd("did not answer a ping", false);
    }
  }
  const pinging = setInterval(() => void track(ping()), pingEvery).unref();

  return {
    get,
    prove(connection) {
      proven = connection;
    },
    drop,
    view() {
      if (live) return { state: "ready", detail: scrub(live.title) };
      if (wantsLogin) return { state: "login", detail: scrub(lastReason) };
      if (opening) return { state: "starting", detail: "" };
      return lastReason === "" ? { state: "idle", detail: "" } : { state: "failed", detail: scrub(lastReason) };
    },
    idleFor: () => performance.now() - lastUse,
    async close() {
      closing.abort();
      clearInterval(pinging);
      clearTimeout(restart);
      const last = live;
      live = undefined;
      await Promise.allSettled([opening, last?.close(), ...ending]);
    },
  };
}

/** The work goes on when the signal ends the waiting for it. */
async function waitUnless<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new McpFault("stopped", "stopped"));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
