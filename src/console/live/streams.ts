import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { LiveWatch, WatchedView } from "../../kernel/turns/live-watch.ts";
import type { Store } from "../../store/open-store.ts";
import { findNewestPlace, isKeptPlace, type ChangePlace, type PlacedChange } from "../../store/queries/changes.ts";
import type { Sessions } from "../door/sessions.ts";
import type { BeatEvent, HelloEvent, LiveEndEvent, LiveEvent, StaleEvent } from "../views/stream-views.ts";
import { createEventWriter, type EventWriter, type StreamEvent } from "./event-writer.ts";
import { createFollower, type FollowerLimits } from "./follower.ts";

interface StreamLimits extends FollowerLimits {
  readonly beatMs: number;
  readonly healthMs: number;
  /** Streams of one login, of which browsers give a page six connections in all; and of all logins. */
  readonly perLogin: number;
  readonly inAll: number;
  /** Streams of all logins of one member's account. All members together have half of the places. */
  readonly perMember: number;
  /** Bytes. */
  readonly maxUnread: number;
}

const defaultLimits: StreamLimits = {
  pollMs: 1_000,
  pauseMs: 50,
  beatMs: 15_000,
  healthMs: 5_000,
  perLogin: 4,
  inAll: 32,
  perMember: 8,
  maxUnread: 1024 * 1024,
};

/** The conversation that a page looks at, and how it is shown there. */
interface Watched {
  readonly session: string;
  readonly describe: (view: WatchedView) => LiveEvent;
}

export interface StreamsParts {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly version: string;
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  /** Calls back when the server stops, which waits for every response that is still being written. */
  readonly onStop: (end: () => void) => void;
  readonly liveWatch: Pick<LiveWatch, "watch">;
  readonly sessions: Pick<Sessions, "isOpen">;
  readonly log: Pick<Logger, "warn">;
  readonly streamLimits?: Partial<StreamLimits>;
}

interface Stream {
  readonly login: string;
  /** The account of a member; undefined for the owner. */
  readonly member: string | undefined;
  readonly writer: EventWriter;
  /** Undefined for the owner, who gets every event. */
  readonly isOwn: OpenStream["isOwn"];
  /** The conversation that it watches. */
  readonly watched: string | undefined;
}

interface OpenStream {
  /** The id of the login. */
  readonly login: string;
  readonly member?: string | undefined;
  /** The id of the last event that the browser had, if it had one. */
  readonly after: string | undefined;
  /** Ends the connection of a browser that does not read. */
  readonly drop: () => void;
  /** The conversation whose turns are shown while they run. */
  readonly watched?: Watched | undefined;
  /** For a member: finds out which conversations are theirs; they get the events of these alone. */
  readonly isOwn?: (() => Promise<(session: string) => boolean>) | undefined;
}

/** The open streams of events. Nothing runs while there is none. */
export interface Streams {
  /** Undefined when there are too many. */
  open(given: OpenStream): Promise<ReadableStream<Uint8Array> | undefined>;
}

