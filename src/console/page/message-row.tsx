import type { FileView, MessageView } from "../views/chats-views.ts";
import { Blocks } from "./blocks.tsx";
import type { ShowTime } from "./show-time.ts";
import { showSize } from "./show-size.ts";
import { Steps } from "./steps.tsx";
import { TurnLink } from "./turn-link.tsx";
import type { PageWords } from "./words/zh.ts";

/** One message: a person's, hers with what she did, or a record of the gateway. */
export function MessageRow({
  row,
  before,
  isFound,
  isNew,
  session,
  path,
  words,
  time,
  now,
  her,
  you,
}: {
  readonly row: MessageView;
  /** The row above, if it is loaded. */
  readonly before: MessageView | undefined;
  readonly isFound: boolean;
  /** The first since /new. */
  readonly isNew: boolean;
  readonly session: string;
  readonly path: `/${string}`;
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly now: number;
  readonly her: string;
  /** The name to show for people, where the reader is the one who writes. */
  readonly you: string | undefined;
}) {
  const { at, blocks, cutFrom, files, isWaiting, position, sources, steps, turn, who } = row;
  const say = words.chats;
  const when = <time dateTime={new Date(at).toISOString()}>{time.clock(at)}</time>;
  const isNewDay = before === undefined ? position <= 1 : !time.isSameDay(before.at, at);
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
              <b>{who.kind === "person" ? (you ?? who.name) : her}</b>
              {turn === null ? (
                when
              ) : (
                <TurnLink class="when" session={session} turn={turn} label={words.round.open(time.clock(at))}>
                  {when}
                </TurnLink>
              )}
              {isWaiting === true && words.talk.waiting}
              {sources.length > 0 && (
                <span class="chip hold" title={sources.join(", ")}>
                  {say.outside}
                </span>
              )}
            </span>
          )}
          {blocks.length > 0 && <Blocks blocks={blocks} />}
          {cutFrom !== undefined && <p class="soft small">{say.longer(cutFrom)}</p>}
          {files.length > 0 && <Files files={files} words={words} />}
        </div>
      )}
      {steps.length > 0 && <Steps steps={steps} session={session} turn={turn} path={path} words={words} />}
    </div>
  );
}

/** Shows pictures that can be fetched, and links to other files that can be. */
function Files({ files, words }: { readonly files: readonly FileView[]; readonly words: PageWords }) {
  const isPicture = ({ id, type }: FileView) => id !== undefined && pictures.has(type);
  const others = files.filter((file) => !isPicture(file));
  return (
    <>
      {files.filter(isPicture).map(({ bytes, id = "", name }) => (
        <figure key={id} class="shot">
          <img src={pathOf(id)} alt={name} loading="lazy" />
          <figcaption>
            <span>{name}</span>
            <span>
              {showSize(bytes)}
              <i class="sep" />
              <a href={pathOf(id)} download={name}>
                {words.talk.save}
              </a>
            </span>
          </figcaption>
        </figure>
      ))}
      {others.length > 0 && (
        <ul class="given">
          {others.map(({ bytes, id, name, type }, at) => (
            <li key={id ?? at} class="chip" title={type}>
              {id === undefined ? (
                name
              ) : (
                <a href={pathOf(id)} download={name}>
                  {name}
                </a>
              )}
              <span>{showSize(bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const pathOf = (id: string): string => `/api/files/${encodeURIComponent(id)}`;
