import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { LogLevelName, LogLineView } from "../../views/system-views.ts";
import { connection, serverNow } from "../live.ts";
import { pathTo } from "../router.ts";
import type { ShowTime } from "../show-time.ts";
import { filterLines, useLogLines } from "./log-lines.ts";
import type { SystemPageParts } from "./system-parts.ts";

const levels = ["debug", "info", "warn", "error"] as const satisfies readonly LogLevelName[];
/** Points from the end within which it is followed. */
const nearEnd = 24;
/** The newest lines come first; the older ones are laid out for a reader who scrolls up. */
const maxFirst = 500;

/** The newest lines of the log. They are followed only while the end is in view. */
export function Log({ onSignedOut, say: { log: say }, time, words }: SystemPageParts) {
  const { isLost, lines } = useLogLines(onSignedOut);
  const level = useSignal<LogLevelName>("info");
  const part = useSignal("");
  const text = useSignal("");
  const box = useRef<HTMLOListElement>(null);
  const follows = useSignal(true);
  const seen = useSignal(0);
  const hasOlder = useSignal(false);
  /** The height of the lines below the reader's place. */
  const below = useRef(0);

  const shown = filterLines(lines.value, { level: level.value, part: part.value, text: text.value });
  const newest = shown.at(-1)?.number ?? 0;
  const fresh = follows.value ? 0 : shown.filter(({ number }) => number > seen.value).length;
  const showMinute = createShowMinute(time, serverNow());
  const parts = [...new Set(lines.value.flatMap((line) => line.part ?? []))].toSorted();

  function toEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight });
    follows.value = true;
  }
  useEffect(() => {
    if (follows.value) toEnd();
  }, [newest, level.value, part.value, text.value]);
  useLayoutEffect(() => {
    const list = box.current;
    // At the very top the reader wants the oldest line; elsewhere the place in the text is kept.
    if (hasOlder.value && list !== null && list.scrollTop > 0) list.scrollTop = list.scrollHeight - below.current;
  }, [hasOlder.value]);
  function look(): void {
    const list = box.current;
    if (list === null) return;
    const isAtEnd = list.scrollHeight - list.clientHeight - list.scrollTop < nearEnd;
    if (follows.value && !isAtEnd) seen.value = newest;
    follows.value = isAtEnd;
    if (isAtEnd || hasOlder.value) return;
    below.current = list.scrollHeight - list.scrollTop;
    hasOlder.value = true;
  }

  return (
    <section aria-label={say.title}>
      <div class="sys-filters">
        <span class="seg" role="group" aria-label={say.level}>
          {levels.map((one) => (
            <button key={one} type="button" aria-pressed={level.value === one} onClick={() => (level.value = one)}>
              {say.levels[one]}
            </button>
          ))}
        </span>
        <label>
          <span class="sr">{say.part}</span>
          <select value={part.value} onChange={({ currentTarget }) => (part.value = currentTarget.value)}>
            <option value="">{say.allParts}</option>
            {parts.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <input
          type="search"
          value={text.value}
          aria-label={say.find}
          placeholder={say.find}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </div>
      {(isLost.value || connection.value.kind !== "live") && lines.value.length > 0 && (
        <p class="small soft" role="status">
          {words.lost}
        </p>
      )}
      <div class="sys-log-frame">
        <ol class="sys-log sheet" ref={box} onScroll={look} tabIndex={0} aria-label={say.title}>
          {(hasOlder.value ? shown : shown.slice(-maxFirst)).map((line) => (
            <Line key={line.number} line={line} at={showMinute(line.at)} show={say.show} />
          ))}
        </ol>
        {fresh > 0 && (
          <button class="btn sm sys-fresh" type="button" onClick={toEnd}>
            {say.fresh(fresh)}
          </button>
        )}
      </div>
      {shown.length === 0 && <p class="small soft">{lines.value.length === 0 ? say.none : say.nothing}</p>}
    </section>
  );
}

function Line({ at, line, show }: { readonly line: LogLineView; readonly at: string; readonly show: string }) {
  return (
    <li class={line.level}>
      <span class="soft">{at}</span> <b>{line.level}</b>{" "}
      {line.part !== undefined && <span class="chip">{line.part}</span>} <span lang="en">{line.text}</span>
      {line.session !== undefined && (
        <>
          {" "}
          <a href={pathTo(["chats", line.session])}>{line.session}</a>
        </>
      )}
      {line.more !== undefined && <More text={line.more} show={show} />}
    </li>
  );
}

function More({ show, text }: { readonly text: string; readonly show: string }) {
  const isOpen = useSignal(false);
  return (
    <>
      {" "}
      <button class="link" type="button" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        {show}
      </button>
      {isOpen.value && <pre>{text}</pre>}
    </>
  );
}

/** Many lines are of one minute, and a time takes longer to write than the rest of its line. */
function createShowMinute(time: ShowTime, now: number): (at: number) => string {
  const known = new Map<number, string>();
  return (at) => {
    const minute = Math.floor(at / 60_000);
    const text = known.get(minute) ?? time.short(at, now);
    known.set(minute, text);
    return text;
  };
}
