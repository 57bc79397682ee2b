import { signal } from "@preact/signals";
import type { MeView } from "../views/sign-in-views.ts";
import type { BeatEvent, HelloEvent, LiveEndEvent, LiveEvent, StaleEvent } from "../views/stream-views.ts";
import { callServer } from "./call-server.ts";

/** Rows of a topic may have changed; `session` = only those of one conversation. */
interface Change {
  readonly topic: string;
  readonly session?: string;
}

/** `next` = when the next attempt begins; undefined = one is running. */
export type Connection =
  | { readonly kind: "live" }
  | { readonly kind: "connecting" }
  | { readonly kind: "lost"; readonly next: number | undefined };

/** Only while this is `live` is what the page shows current. */
export const connection = signal<Connection>({ kind: "connecting" });
/** The server has another version than when the page was loaded. */
export const isOutdated = signal(false);

/** The turn that runs in the watched conversation. `isOver` = what it said is stored in a moment. */
export const liveView = signal<(LiveEvent & { readonly isOver: boolean }) | undefined>(undefined);

interface Follower {
  readonly topics: readonly string[];
  /** Something changed; `undefined` = more than one kind of rows may have. */
  tell(change: Change | undefined): void;
  end(): void;
}

const batchMs = 100;
/** Longer than the time between two beats of the server. */
const silentMs = 20_000;
const helloMs = 10_000;
const pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000];

const followers = new Set<Follower>();
let ahead = 0;
let firstVersion: string | undefined;
let tryAgain: (() => void) | undefined;
let watched: string | undefined;
let lookElsewhere: (() => void) | undefined;

/** Shows the turns of that conversation while they run, in `liveView`. */
export function watchSession(session: string | undefined): void {
  if (watched === session) return;
  watched = session;
  liveView.value = undefined;
  lookElsewhere?.();
}

/** The server's time, to which deadlines refer. */
export const serverNow = (): number => Date.now() + ahead;

/** Connects at once instead of waiting for the next attempt. */
export const tryNow = (): void => tryAgain?.();

/** Calls back when something may have changed that the page shows, at most every `pauseMs`. Answers how to end it. */
export function followChanges(
  topics: readonly string[],
  changed: (change: Change | undefined) => void,
  pauseMs = batchMs,
): () => void {
  const follower = createFollower(topics, changed, pauseMs);
  followers.add(follower);
  return () => {
    followers.delete(follower);
    follower.end();
  };
}

/** Reports the first change at once, and those that follow within `pauseMs` together. */
function createFollower(
  topics: readonly string[],
  changed: (change: Change | undefined) => void,
  pauseMs: number,
): Follower {
  let waiting: readonly (Change | undefined)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function tellWaiting(): void {
    timer = undefined;
    const [first, ...others] = waiting;
    if (waiting.length === 0) return;
    waiting = [];
    timer = setTimeout(tellWaiting, pauseMs);
    changed(
      others.every((other) => other?.topic === first?.topic && other?.session === first?.session) ? first : undefined,
    );
  }
  return {
    topics,
    tell(change) {
      waiting = [...waiting, change];
      if (timer === undefined) tellWaiting();
    },
    end: () => clearTimeout(timer),
  };
}

function tellAll(): void {
  for (const follower of followers) follower.tell(undefined);
}

function tellTopic(change: Change): void {
  for (const follower of followers) if (follower.topics.includes(change.topic)) follower.tell(change);
}

/** Keeps one connection for events open; returns a function that ends it. `onSignedOut` = the login is no longer valid. */
export function stayConnected(onSignedOut: () => void): () => void {
  let source: EventSource | undefined;
  let heardAt = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let lastId = "";

  /** `goesOn` = the stream continues after the last event, so the page need not reload its data. */
  function open(goesOn = false): void {
    close();
    heardAt = Date.now();
    const query = new URLSearchParams({
      ...(watched !== undefined && { session: watched }),
      ...(goesOn && { after: lastId }),
    });
    const opened = new EventSource(query.size === 0 ? "/api/stream" : `/api/stream?${query.toString()}`);
    source = opened;
    const hear = (kind: string, then: (data: never) => void) =>
      opened.addEventListener(kind, (event: MessageEvent<string>) => {
        heardAt = Date.now();
        lastId = event.lastEventId;
        then(JSON.parse(event.data) as never);
      });
    hear("hello", ({ now, version }: HelloEvent) => {
      ahead = now - Date.now();
      firstVersion ??= version;
      isOutdated.value = version !== firstVersion;
      failures = 0;
      connection.value = { kind: "live" };
      watch();
      // Rows that were read before may have changed since.
      if (!goesOn) tellAll();
    });
    hear("beat", ({ now }: BeatEvent) => (ahead = now - Date.now()));
    hear("stale", ({ session, topic }: StaleEvent) => tellTopic({ topic, ...(session !== null && { session }) }));
    hear("health", () => tellTopic({ topic: "health" }));
    hear("reset", tellAll);
    hear("live", (view: LiveEvent) => {
      if (view.session === watched) liveView.value = { ...view, isOver: false };
    });
    hear("live-end", ({ turn }: LiveEndEvent) => {
      const now = liveView.value;
      if (now?.turn === turn) liveView.value = { ...now, isOver: true };
    });
    hear("rest", () => {
      close();
      connection.value = { kind: "connecting" };
    });
    opened.addEventListener("error", () => void fail(opened));
    timer = setTimeout(() => void fail(opened), helloMs);
  }

  function close(): void {
    clearTimeout(timer);
    timer = undefined;
    source?.close();
    source = undefined;
    liveView.value = undefined;
  }

  /** A silent connection counts as lost, even if the browser still reports it as open. */
  function watch(): void {
    clearTimeout(timer);
    timer = setTimeout(() => (isSilent() ? reopen() : watch()), Math.max(0, heardAt + silentMs - Date.now()) + 50);
  }
  const isSilent = (): boolean => Date.now() - heardAt >= silentMs;

  function reopen(): void {
    if (connection.value.kind === "live") connection.value = { kind: "connecting" };
    open();
  }

  async function fail(failed: EventSource): Promise<void> {
    if (source !== failed) return;
    close();
    const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
    failures += 1;
    connection.value = { kind: "lost", next: Date.now() + pauseMs };
    timer = setTimeout(tryOnce, pauseMs);
    // The browser does not say why it failed.
    const me = await callServer<MeView>("GET", "/me");
    if (!isOver && me.kind === "ok" && !me.view.authed) onSignedOut();
  }

  function tryOnce(): void {
    if (connection.value.kind === "lost") connection.value = { kind: "lost", next: undefined };
    open();
  }

  function look(): void {
    if (document.visibilityState !== "visible") return;
    if (source === undefined ? connection.value.kind === "connecting" : isSilent()) reopen();
    else if (source === undefined) tryOnce();
  }

  connection.value = { kind: "connecting" };
  tryAgain = tryOnce;
  lookElsewhere = () => {
    if (source !== undefined) open(connection.value.kind === "live" && lastId !== "");
  };
  open();
  document.addEventListener("visibilitychange", look);
  globalThis.addEventListener("focus", look);
  globalThis.addEventListener("online", look);
  return () => {
    isOver = true;
    tryAgain = undefined;
    lookElsewhere = undefined;
    close();
    document.removeEventListener("visibilitychange", look);
    globalThis.removeEventListener("focus", look);
    globalThis.removeEventListener("online", look);
  };
}
