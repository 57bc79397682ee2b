import type { PersonaRowView } from "../../../views/persona-views.ts";
import { pathTo } from "../../router.ts";
import type { PersonaWords } from "../../words/persona/zh.ts";

/** The personas there are, the open one marked. */
export function PersonaList({
  items,
  now,
  say,
}: {
  readonly items: readonly PersonaRowView[];
  /** The id of the open one. */
  readonly now: string | undefined;
  readonly say: PersonaWords;
}) {
  return (
    <nav class="her-people" aria-label={say.list}>
      <ul>
        {items.map(({ chatCount, faults, id, isUsual, name }) => (
          <li key={id}>
            <a href={pathTo(["her", "persona", id])} aria-current={id === now ? "page" : undefined}>
              {faults.length > 0 && <span class="dot failed" />}
              <span class="her-name">
                {name}
                {name !== id && <small>{id}</small>}
              </span>
              {faults.length > 0 && <span class="sr">{say.broken}</span>}
              {isUsual && <span class="chip acc">{say.usual}</span>}
              {chatCount > 0 && (
                <span class="her-count" title={say.count(chatCount)}>
                  {chatCount}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
