import { z } from "zod";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ListedMemory, MemoryActor, MemoryTrace, OwnerMemories } from "../../features/memory/owner-memories.ts";
import type { ConsoleLogin } from "../../store/queries/console-sessions.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { findOwnRows, isOwnAccount, isOwnSession, type OwnRows } from "../door/own-rows.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type {
  CorrectedView,
  ForgottenMemoryView,
  ForgottenView,
  MemoriesView,
  MemorySourcesView,
  MemoryView,
} from "../views/her-views.ts";
import { readRowNumber } from "./read-row-number.ts";

export interface MemoryParts {
  readonly store: Pick<Store, "main">;
  readonly memories: OwnerMemories;
}

const memoriesAtOnce = 50;
const maxWords = 500;
const maxSaid = 4_000;
const change = z.union([z.strictObject({ pinned: z.boolean() }), z.strictObject({ text: z.string() })]);
const refusals = {
  empty: "There are no words to remember.",
  "too-long": "It is too long: say it in one sentence of at most 500 characters.",
  "too-many": "She remembers as much of them as she can. Forget something first.",
  secret: "It looks like a password or a key, which she does not remember. Keep it in a password manager.",
} as const;

/** Her memories of people, and their corrections: of all people for an owner, of themself for a member. */
export function listMemoryRoutes({ memories, store }: MemoryParts): readonly Route[] {
  const db = store.main;
  /** No memory has the number 0. */
  const idOf = (context: ConsoleContext): number => Number(readRowNumber(context.req.param("id"))) || 0;
  const refuseUnknown = (context: ConsoleContext) =>
    refuse(context, 404, "She does not remember that any more. Read the list again.");

  async function nameChats(sessions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const known = await nameSessions(db, await findListedSessions(db, [...new Set(sessions)]));
    return new Map(sessions.map((session) => [session, known.get(session) ?? toLine(session, maxName)]));
  }

  async function describeAll(listed: readonly ListedMemory[]): Promise<MemoriesView["items"]> {
    const chats = await nameChats(listed.flatMap(({ memory: { place } }) => (place === "" ? [] : [place])));
    return listed.map((one) => describe(one, chats));
  }

  const findRows = (login: ConsoleLogin): Promise<OwnRows> => findOwnRows(db, login);

  function toActor({ id, person }: ConsoleLogin, rows: OwnRows): MemoryActor {
    return { login: id, ...(rows.kind === "own" && { own: { account: person, accounts: rows.accounts } }) };
  }

  async function describeTrace({ before, events, source }: MemoryTrace, rows: OwnRows): Promise<MemorySourcesView> {
    const said = source?.session ?? undefined;
    // A member cannot look into a group.
    const session = said !== undefined && isOwnSession(rows, said) ? said : undefined;
    const chats = await nameChats(session === undefined ? [] : [session]);
    return {
      ...(source && {
        said: {
          name: toLine(source.name, maxName),
          at: source.saidAt,
          text: makeVisible(source.text.slice(0, maxSaid).toWellFormed()),
          hit: source.log,
          ...(session !== undefined && { session, chat: chats.get(session) ?? "" }),
        },
      }),
      before: before.map(({ content, id, invalidAt, validFrom }) => ({
        id,
        text: makeVisible(content),
        until: invalidAt ?? validFrom,
      })),
      events: events.map(({ at, kind }) => ({ at, kind })),
    };
  }

  return [
    {
      method: "GET",
      path: "/people/:id/memories",
      role: "self",
      async answer(context, login) {
        const person = context.req.param("id") ?? "";
        if (!isOwnAccount(await findRows(login), person)) return refuse(context, 404, "There is no such person.");
        const words = (context.req.query("q") ?? "").trim().slice(0, maxWords);
        const before = readRowNumber(context.req.query("cursor"));
        if (before === "invalid") return refuse(context, 400, "The cursor is not one of ours.");
        if (words !== "") {
          const items = await describeAll(await memories.search(person, words, memoriesAtOnce));
          return context.json({ items } satisfies MemoriesView);
        }
        const found = await memories.list(person, { before, limit: memoriesAtOnce + 1 });
        const shown = found.slice(0, memoriesAtOnce);
        const last = shown.at(-1);
        const view: MemoriesView = {
          items: await describeAll(shown),
          ...(found.length > memoriesAtOnce && last && { next: String(last.memory.id) }),
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/memories/:id/sources",
      role: "self",
      async answer(context, login) {
        const rows = await findRows(login);
        const trace = await memories.trace(idOf(context), toActor(login, rows));
        return trace === undefined ? refuseUnknown(context) : context.json(await describeTrace(trace, rows));
      },
    },
    {
      method: "PUT",
      path: "/memories/:id",
      role: "self",
      async answer(context, login) {
        const given = change.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say pinned: true or false, or text: the right words.");
        const id = idOf(context);
        const by = toActor(login, await findRows(login));
        if ("pinned" in given.data) {
          const done = await memories.pin(id, given.data.pinned, by);
          return done === undefined ? refuseUnknown(context) : context.body(null, 204);
        }
        const end = await memories.correct(id, given.data.text, by);
        switch (end.kind) {
          case "corrected":
            return context.json({ id: end.id } satisfies CorrectedView);
          case "refused":
            return refuse(context, 400, refusals[end.why]);
          case "unknown":
            return refuseUnknown(context);
        }
      },
    },
    {
      method: "DELETE",
      path: "/memories/:id",
      role: "self",
      async answer(context, login) {
        const receipt = await memories.forget(idOf(context), toActor(login, await findRows(login)));
        if (receipt === undefined) return refuseUnknown(context);
        const stay = receipt.stay.map(({ content, id }) => ({ id, text: makeVisible(content) }));
        return context.json({ memories: receipt.memories, stay } satisfies ForgottenMemoryView);
      },
    },
  ];
}

function describe({ memory, replaced }: ListedMemory, chats: ReadonlyMap<string, string>): MemoryView | ForgottenView {
  const { accessCount, category, confidence, content, createdAt, id, lastAccessAt, origin, pinned, place } = memory;
  if (memory.state === "forgotten") return { id, isForgotten: true, at: createdAt };
  const [older] = replaced;
  return {
    id,
    category,
    text: makeVisible(content),
    at: memory.validFrom,
    origin,
    confidence,
    isPinned: pinned,
    isForeign: memory.taint === "untrusted",
    uses: accessCount,
    usedAt: lastAccessAt,
    ...(place !== "" && { chat: chats.get(place) ?? "" }),
    ...(older && { before: makeVisible(older.content) }),
  };
}
