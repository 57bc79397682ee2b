import { useSignal } from "@preact/signals";
import type { PeopleView } from "../../views/her-views.ts";
import { namePlatform } from "../describe-question.ts";
import { pathTo, place } from "../router.ts";
import type { ReadView } from "../use-view.ts";
import { Empty } from "./empty.tsx";
import type { HerParts } from "./her-parts.ts";
import { PersonMemories } from "./person-memories.tsx";

/** The people, and what she remembers of one of them. */
export function Memory({ people, ...parts }: HerParts & { readonly people: ReadView<PeopleView> }) {
  const { say, words } = parts;
  const told = useSignal("");
  const list = people.view.value;
  if (list === undefined) return <p role="status">{people.isLost.value ? words.lost : words.loading}</p>;
  const wanted = place.value[2];
  const shown = wanted === undefined ? list.items[0] : list.items.find(({ id }) => id === wanted);
  return (
    <>
      <p role="status" class={told.value === "" ? "sr" : "her-told small soft"}>
        {told.value}
      </p>
      {shown === undefined ? (
        <section class="sheet" aria-label={say.people.title}>
          {list.items.length === 0 ? (
            <Empty title={say.people.none} how={say.people.noneHow} />
          ) : (
            <Empty title={say.people.gone} how={<a href={pathTo(["her", "memory"])}>{say.people.goneHow}</a>} />
          )}
        </section>
      ) : (
        <div class="sheet her-know">
          <nav class="her-people" aria-label={say.people.title}>
            <ul>
              {list.items.map(({ id, memories, name, platform }) => (
                <li key={id}>
                  <a href={pathTo(["her", "memory", id])} aria-current={id === shown.id ? "true" : undefined}>
                    <span class="her-name">
                      {name}
                      <small>{namePlatform(platform, words)}</small>
                    </span>
                    <span class="her-count">{memories}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <PersonMemories
            key={shown.id}
            {...parts}
            person={{
              kind: "other",
              id: shown.id,
              view: shown,
              onErased(words) {
                told.value = words;
                void people.read();
              },
            }}
            now={list.now}
          />
        </div>
      )}
    </>
  );
}
