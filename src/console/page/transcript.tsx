import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { MessagesView, MessageView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import { liveView } from "./live.ts";
import { LiveRow } from "./live-row.tsx";
import { MessageRow } from "./message-row.tsx";
import { createPageWindow, pageOf, pageSize } from "./page-window.ts";
import { go, pathTo, readValue } from "./router.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The guessed height of a page that was never shown. */
const usualHeight = 3_000;
/** The next page is read when the view is this near to the edge of the loaded ones. */
const ahead = 1_200;
const atEnd = 40;
const restMs = 250;
const aboveRow = 16;
/** How long an ended turn stays in view without a stored message; a stopped turn may leave none. */
const keptMs = 3_000;
/** A row of which less than this is in view does not count as the first one. */
const sliver = 20;

/** The conversation of any length: some pages of it, and empty space as high as the others. */
export function Transcript({
  session,
  total,
  words,
  time,
  her,
  you,
  version,
  children,
}: {
  readonly session: string;
  /** Messages on the current line. */
  readonly total: number;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly her: string;
  readonly you: string | undefined;
  /** Changes whenever a message may have been added. */
  readonly version: number;
  /** Shown below the last row. */
  readonly children?: ComponentChildren;
}) {
  const path = `/sessions/${encodeURIComponent(session)}` as const;
  const pages = useMemo(() => createPageWindow(path), [path]);
  const flow = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  /** Where the view stays when rows come or go: the end, or a row at its distance from the top. */
  const anchor = useRef<"end" | { readonly position: number; readonly top: number }>("end");
  const isAtEnd = useSignal(true);
  const found = useSignal<number | undefined>(undefined);
  const loaded = pages.loaded.value;

  async function open(): Promise<void> {
    const hit = readValue("hit");
    let at = Number(readValue("at")) || undefined;
    if (hit !== undefined) {
      const answer = await callServer<MessagesView>("GET", `${path}/messages?hit=${encodeURIComponent(hit)}`);
      at = answer.kind === "ok" ? answer.view.at : undefined;
      found.value = at;
    }
    const start = Math.max(aboveRow, (flow.current?.clientHeight ?? 0) / (hit === undefined ? 1_000 : 3));
    anchor.current = at === undefined ? "end" : { position: at, top: start };
    await pages.jump(at, total);
  }
  useEffect(() => void open(), [pages]);
  useEffect(() => void pages.follow(total), [total, version]);

  const guess = (page: number) => heights.current.get(page) ?? usualHeight;
  const sum = (from: number, to: number) => {
    let height = 0;
    for (let page = from; page < to; page += 1) height += guess(page);
    return height;
  };
  const high = loaded === undefined ? 0 : loaded.low + loaded.pages.length;
  const count = loaded === undefined || loaded.total === 0 ? 0 : pageOf(loaded.total) + 1;

  const rows = loaded?.pages.flatMap((page) => page.rows) ?? [];
  const live = useLiveTurn(session, high >= count, rows);

  useLayoutEffect(() => {
    if (flow.current !== null && anchor.current === "end") settle(flow.current);
  }, [live]);

  useLayoutEffect(() => {
    const box = flow.current;
    if (box === null || loaded === undefined) return;
    for (const page of box.querySelectorAll<HTMLElement>("[data-page]"))
      heights.current.set(Number(page.dataset["page"]), page.offsetHeight);
    settle(box);
    grow(box);
  }, [loaded]);

  // Cards, words that are on their way and pictures come and go without a page being read; the field below grows.
  useEffect(() => {
    const keepEnd = new ResizeObserver(() => {
      if (anchor.current === "end" && flow.current !== null) settle(flow.current);
    });
    for (const box of [flow.current, inner.current]) if (box !== null) keepEnd.observe(box);
    return () => keepEnd.disconnect();
  }, []);

  function settle(box: HTMLElement): void {
    const kept = anchor.current;
    if (kept === "end") return void (box.scrollTop = box.scrollHeight);
    const row = findRow(box, kept.position);
    if (row !== undefined)
      box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - kept.top;
  }

  /** Loads the next page when its edge is near; after a long leap, the pages around the new place. */
  function grow(box: HTMLElement): void {
    if (loaded === undefined) return;
    const top = sum(0, loaded.low);
    const bottom = box.scrollHeight - sum(high, count);
    if (box.scrollTop + box.clientHeight < top || box.scrollTop > bottom) return leap(box);
    if (box.scrollTop < top + ahead && loaded.low > 0) void pages.grow("up");
    else if (box.scrollTop + box.clientHeight > bottom - ahead && high < count) void pages.grow("down");
  }

  function leap(box: HTMLElement): void {
    if (loaded === undefined) return;
    let page = 0;
    for (let height = guess(0); height < box.scrollTop && page < count - 1; height += guess(page)) page += 1;
    const position = page * pageSize + pageSize / 2;
    anchor.current = { position, top: aboveRow };
    void pages.jump(position, loaded.total);
  }

  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  function scrolled(): void {
    const box = flow.current;
    if (box === null || loaded === undefined) return;
    isAtEnd.value = high >= count && box.scrollTop + box.clientHeight >= box.scrollHeight - atEnd;
    const row = isAtEnd.value ? undefined : findTopRow(box);
    if (isAtEnd.value) anchor.current = "end";
    else if (row !== undefined) anchor.current = row;
    grow(box);
    clearTimeout(rest.current);
    // A reload comes back to this place.
    rest.current = setTimeout(() => {
      const at = anchor.current === "end" ? undefined : String(anchor.current.position);
      go(pathTo(["chats", session], { at, turn: readValue("turn") }), "replace");
    }, restMs);
  }
  useEffect(() => () => clearTimeout(rest.current), []);

  function toNewest(): void {
    anchor.current = "end";
    if (loaded !== undefined && high < count) void pages.jump(undefined, loaded.total);
    else if (flow.current !== null) settle(flow.current);
  }

  const now = Date.now();
  const before = new Map(rows.map((row, at) => [row.id, rows[at - 1]]));
  return (
    <div class="window">
      <div
        class="flow"
        ref={flow}
        role="log"
        tabIndex={0}
        aria-label={words.chats.transcript}
        aria-live={isAtEnd.value ? "polite" : "off"}
        aria-busy={loaded === undefined || live !== undefined}
        onScroll={scrolled}
      >
        <div ref={inner}>
          {loaded === undefined && <p class="soft">{words.loading}</p>}
          {loaded !== undefined && rows.length === 0 && loaded.total === 0 && live === undefined && (
            <p class="empty">{you === undefined ? words.chats.noMessages : words.talk.hint}</p>
          )}
          {loaded !== undefined && (
            <>
              <div class="space" ref={(box) => setHeight(box, sum(0, loaded.low))} />
              {loaded.pages.map((page, at) => (
                <div key={loaded.low + at} class="page" data-page={loaded.low + at}>
                  {page.rows.map((row) => (
                    <MessageRow
                      key={row.id}
                      row={row}
                      before={before.get(row.id)}
                      isFound={row.position === found.value && row.id > 0}
                      isNew={
                        row.position > page.start &&
                        page.start > 0 &&
                        (before.get(row.id)?.position ?? row.position) <= page.start
                      }
                      session={session}
                      path={`${path}/messages/${row.position}`}
                      words={words}
                      time={time}
                      now={now}
                      her={her}
                      you={you}
                    />
                  ))}
                </div>
              ))}
              <div class="space" ref={(box) => setHeight(box, sum(high, count))} />
              {live !== undefined && (
                <LiveRow
                  view={live}
                  isStored={(call) => rows.some(({ steps }) => steps.some((step) => step.call === call))}
                  words={words}
                  her={her}
                />
              )}
              {children}
            </>
          )}
        </div>
      </div>
      {loaded?.isLost === true && (
        <p class="banner" role="status">
          {words.lost}
          <button class="link" type="button" onClick={() => void pages.jump(undefined, total)}>
            {words.retry}
          </button>
        </p>
      )}
      {loaded !== undefined && !isAtEnd.value && (
        <button class="btn sm newest" type="button" onClick={toNewest}>
          {words.chats.newest}
        </button>
      )}
    </div>
  );
}

/** The turn that runs there, until the message that it became is shown. */
function useLiveTurn(session: string, isEndShown: boolean, rows: readonly MessageView[]) {
  const view = liveView.value;
  const last = rows.at(-1)?.position ?? 0;
  /** Where the conversation ended when the turn did. */
  const end = useRef<{ readonly turn: string; readonly at: number }>(undefined);
  const turn = view?.isOver === true ? view.turn : undefined;
  if (turn === undefined) end.current = undefined;
  else if (end.current?.turn !== turn) end.current = { turn, at: last };
  const isOld = useSignal(false);
  useEffect(() => {
    isOld.value = false;
    if (turn === undefined) return undefined;
    const timer = setTimeout(() => (isOld.value = true), keptMs);
    return () => clearTimeout(timer);
  }, [turn]);
  const at = end.current?.at ?? Infinity;
  const isStored = rows.some((row) => row.position > at && row.turn === turn && row.who.kind !== "person");
  const isShown = view?.session === session && isEndShown && !(turn !== undefined && (isStored || isOld.value));
  return isShown ? view : undefined;
}

/** The style attribute is not allowed here; the property is. */
function setHeight(box: HTMLElement | null, height: number): void {
  if (box !== null) box.style.height = `${height}px`;
}

function findRow(box: HTMLElement, position: number): Element | undefined {
  const rows = [...box.querySelectorAll<HTMLElement>("[data-position]")];
  return rows.find((row) => Number(row.dataset["position"]) >= position) ?? rows.at(-1);
}

/** The first row that begins in view. */
function findTopRow(box: HTMLElement): { readonly position: number; readonly top: number } | undefined {
  const edge = box.getBoundingClientRect().top;
  for (const row of box.querySelectorAll<HTMLElement>("[data-position]")) {
    const { bottom, top } = row.getBoundingClientRect();
    if (bottom > edge + sliver) return { position: Number(row.dataset["position"]), top: top - edge };
  }
  return undefined;
}
