import type { SessionView } from "../views/chats-views.ts";
import { pathTo } from "./router.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** A conversation in a list. */
export function SessionItem({
  item,
  now,
  chosen,
  words,
  time,
}: {
  readonly item: SessionView;
  readonly now: number;
  readonly chosen: string | undefined;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  const { lastAt, onlyHeard, open, speaker, words: said } = item;
  const line = speaker === undefined || said === "" ? said : words.chats.speaks(speaker, said);
  return (
    <li>
      <a href={pathTo(["chats", item.id])} aria-current={item.id === chosen ? "true" : undefined}>
        <span class="a">
          <b>{nameChat(item, words)}</b>
          {lastAt > 0 && <time dateTime={new Date(lastAt).toISOString()}>{time.brief(lastAt, now)}</time>}
        </span>
        <span class="b">
          <span>
            {onlyHeard === true ? words.chats.onlyHeard : item.state === "waits" ? words.chats.waitsFor(line) : line}
          </span>
          {open > 0 && (
            <span class="count" role="img" aria-label={words.waiting(open)}>
              {open}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

/** The name that people give a conversation. */
export function nameChat({ kind, name }: Pick<SessionView, "kind" | "name">, { chats }: PageWords): string {
  switch (kind) {
    case "terminal":
      return chats.terminal(name);
    case "api":
      return chats.api(name);
    case "console":
      return chats.own(name);
    case "private":
    case "group":
      return name;
  }
}
