import type { MemorySourcesView } from "../../views/her-views.ts";
import { pathTo } from "../router.ts";
import { useView } from "../use-view.ts";
import type { HerParts } from "./her-parts.ts";

/** The words that a memory is from, and what became of it. */
export function MemorySources({
  now,
  onSignedOut,
  path,
  say: { sources: say },
  time,
  words,
}: HerParts & { readonly path: `/${string}`; readonly now: number }) {
  const { isLost, view } = useView<MemorySourcesView>(path, ["memories"], onSignedOut, 1_000);
  if (view.value === undefined)
    return (
      <p class="her-step small" role="status">
        {isLost.value ? words.lost : words.loading}
      </p>
    );
  const { before, events, said } = view.value;
  return (
    <div class="her-step">
      {said === undefined ? (
        <p class="small soft">{say.none}</p>
      ) : (
        <figure>
          <blockquote>{said.text}</blockquote>
          <figcaption class="small soft">
            {say.said(said.name, time.long(said.at))}
            {said.session !== undefined && (
              <>
                <i class="sep" />
                <a href={pathTo(["chats", said.session], { hit: String(said.hit) })}>
                  {say.look}: {said.chat}
                </a>
              </>
            )}
          </figcaption>
        </figure>
      )}
      {before.map(({ id, text, until }) => (
        <p key={id} class="small soft">
          {say.before(time.day(until, now))} {text}
        </p>
      ))}
      <p class="small soft">
        {events.map(({ at, kind }, index) => (
          <span key={`${at} ${kind}`}>
            {index > 0 && <i class="sep" />}
            {say.events[kind]} {time.short(at, now)}
          </span>
        ))}
      </p>
    </div>
  );
}
