import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { HitsView, HitView, SessionsView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import { pathTo } from "./router.ts";
import { SessionItem } from "./session-item.tsx";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The search waits for this pause in the typing. */
const pauseMs = 250;

/** `text` = the words that were searched for. */
type Found =
  | { readonly kind: "lost"; readonly text: string }
  | { readonly kind: "found"; readonly text: string; readonly hits: HitsView; readonly chats: SessionsView };

/** The places where the words are found: names of conversations, and what was said. */
export function SearchResults({
  text,
  words,
  time,
  onSignedOut,
}: {
  readonly text: string;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}) {
  const found = useSignal<Found | undefined>(undefined);
  const asked = useRef(0);

  async function search(): Promise<void> {
    asked.current += 1;
    const mine = asked.current;
    const query = new URLSearchParams({ q: text }).toString();
    const [hits, chats] = await Promise.all([
      callServer<HitsView>("GET", `/search?${query}`),
      callServer<SessionsView>("GET", `/sessions?${query}`),
    ]);
    if (mine !== asked.current) return;
    if (hits.kind === "refused" && hits.status === 401) return onSignedOut();
    found.value =
      hits.kind === "ok" && chats.kind === "ok"
        ? { kind: "found", text, hits: hits.view, chats: chats.view }
        : { kind: "lost", text };
  }
  useEffect(() => {
    const timer = setTimeout(() => void search(), pauseMs);
    return () => {
      clearTimeout(timer);
      asked.current += 1;
    };
  }, [text]);

  const say = words.chats;
  const shown = found.value;
  const isOld = shown !== undefined && shown.text !== text;
  if (shown === undefined || (isOld && shown.kind === "lost")) return <p class="empty">{words.loading}</p>;
  if (shown.kind === "lost") return <p class="empty">{words.lost}</p>;
  const { chats, hits } = shown;
  const { searched } = hits;
  const isEmpty = hits.items.length === 0 && chats.items.length === 0;
  return (
    <div class={`results ${isOld ? "old" : ""}`} aria-live="polite" aria-busy={isOld}>
      {isOld && <p class="of small soft">{say.resultsOf(shown.text)}</p>}
      {isEmpty && (
        <div class="empty">
          <b>{say.nothing(searched.words.join(" "))}</b>
          <p>{say.searched(searched.chats, searched.since === undefined ? "" : time.day(searched.since, chats.now))}</p>
        </div>
      )}
      {chats.items.length > 0 && (
        <>
          <h2 class="group">{say.foundChats}</h2>
          <ul>
            {chats.items.map((item) => (
              <SessionItem key={item.id} item={item} now={chats.now} chosen={undefined} words={words} time={time} />
            ))}
          </ul>
        </>
      )}
      {hits.items.length > 0 && (
        <>
          <h2 class="group">{hits.by === "near" ? say.foundNear : say.foundWords}</h2>
          <ul>
            {hits.items.map((hit) => (
              <Hit key={hit.hit} hit={hit} words={words} at={time.brief(hit.at, chats.now)} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Hit({ hit, words, at }: { readonly hit: HitView; readonly words: PageWords; readonly at: string }) {
  const who = hit.who.kind === "her" ? words.her : hit.who.name;
  const inside = (
    <>
      <span class="a">
        <b>{hit.chat}</b>
        <time>{at}</time>
      </span>
      <span class="hit">
        {who}
        <i class="sep" />
        {markWords(hit)}
      </span>
    </>
  );
  return (
    <li>
      {hit.session === undefined ? (
        <div class="unlinked">{inside}</div>
      ) : (
        <a href={pathTo(["chats", hit.session], { hit: String(hit.hit) })}>{inside}</a>
      )}
    </li>
  );
}

function markWords({ marks, text }: Pick<HitView, "marks" | "text">): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    parts.push(text.slice(end, from), <mark>{text.slice(from, to)}</mark>);
    end = to;
  }
  return [...parts, text.slice(end)];
}
