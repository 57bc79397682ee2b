import type { FileView, MessageView } from "../views/chats-views.ts";
import { Blocks } from "./blocks.tsx";
import type { ShowTime } from "./show-time.ts";
import { Steps } from "./steps.tsx";
import type { PageWords } from "./words/zh.ts";

/** One message: a person's, hers with what she did, or a record of the gateway. */
export function MessageRow({
  row,
  before,
  isFound,
  isNew,
  path,
  words,
  time,
  now,
  her,
}: {
  readonly row: MessageView;
  /** The one above, where it is there. */
  readonly before: MessageView | undefined;
  readonly isFound: boolean;
  /** The first since /new. */
  readonly isNew: boolean;
  readonly path: `/${string}`;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly now: number;
  readonly her: string;
}) {
  const { at, blocks, cutFrom, files, position, sources, steps, who } = row;
  const say = words.chats;
  const isNewDay = before === undefined ? position === 1 : !time.isSameDay(before.at, at);
  const day = time.isSameDay(at, now) ? words.pages.today : time.day(at, now);
  return (
    <div class={`row ${isFound ? "found" : ""}`} data-position={position}>
      {isNewDay && (
        <div class="day">
          {day} {time.clock(at)}
        </div>
      )}
      {isNew && <div class="day">{say.newConversation}</div>}
      {who.kind === "notice" ? (
        <details class="notice">
          <summary>
            {say.record} <span>{time.clock(at)}</span>
          </summary>
          <Blocks blocks={blocks} />
        </details>
      ) : (
        <div class={`said ${who.kind === "person" ? "p" : ""}`}>
          {(blocks.length > 0 || files.length > 0) && (
            <span class="by">
              <b>{who.kind === "person" ? who.name : her}</b>
              <time dateTime={new Date(at).toISOString()}>{time.clock(at)}</time>
              {sources.length > 0 && (
                <span class="chip hold" title={sources.join(", ")}>
                  {say.outside}
                </span>
              )}
            </span>
          )}
          {blocks.length > 0 && <Blocks blocks={blocks} />}
          {cutFrom !== undefined && <p class="soft small">{say.longer(cutFrom)}</p>}
          {files.length > 0 && <Files files={files} />}
        </div>
      )}
      {steps.length > 0 && <Steps steps={steps} path={path} words={words} />}
    </div>
  );
}

function Files({ files }: { readonly files: readonly FileView[] }) {
  return (
    <ul class="given">
      {files.map(({ bytes, name, type }) => (
        <li class="chip" title={type}>
          {name}
          <span>{showSize(bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

function showSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`;
}
