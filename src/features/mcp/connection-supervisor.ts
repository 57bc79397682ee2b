import type { Logger } from "pino";
import { raceAbort } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Scrub } from "../../kernel/tools/key-argument.ts";
import { createStartLimit } from "./start-limit.ts";
import { isAnswer, McpFault } from "./connection/mcp-fault.ts";
import type { McpConnection } from "./connection/types.ts";

const pingEveryMs = 30_000;
const pingLimitMs = 10_000;
const tellEveryMs = 15_000;
/** An installer has what it needs in its cache when it is faster than that. */
const quickInstallMs = 5_000;
const maxPauseMs = 60_000;
/** A connection that ends sooner than this counts as a failed start. */
const provenAfterMs = 10_000;
/** After this many failures in a row it is started again only on demand. */
const maxRestarts = 5;

/** The state of one connection that comes and goes. Times are those of `performance.now()`. */
type State =
  | { readonly kind: "idle" }
  | { readonly kind: "starting"; readonly work: Promise<McpConnection>; readonly since: number }
  /** `proven` = it has answered a call, so its end is no failed start. */
  | { readonly kind: "ready"; readonly connection: McpConnection; readonly since: number; readonly proven: boolean }
  | { readonly kind: "failed"; readonly reason: string; readonly notBefore: number }
  /** A new try brings nothing until the owner has logged in. */
  | { readonly kind: "login"; readonly reason: string }
  | { readonly kind: "closed" };

export interface ConnectionView {
  /** login = the owner has to log in. It is tried again after that, or on demand. */
  readonly state: "idle" | "starting" | "ready" | "failed" | "login";
  readonly detail: string;
  /** For a start that takes long because something is being installed: the installer, and the seconds so far. */
  readonly installing?: { readonly by: string; readonly seconds: number };
  /** For a start that follows a failed one: why that failed. */
  readonly failedBefore?: string;
}

export interface ConnectionSupervisor {
  /** The connection there is, or a new one. Throws McpFault; `signal` ends the waiting, not the start. */
  get(signal: AbortSignal): Promise<McpConnection>;
  /** It has answered a call. */
  prove(connection: McpConnection): void;
  /** Lets go of a connection that is dead or no longer let in; `login` = until the owner has logged in. */
  drop(connection: McpConnection, reason: string, login?: boolean): Promise<void>;
  view(): ConnectionView;
  /** Milliseconds since it was last used. */
  idleFor(): number;
  close(): Promise<void>;
}

/**
 * Opens on first need. After an end it opens again: at once after a good life, later and later after bad ones. An idle
 * connection is pinged now and then.
 */
