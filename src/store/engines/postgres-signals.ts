import { Client } from "pg";
import { sleep } from "../../core/abort.ts";
import { connectionOptions } from "./connect-postgres.ts";

/**
 * session = rows of a conversation were committed; outbox = a message of a conversation waits; abort = its work is to
 * stop; watch = a page of a process watches it; node = a process came, changed or went; persona = a
 * conversation has another persona; feature = the feature of that name
 * changed what others have in memory.
 */
type SignalKind = "session" | "outbox" | "abort" | "watch" | "node" | "persona" | "feature";

/**
 * Hints from process to process that something was committed. One that is lost costs time only: everything that counts is
 * in the tables, and is looked for there as well.
 */
export interface Signals {
  send(kind: SignalKind, value: string): void;
  on(kind: SignalKind, hear: (value: string) => void): void;
  close(): Promise<void>;
}

/** Many are sent together: each NOTIFY takes a lock of the whole server. */
const gatherMs = 10;
/** The server takes 8,000 bytes. */
const maxBytes = 7_000;
const pauseMs = { first: 200, longest: 5_000 };

type Sent = readonly [kind: SignalKind, value: string];

/** By LISTEN and NOTIFY on a connection of its own, made again whenever it is lost. A process does not hear itself. */
export function createPostgresSignals(options: {
  readonly url: string;
  /** Processes that hear each other have the same. */
  readonly channel: string;
  /** This process. */
  readonly node: string;
  readonly onTrouble: (error: unknown) => void;
}): Signals {
  const { channel, node } = options;
  const heard = new Map<SignalKind, ((value: string) => void)[]>();
  const closing = new AbortController();
  let waiting = new Map<string, Sent>();
  let timer: NodeJS.Timeout | undefined;
  let current: Client | undefined;
  const running = stayConnected();

  async function stayConnected(): Promise<void> {
    let pause = pauseMs.first;
    while (!closing.signal.aborted) {
      const client = new Client(connectionOptions(options.url, "kurisu signals"));
      const ended = new Promise<void>((resolve) => client.once("end", resolve));
      client.on("error", options.onTrouble);
      client.on("notification", ({ payload = "" }) => hear(payload));
      try {
        await client.connect();
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        if (closing.signal.aborted) await client.end();
        current = client;
        pause = pauseMs.first;
        flush();
        await ended;
      } catch (error) {
        options.onTrouble(error);
        await client.end().catch(() => undefined);
      }
      current = undefined;
      await sleep(pause, closing.signal, { ref: false });
      pause = Math.min(pause * 2, pauseMs.longest);
    }
  }

  const hear = (payload: string): void => tryTo(() => pass(payload));

  /** A hint that cannot be read, as of another version, costs no other one. */
  function tryTo(work: () => void): void {
    try {
      work();
    } catch (error) {
      options.onTrouble(error);
    }
  }

  function pass(payload: string): void {
    const { from, signals } = JSON.parse(payload) as { readonly from: string; readonly signals: readonly Sent[] };
    if (from === node) return;
    for (const [kind, value] of signals) for (const one of heard.get(kind) ?? []) tryTo(() => one(value));
  }

  function flush(): void {
    timer = undefined;
    if (current === undefined || waiting.size === 0) return;
    const signals = [...waiting.values()];
    waiting = new Map();
    for (const part of split(signals, node))
      current.query("select pg_notify($1, $2)", [channel, part]).catch(options.onTrouble);
  }

  return {
    send(kind, value) {
      // Without a connection only so many are kept.
      if (waiting.size < 1_000) waiting.set(`${kind} ${value}`, [kind, value]);
      timer ??= setTimeout(flush, gatherMs).unref();
    },
    on(kind, one) {
      heard.set(kind, [...(heard.get(kind) ?? []), one]);
    },
    async close() {
      clearTimeout(timer);
      flush();
      closing.abort();
      await current?.end();
      await running;
    },
  };
}

function split(signals: readonly Sent[], from: string): readonly string[] {
  const text = JSON.stringify({ from, signals });
  if (Buffer.byteLength(text) <= maxBytes) return [text];
  // A value of this size is no name of a conversation.
  if (signals.length === 1) return [];
  const half = signals.length >> 1;
  return [...split(signals.slice(0, half), from), ...split(signals.slice(half), from)];
}
