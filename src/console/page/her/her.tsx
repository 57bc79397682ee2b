import { useEffect } from "preact/hooks";
import type { PeopleView, RemindersView } from "../../views/her-views.ts";
import { pathTo, place } from "../router.ts";
import { Tabs } from "../tabs.tsx";
import { useView } from "../use-view.ts";
import type { HerParts } from "./her-parts.ts";
import { Memory } from "./memory.tsx";
import { Persona } from "./persona/persona.tsx";
import { Reminders } from "./reminders.tsx";

const names = ["persona", "memory", "reminders"] as const;

/** Her persona, her memories of people, and the reminders that wait. */
export function Her(parts: HerParts) {
  const { onSignedOut, say, words } = parts;
  const now = names.find((name) => name === place.value[1]) ?? "persona";
  const people = useView<PeopleView>("/people", ["memories", "people"], onSignedOut, 1_000);
  const reminders = useView<RemindersView>("/reminders", ["reminders"], onSignedOut, 1_000);
  useEffect(() => {
    document.title = `${say.tabs[now]} · Kurisu`;
  }, [now]);
  const counts: Readonly<Partial<Record<(typeof names)[number], number | undefined>>> = {
    memory: people.view.value?.items.reduce((sum, { memories }) => sum + memories, 0),
    reminders: reminders.view.value?.items.length,
  };
  return (
    <div class="her">
      <h1>{say.title}</h1>
      <Tabs
        label={words.pages.her}
        now={now}
        tabs={names.map((name) => ({
          name,
          title: say.tabs[name],
          path: pathTo(["her", name]),
          note: <span>{counts[name]}</span>,
        }))}
      />
      {now === "persona" && <Persona {...parts} />}
      {now === "memory" && <Memory {...parts} people={people} />}
      {now === "reminders" && <Reminders {...parts} reminders={reminders} />}
    </div>
  );
}
