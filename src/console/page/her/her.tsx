import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PeopleView, RemindersView } from "../../views/her-views.ts";
import { pathTo, place } from "../router.ts";
import { Tabs } from "../tabs.tsx";
import { useView } from "../use-view.ts";
import type { HerParts } from "./her-parts.ts";
import { isMember } from "../viewer.ts";
import { Memory } from "./memory.tsx";
import { OwnMemory } from "./own-memory.tsx";
import { Persona } from "./persona/persona.tsx";
import { Reminders } from "./reminders.tsx";

const names = ["persona", "memory", "reminders"] as const;
type TabName = (typeof names)[number];

/** Her persona, her memories of people, and the reminders that wait. A member has their own of the last two. */
export const Her = (parts: HerParts) => (isMember.value ? <OwnPage {...parts} /> : <OwnersPage {...parts} />);

function OwnPage(parts: HerParts) {
  const { onSignedOut } = parts;
  const reminders = useView<RemindersView>("/reminders", ["reminders"], onSignedOut, 1_000);
  const counts = { memory: undefined, reminders: reminders.view.value?.items.length };
  return (
    <Whole {...parts} tabs={["memory", "reminders"]} counts={counts}>
      {(now) => (now === "reminders" ? <Reminders {...parts} reminders={reminders} /> : <OwnMemory {...parts} />)}
    </Whole>
  );
}

function OwnersPage(parts: HerParts) {
  const { onSignedOut } = parts;
  const people = useView<PeopleView>("/people", ["memories", "people"], onSignedOut, 1_000);
  const reminders = useView<RemindersView>("/reminders", ["reminders"], onSignedOut, 1_000);
  const counts = {
    memory: people.view.value?.items.reduce((sum, { memories }) => sum + memories, 0),
    reminders: reminders.view.value?.items.length,
  };
  return (
    <Whole {...parts} tabs={names} counts={counts}>
      {(now) => (
        <>
          {now === "persona" && <Persona {...parts} />}
          {now === "memory" && <Memory {...parts} people={people} />}
          {now === "reminders" && <Reminders {...parts} reminders={reminders} />}
        </>
      )}
    </Whole>
  );
}

function Whole({
  children,
  counts,
  say,
  tabs,
  words,
}: HerParts & {
  /** The first is shown where the address names none. */
  readonly tabs: readonly [TabName, ...TabName[]];
  readonly counts: Readonly<Partial<Record<TabName, number | undefined>>>;
  readonly children: (now: TabName) => ComponentChildren;
}) {
  const now = tabs.find((name) => name === place.value[1]) ?? tabs[0];
  useEffect(() => {
    document.title = `${say.tabs[now]} · Kurisu`;
  }, [now]);
  return (
    <div class="her">
      <h1>{say.title}</h1>
      <Tabs
        label={words.pages.her}
        now={now}
        tabs={tabs.map((name) => ({
          name,
          title: say.tabs[name],
          path: pathTo(["her", name]),
          note: <span>{counts[name]}</span>,
        }))}
      />
      {children(now)}
    </div>
  );
}
