import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { EraseAsOperator } from "../../features/erase/erase-as-operator.ts";
import { exportPerson } from "../../features/erase/export-person.ts";
import { listLogSenderNames } from "../../features/chatlog/queries/log-overview.ts";
import type { OwnerMemories } from "../../features/memory/owner-memories.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findNames } from "../../store/queries/people.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { maxName, toLine } from "../names/name-sessions.ts";
import type { ErasedView, PeopleView, PersonView } from "../views/her-views.ts";

export interface PeopleParts {
  readonly store: Store;
  readonly memories: Pick<OwnerMemories, "listPeople">;
  /** Answers once it is done. */
  readonly erasePerson: EraseAsOperator;
  readonly clock: Clock;
}

const maxPeople = 1_000;
const erasure = z.strictObject({ name: z.string().max(400) });

/** Lists the people she knows, and exports or erases the data of one of them. */
export function listPeopleRoutes({ clock, erasePerson, memories, store }: PeopleParts): readonly Route[] {
  const db = store.main;

  async function list(person?: string): Promise<readonly PersonView[]> {
    const people = await memories.listPeople({ max: maxPeople, person });
    const ids = people.map(({ person }) => person);
    const [admitted, senders] = await Promise.all([findNames(db, ids), listLogSenderNames(db, ids)]);
    return people.map(({ lastAt, memories: count, name, person }) => ({
      id: person,
      name: toLine(admitted.get(person) || name || senders.get(person) || person, maxName),
      platform: person.split(":")[0] ?? "",
      memories: count,
      lastAt,
    }));
  }

  /** Also one whom the list has no room for. */
  const find = async (context: ConsoleContext): Promise<PersonView | undefined> =>
    (await list(context.req.param("id") ?? "")).at(0);
  const refuseUnknown = (context: ConsoleContext) =>
    refuse(context, 404, "She knows no person with that account. Read the list again.");

  return [
    {
      method: "GET",
      path: "/people",
      role: "owner",
      answer: async (context) => context.json({ now: clock.now(), items: await list() } satisfies PeopleView),
    },
    {
      method: "POST",
      path: "/people/:id/export",
      role: "owner",
      async answer(context, login) {
        const person = await find(context);
        if (person === undefined) return refuseUnknown(context);
        const now = clock.now();
        const detail = { person: person.id, login: login.id };
        await appendAudit(db, { actor: consoleOwner, action: "person.exported", detail, now });
        const pieces = ReadableStream.from(exportPerson(store, person.id, now)).pipeThrough(new TextEncoderStream());
        return context.body(pieces, 200, {
          "Content-Type": "application/json; charset=utf-8",
          // No words of people are in the name.
          "Content-Disposition": 'attachment; filename="person.json"',
          "X-Content-Type-Options": "nosniff",
        });
      },
    },
    {
      method: "POST",
      path: "/people/:id/erase",
      role: "owner",
      async answer(context, login) {
        const person = await find(context);
        if (person === undefined) return refuseUnknown(context);
        const given = erasure.safeParse(await readJson(context));
        const name = given.data?.name.trim();
        if (name !== person.name && name !== person.id)
          return refuse(context, 400, `Type the name as it is shown, ${person.name}, or the account, ${person.id}.`);
        const detail = { person: person.id, login: login.id };
        await appendAudit(db, { actor: consoleOwner, action: "person.erasure-ordered", detail, now: clock.now() });
        const counts = await erasePerson(person.id, consoleOwner);
        return context.json({ counts } satisfies ErasedView);
      },
    },
  ];
}
