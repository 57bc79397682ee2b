import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { Store } from "../../store/open-store.ts";
import { findNewestPlace, isKeptPlace, type ChangePlace, type PlacedChange } from "../../store/queries/changes.ts";
import { hasLogin } from "../../store/queries/console-sessions.ts";
import type { BeatEvent, HelloEvent, StaleEvent } from "../views/stream-views.ts";
import { createEventWriter, type EventWriter, type StreamEvent } from "./event-writer.ts";
import { createFollower, type FollowerLimits } from "./follower.ts";

interface StreamLimits extends FollowerLimits {
  readonly beatMs: number;
  readonly healthMs: number;
  /** Streams of one login, of which browsers give a page six connections in all; and of all logins. */
  readonly perLogin: number;
  readonly inAll: number;
  /** Bytes. */
  readonly maxUnread: number;
}

const usual: StreamLimits = {
  pollMs: 1_000,
  pauseMs: 50,
  beatMs: 15_000,
  healthMs: 5_000,
  perLogin: 4,
  inAll: 32,
  maxUnread: 1024 * 1024,
};

export interface StreamsParts {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly version: string;
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  /** Has the end of the server told, which waits for every response that is still being written. */
  readonly onStop: (end: () => void) => void;
  readonly log: Pick<Logger, "warn">;
  readonly streamLimits?: Partial<StreamLimits>;
}

interface Stream {
  readonly login: string;
  readonly writer: EventWriter;
}

/** The open streams of events. Nothing runs while there is none. */
export interface Streams {
  /**
   * `after` = the id of the last event that the browser had, if it had one; `drop` ends the connection of a browser that does
   * not read. Undefined when there are too many.
   */
  open(given: {
    readonly login: string;
    readonly after: string | undefined;
    readonly drop: () => void;
  }): Promise<ReadableStream<Uint8Array> | undefined>;
}

export function createStreams(parts: StreamsParts): Streams {
  const { clock, log, store } = parts;
  const limits = { ...usual, ...parts.streamLimits };
  const follower = createFollower({ store, log, limits });
  const streams = new Set<Stream>();
  let stopTimers: (() => void) | undefined;
  let states: string | undefined;

  async function beat(): Promise<void> {
    const now: BeatEvent = { now: clock.now() };
    for (const stream of streams) stream.writer.write([{ kind: "beat", data: now }]);
    await endSignedOut();
  }

  async function endSignedOut(): Promise<void> {
    for (const login of new Set([...streams].map((stream) => stream.login)))
      if (!(await hasLogin(store.main, login, clock.now())))
        for (const stream of streams) if (stream.login === login) stream.writer.end();
  }

  async function lookAtHealth(): Promise<void> {
    const ready = await parts.readiness();
    const found = JSON.stringify(Object.entries(ready).map(([name, { detail, state }]) => [name, state, detail]));
    const isOther = states !== undefined && states !== found;
    states = found;
    if (isOther) for (const { writer } of streams) writer.write([{ kind: "health", data: {} }]);
  }

  const logged = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, "a look for the page's events failed"));

  function startTimers(): () => void {
    states = undefined;
    logged(lookAtHealth)();
    const timers = [setInterval(logged(beat), limits.beatMs), setInterval(logged(lookAtHealth), limits.healthMs)];
    for (const timer of timers) timer.unref();
    return () => {
      for (const timer of timers) clearInterval(timer);
    };
  }

  /** The oldest page of the same browser goes on when it is looked at. */
  function makePlace(login: string): boolean {
    const [oldest, ...others] = [...streams].filter((stream) => stream.login === login);
    if (oldest && others.length + 1 >= limits.perLogin) {
      oldest.writer.write([{ kind: "rest", data: {} }]);
      oldest.writer.end();
    }
    return streams.size < limits.inAll;
  }

  parts.onStop(() => {
    for (const { writer } of streams) writer.end();
  });

  return {
    async open({ after, drop, login }) {
      const known = readPlace(after);
      const isKept = known !== undefined && (await isKeptPlace(store.main, known));
      const place = isKept ? known : await findNewestPlace(store.main);
      if (!makePlace(login)) return undefined;
      let unfollow: (() => void) | undefined;
      const writer = createEventWriter(limits.maxUnread, {
        overflow: drop,
        closed() {
          unfollow?.();
          streams.delete(stream);
          if (streams.size > 0) return;
          stopTimers?.();
          stopTimers = undefined;
        },
      });
      const stream: Stream = { login, writer };
      streams.add(stream);
      stopTimers ??= startTimers();
      const hello: HelloEvent = { version: parts.version, now: clock.now() };
      writer.write([
        { kind: "hello", id: writePlace(place), data: hello },
        ...(after !== undefined && !isKept ? [{ kind: "reset", data: {} } as const] : []),
      ]);
      const end = follower.follow(
        place,
        (changes) => {
          writer.write(listStale(changes));
          if (changes.some(({ topic }) => topic === "logins")) logged(endSignedOut)();
        },
        () => writer.end(),
      );
      unfollow = end;
      return writer.body;
    },
  };
}

/** Equal ones are told once, at the place of the last. */
function listStale(changes: readonly PlacedChange[]): readonly StreamEvent[] {
  const events = new Map<string, StreamEvent>();
  for (const { id, place, session, topic } of changes) {
    const data: StaleEvent = { topic, id, session };
    const key = JSON.stringify(data);
    events.delete(key);
    events.set(key, { kind: "stale", id: writePlace(place), data });
  }
  return [...events.values()];
}

const writePlace = ({ seq, tx }: ChangePlace): string => `${tx}-${seq}`;

/** Undefined when it is none of ours. */
function readPlace(id: string | undefined): ChangePlace | undefined {
  const [, tx, seq] = /^(\d{1,19})-(\d{1,15})$/.exec(id ?? "") ?? [];
  return tx === undefined ? undefined : { tx, seq: Number(seq) };
}
