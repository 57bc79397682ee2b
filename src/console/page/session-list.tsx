import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SessionsView, SessionView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import { followChanges } from "./live.ts";
import { SearchIcon } from "./icons.tsx";
import { SearchResults } from "./search-results.tsx";
import { SessionItem } from "./session-item.tsx";
import { readShortcut } from "./shortcuts.ts";
import type { ShowTime } from "./show-time.ts";
import { isMember } from "./viewer.ts";
import type { PageWords } from "./words/zh.ts";

const topics = ["messages", "turns", "sessions", "questions"];
/** The owner's default chat is listed first, even before it has a message. */
export const ownChat = "console:local:main";
const groups = ["waits", "working", "today", "earlier"] as const;

interface Listed extends Pick<SessionsView, "items" | "next" | "now"> {
  readonly platforms: readonly string[];
}

/** The conversations in groups, those that need an answer first, and the search above them. */
export function SessionList({
  words,
  time,
  chosen,
  onSignedOut,
}: {
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly chosen: string | undefined;
  readonly onSignedOut: () => void;
}) {
  const say = words.chats;
  const listed = useSignal<Listed | undefined>(undefined);
  const isLost = useSignal(false);
  const platform = useSignal("");
  const typed = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  const reads = useRef({ pages: 1, isReading: false, isDue: false }).current;

  async function read(): Promise<void> {
    if (reads.isReading) return void (reads.isDue = true);
    reads.isReading = true;
    do {
      reads.isDue = false;
      // One after the other: a change during one read is seen by the next.
      // oxlint-disable-next-line no-await-in-loop
      await readPages();
    } while (reads.isDue);
    reads.isReading = false;
  }

  /** Every page that is shown: a conversation may have gone from any of them. */
  async function readPages(): Promise<void> {
    const chosenPlatform = platform.value;
    let read: Listed | undefined;
    for (let page = 0; page < reads.pages; page += 1) {
      const query = new URLSearchParams({
        ...(chosenPlatform !== "" && { platform: chosenPlatform }),
        ...(read?.next !== undefined && { cursor: read.next }),
      });
      // oxlint-disable-next-line no-await-in-loop
      const answer = await callServer<SessionsView>("GET", `/sessions?${query.toString()}`);
      if (platform.value !== chosenPlatform) return;
      if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
      isLost.value = answer.kind !== "ok";
      if (answer.kind !== "ok") return;
      read = joinPages(read, answer.view);
      if (read.next === undefined) reads.pages = page + 1;
    }
    listed.value = read;
  }

  function readMore(): void {
    reads.pages += 1;
    void read();
  }

  useEffect(() => {
    void read();
    return followChanges(topics, () => void read());
  }, []);

  useEffect(() => {
    function focus(event: KeyboardEvent): void {
      if (readShortcut(event) !== "/") return;
      event.preventDefault();
      field.current?.focus();
    }
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);

  function choosePlatform(name: string): void {
    platform.value = name;
    reads.pages = 1;
    listed.value = listed.value && { ...listed.value, items: [] };
    void read();
  }

  const shown = listed.value;
  const search = isMember.value ? words.member.search : say.search;
  const names: Readonly<Record<string, string>> = words.parts;
  return (
    <aside class="chats" aria-label={say.list}>
      <label class="find">
        <SearchIcon />
        <span class="sr">{search}</span>
        <input
          ref={field}
          type="search"
          placeholder={search}
          maxLength={200}
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === "Escape") typed.value = "";
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {typed.value.trim() !== "" ? (
        <SearchResults text={typed.value.trim()} words={words} time={time} onSignedOut={onSignedOut} />
      ) : (
        <>
          {(shown?.platforms.length ?? 0) > 1 && (
            <label class="filter">
              <span class="sr">{say.platform}</span>
              <select value={platform.value} onChange={({ currentTarget }) => choosePlatform(currentTarget.value)}>
                <option value="">{say.everywhere}</option>
                {shown?.platforms.map((name) => (
                  <option key={name} value={name}>
                    {names[name] ?? name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <div role="status">
            {isLost.value && (
              <p class="banner">
                {words.lost}
                <button class="link" type="button" onClick={() => void read()}>
                  {words.retry}
                </button>
              </p>
            )}
          </div>
          {shown === undefined && !isLost.value && <p class="empty">{words.loading}</p>}
          {shown !== undefined && !isMember.value && (platform.value === "" || platform.value === "console") && (
            <ul class="own">
              <SessionItem
                item={shown.items.find(({ id }) => id === ownChat) ?? describeOwn(words.talk.hint)}
                now={shown.now}
                chosen={chosen}
                words={words}
                time={time}
              />
            </ul>
          )}
          {shown?.items.length === 0 && <p class="empty">{isMember.value ? words.member.nothingSaid : say.nobody}</p>}
          {shown !== undefined &&
            groups.map((group) => (
              <Group
                key={group}
                title={say.groups[group]}
                items={shown.items.filter(
                  (item) => item.id !== ownChat && chooseGroup(item, shown.now, time) === group,
                )}
                now={shown.now}
                chosen={chosen}
                words={words}
                time={time}
              />
            ))}
          {shown?.next !== undefined && (
            <button class="btn sm more" type="button" onClick={readMore}>
              {say.more}
            </button>
          )}
        </>
      )}
    </aside>
  );
}

function joinPages(before: Listed | undefined, { items, next, now, platforms }: SessionsView): Listed {
  const known = new Set(before?.items.map(({ id }) => id));
  return {
    // A conversation that got a message between two reads is on two pages.
    items: [...(before?.items ?? []), ...items.filter(({ id }) => !known.has(id))],
    now,
    platforms: platforms ?? before?.platforms ?? [],
    ...(next !== undefined && { next }),
  };
}

const describeOwn = (hint: string): SessionView => ({
  id: ownChat,
  name: "main",
  platform: "console",
  kind: "console",
  lastAt: 0,
  words: hint,
  state: "none",
  open: 0,
});

function chooseGroup({ lastAt, state }: SessionView, now: number, time: ShowTime): (typeof groups)[number] {
  if (state !== "none") return state;
  return time.isSameDay(lastAt, now) ? "today" : "earlier";
}

function Group({
  title,
  items,
  ...rest
}: {
  readonly title: string;
  readonly items: readonly SessionView[];
  readonly now: number;
  readonly chosen: string | undefined;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  if (items.length === 0) return null;
  return (
    <>
      <h2 class="group">{title}</h2>
      <ul>
        {items.map((item) => (
          <SessionItem key={item.id} item={item} {...rest} />
        ))}
      </ul>
    </>
  );
}