export function superviseConnection(parts: {
  readonly name: string;
  /** `onInstalling` reports that a start is slow because something is being installed. */
  readonly open: (signal: AbortSignal, onInstalling: (by: string) => void) => Promise<McpConnection>;
  readonly startTimeoutMs: number;
  readonly installTimeoutMs: number;
  /** Takes known secrets out: people read why a server ended. */
  readonly scrub: Scrub;
  /** A call is in flight: a server with one thread does not answer a ping then. */
  readonly isBusy: () => boolean;
  readonly log: Pick<Logger, "info" | "warn">;
}): ConnectionSupervisor {
  const { name, log, scrub } = parts;
  const closing = new AbortController();
  const ending = new Set<Promise<unknown>>();
  let state: State = { kind: "idle" };
  let failures = 0;
  let lastUse = performance.now();
  let restart: NodeJS.Timeout | undefined;
  let installer: string | undefined;
  let failedBefore: string | undefined;

  function fail(reason: string, wasGood: boolean): void {
    if (closing.signal.aborted) return;
    failures = wasGood ? 1 : failures + 1;
    failedBefore = scrub(reason);
    const pause = Math.min(maxPauseMs, 1_000 * 2 ** (failures - 1));
    state = { kind: "failed", reason, notBefore: failures > 1 ? performance.now() + pause : 0 };
    if (failures > maxRestarts) return;
    clearTimeout(restart);
    restart = setTimeout(() => void startAgain(), pause).unref();
  }

  /** Never throws: no caller awaits it. */
  async function startAgain(): Promise<void> {
    if (state.kind === "failed") state = { ...state, notBefore: 0 };
    try {
      await get(closing.signal);
    } catch (error) {
      log.info({ server: name, reason: describeError(error) }, "an MCP server did not come back");
    }
  }

  async function start(): Promise<McpConnection> {
    const begun = performance.now();
    const limit = createStartLimit(parts);
    const watch = setInterval(() => {
      const { installing } = describe();
      if (installing) log.info({ server: name, ...installing }, "an MCP server is being installed for its first start");
    }, tellEveryMs).unref();
    try {
      const connection = await parts.open(AbortSignal.any([limit.signal, closing.signal]), (by) => {
        installer = by;
        limit.extend();
      });
      if (closing.signal.aborted) {
        await connection.close();
        throw new McpFault("not-sent", "it was closed");
      }
      const since = performance.now();
      state = { kind: "ready", connection, since, proven: false };
      failedBefore = undefined;
      void track(connection.ended.then((reason) => noteEnd(connection, makeVisible(reason))));
      log.info({ server: name, title: connection.title, ms: Math.round(since - begun) }, "an MCP server is up");
      return connection;
    } catch (error) {
      const isLate = limit.signal.aborted && !closing.signal.aborted;
      const during = installer === undefined ? "" : ` while ${installer} was installing`;
      const reason = isLate ? `timed out after ${limit.milliseconds() / 1000} s${during}` : describeError(error);
      const wantsLogin = error instanceof McpFault && (error.kind === "login" || error.kind === "rights");
      if (wantsLogin) {
        if (!closing.signal.aborted) state = { kind: "login", reason };
        log.warn({ server: name }, "an MCP server wants its owner to log in");
      } else if (!closing.signal.aborted) {
        fail(reason, false);
        log.warn({ server: name, reason, failures }, "an MCP server could not be started");
      }
      throw new McpFault(wantsLogin ? error.kind : "not-sent", reason, { cause: error });
    } finally {
      limit.release();
      clearInterval(watch);
      installer = undefined;
    }
  }

  function noteEnd(connection: McpConnection, reason: string): void {
    if (state.kind !== "ready" || state.connection !== connection) return;
    log.warn({ server: name, reason }, "an MCP server ended");
    fail(reason, state.proven || performance.now() - state.since > provenAfterMs);
  }

  async function get(signal: AbortSignal): Promise<McpConnection> {
    lastUse = performance.now();
    if (state.kind === "closed") throw new McpFault("not-sent", "it was closed");
    if (state.kind === "ready") return state.connection;
    if (state.kind === "starting") return waitUnless(state.work, signal);
    if (state.kind === "failed" && state.notBefore > lastUse) {
      const seconds = Math.ceil((state.notBefore - lastUse) / 1000);
      throw new McpFault("not-sent", `failed ${failures} times (${state.reason}); the next try is in ${seconds} s`);
    }
    clearTimeout(restart);
    const work = start();
    state = { kind: "starting", work, since: lastUse };
    return waitUnless(work, signal);
  }

  async function drop(connection: McpConnection, reason: string, login = false): Promise<void> {
    if (state.kind === "ready" && state.connection === connection)
      state = login ? { kind: "login", reason } : { kind: "failed", reason, notBefore: 0 };
    await track(connection.close());
  }

  function track<T>(work: Promise<T>): Promise<T> {
    ending.add(work);
    void Promise.allSettled([work]).then(() => ending.delete(work));
    return work;
  }

  async function ping(): Promise<void> {
    if (state.kind !== "ready" || parts.isBusy()) return;
    const { connection } = state;
    try {
      await connection.ping({ signal: AbortSignal.any([closing.signal, AbortSignal.timeout(pingLimitMs)]) });
    } catch (error) {
      // A server that knows no ping is alive all the same.
      const isDead = error instanceof McpFault && !isAnswer(error) && !parts.isBusy();
      if (!isDead || closing.signal.aborted) return;
      log.warn({ server: name }, "an MCP server does not answer any more");
      const reason = "did not answer a ping";
      await drop(connection, reason);
      // A request may have started it again in the meantime.
      if (describe().state === "failed") fail(reason, false);
    }
  }
  const pinging = setInterval(() => void track(ping()), pingEveryMs).unref();

  function describe(): ConnectionView {
    switch (state.kind) {
      case "ready":
        return { state: "ready", detail: scrub(state.connection.title) };
      case "login":
      case "failed":
        return { state: state.kind, detail: scrub(state.reason) };
      case "starting":
        return describeStart(state.since);
      case "idle":
      case "closed":
        return { state: "idle", detail: "" };
    }
  }

  function describeStart(since: number): ConnectionView {
    const elapsed = performance.now() - since;
    const before = failedBefore === undefined ? {} : { failedBefore };
    if (installer === undefined || elapsed < quickInstallMs) return { state: "starting", detail: "", ...before };
    const installing = { by: installer, seconds: Math.round(elapsed / 1000) };
    return { state: "starting", detail: describeInstalling(name, installing), installing, ...before };
  }

  return {
    get,
    prove(connection) {
      if (state.kind === "ready" && state.connection === connection) state = { ...state, proven: true };
    },
    drop,
    view: describe,
    idleFor: () => performance.now() - lastUse,
    async close() {
      const last = state;
      state = { kind: "closed" };
      closing.abort();
      clearInterval(pinging);
      clearTimeout(restart);
      const connection = last.kind === "ready" ? [last.connection.close()] : [];
      const start = last.kind === "starting" ? [last.work] : [];
      await Promise.allSettled([...connection, ...start, ...ending]);
    },
  };
}

/** The progress of a first start, for the log and the terminal. */
export function describeInstalling(server: string, { by, seconds }: NonNullable<ConnectionView["installing"]>): string {
  return `first start of ${server}: ${by} is installing, ${seconds} s`;
}

/** The work goes on when the signal ends the waiting for it. */
async function waitUnless<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await raceAbort(work, signal);
  } catch (error) {
    throw error === signal.reason ? new McpFault("stopped", "stopped") : error;
  }
}