export function createStreams(parts: StreamsParts): Streams {
  const { clock, log, store } = parts;
  const limits = { ...defaultLimits, ...parts.streamLimits };
  const follower = createFollower({ store, log, limits });
  const streams = new Set<Stream>();
  let stopTimers: (() => void) | undefined;
  let states: string | undefined;

  async function beat(): Promise<void> {
    const now: BeatEvent = { now: clock.now() };
    for (const stream of streams) stream.writer.write([{ kind: "beat", data: now }]);
    await endWithoutRight();
  }

  async function endWithoutRight(): Promise<void> {
    await endSignedOut();
    await Promise.all([...streams].map(maySee));
  }

  /** Ends the stream of a member who no longer has the watched conversation; returns whether it goes on. */
  async function maySee({ isOwn, watched, writer }: Pick<Stream, "isOwn" | "watched" | "writer">): Promise<boolean> {
    if (!isOwn || watched === undefined) return true;
    const may = await isOwn().then(
      (is) => is(watched),
      (error: unknown) => {
        log.warn({ err: error }, "a member's page is not told of a turn; it will ask again");
        return false;
      },
    );
    if (!may) writer.end();
    return may;
  }

  async function endSignedOut(): Promise<void> {
    for (const login of new Set([...streams].map((stream) => stream.login)))
      if (!(await parts.sessions.isOpen(login)))
        for (const stream of streams) if (stream.login === login) stream.writer.end();
  }

  async function lookAtHealth(): Promise<void> {
    const ready = await parts.readiness();
    const found = JSON.stringify(Object.entries(ready).map(([name, { detail, state }]) => [name, state, detail]));
    const isOther = states !== undefined && states !== found;
    states = found;
    if (!isOther) return;
    for (const { isOwn, writer } of streams) if (!isOwn) writer.write([{ kind: "health", data: {} }]);
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

  /** The page connects again when it is looked at. */
  function rest({ writer }: Stream): void {
    writer.write([{ kind: "rest", data: {} }]);
    writer.end();
  }

  /** The oldest page of the same browser makes room, and of the same member; and a member's for the owner. */
  function makePlace({ login, member }: Pick<Stream, "login" | "member">): boolean {
    const restOldest = (maxStreams: number, isCounted: (stream: Stream) => boolean): void => {
      const [oldest, ...others] = [...streams].filter(isCounted);
      if (oldest && others.length + 1 >= maxStreams) rest(oldest);
    };
    restOldest(limits.perLogin, (stream) => stream.login === login);
    if (member !== undefined) restOldest(limits.perMember, (stream) => stream.member === member);
    const members = [...streams].filter((stream) => stream.member !== undefined);
    if (member !== undefined && members.length >= Math.floor(limits.inAll / 2)) return false;
    const [oldest] = members;
    if (member === undefined && oldest && streams.size >= limits.inAll) rest(oldest);
    return streams.size < limits.inAll;
  }

  /** Its events have no id, since none of them is sent again. */
  function watch(stream: Stream, { describe, session }: Watched): () => void {
    let told: Promise<void> = Promise.resolve();
    /** In their order, each once it is known that the conversation is still theirs. */
    const tell = (event: () => StreamEvent): void => {
      told = told
        .then(async () => {
          if (await maySee(stream)) stream.writer.write([event()]);
        })
        .catch((error: unknown) => log.warn({ err: error, session }, "a view of a turn could not be shown to a page"));
    };
    return parts.liveWatch.watch(session, {
      see: (view) => tell(() => ({ kind: "live", data: describe(view) })),
      end: (turn) => tell(() => ({ kind: "live-end", data: { session, turn } satisfies LiveEndEvent })),
    });
  }

  parts.onStop(() => {
    for (const { writer } of streams) writer.end();
  });

  return {
    async open({ after, drop, isOwn, login, member, watched }) {
      const known = readPlace(after);
      const isKept = known !== undefined && (await isKeptPlace(store.main, known));
      const place = isKept ? known : await findNewestPlace(store.main);
      if (!makePlace({ login, member })) return undefined;
      const ends: (() => void)[] = [];
      const writer = createEventWriter(limits.maxUnread, {
        overflow: drop,
        closed() {
          for (const end of ends) end();
          streams.delete(stream);
          if (streams.size > 0) return;
          stopTimers?.();
          stopTimers = undefined;
        },
      });
      const stream: Stream = { login, member, writer, isOwn, watched: watched?.session };
      streams.add(stream);
      stopTimers ??= startTimers();
      const hello: HelloEvent = { version: parts.version, now: clock.now() };
      writer.write([
        { kind: "hello", id: writePlace(place), data: hello },
        ...(after !== undefined && !isKept ? [{ kind: "reset", data: {} } as const] : []),
      ]);
      let told: Promise<void> = Promise.resolve();
      /** In their order, each once it is known whose it is. */
      const tellOwn = (changes: readonly PlacedChange[]): void => {
        told = told
          .then(async () => {
            const is = await isOwn?.();
            writer.write(listStale(changes.filter(({ session }) => session !== null && is?.(session) === true)));
          })
          .catch((error: unknown) => {
            log.warn({ err: error }, "a member's page is not told of changes; it will ask again");
            writer.end();
          });
      };
      const unfollow = follower.follow(
        place,
        (changes) => {
          if (isOwn) tellOwn(changes);
          else writer.write(listStale(changes));
          if (changes.some(({ topic }) => topic === "logins" || topic === "people")) logged(endWithoutRight)();
        },
        () => writer.end(),
      );
      ends.push(unfollow, ...(watched ? [watch(stream, watched)] : []));
      return writer.body;
    },
  };
}

/** Equal changes become one event, at the place of the last. */
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
