import { useSignal } from "@preact/signals";
import { namePlatform } from "../describe-question.ts";
import { pathTo, place } from "../router.ts";
import { Empty } from "./empty.tsx";
import type { HerParts, PeopleRead } from "./her-parts.ts";
import { PersonMemories } from "./person-memories.tsx";

/** The people, and what she remembers of one of them. */
export function Memory({ people, ...parts }: HerParts & { readonly people: PeopleRead }) {
  const { say, words } = parts;
  const told = useSignal("");
  const list = people.view.value;
  if (list === undefined) return <p role="status">{people.isLost.value ? words.lost : words.loading}</p>;
  const shown = list.items.find(({ id }) => id === place.value[2]) ?? list.items[0];
  return (
    <>
      <p role="status" class={told.value === "" ? "sr" : "her-told small soft"}>
        {told.value}
      </p>
      {shown === undefined ? (
        <section class="sheet" aria-label={say.people.title}>
          <Empty title={say.people.none} how={say.people.noneHow} />
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
            person={shown}
            now={list.now}
            onErased={(words) => {
              told.value = words;
              void people.read();
            }}
          />
        </div>
      )}
    </>
  );
}
