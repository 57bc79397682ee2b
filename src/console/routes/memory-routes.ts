import { z } from "zod";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ListedMemory, MemoryTrace, OwnerMemories } from "../../features/memory/owner-memories.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type {
  CorrectedView,
  ForgottenMemoryView,
  ForgottenView,
  MemoriesView,
  MemorySourcesView,
  MemoryView,
} from "../views/her-views.ts";
import { readPlace } from "./read-place.ts";

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

/** Her memories of people, and the owner's corrections. */
export function listMemoryRoutes({ memories, store }: MemoryParts): readonly Route[] {
  const db = store.main;
  /** No memory has the number 0. */
  const idOf = (context: ConsoleContext): number => Number(readPlace(context.req.param("id"))) || 0;
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

  async function describeTrace({ before, events, source }: MemoryTrace): Promise<MemorySourcesView> {
    const session = source?.session ?? undefined;
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
      role: "owner",
      async answer(context) {
        const person = context.req.param("id") ?? "";
        const words = (context.req.query("q") ?? "").trim().slice(0, maxWords);
        const before = readPlace(context.req.query("cursor"));
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
      role: "owner",
      async answer(context) {
        const trace = await memories.trace(idOf(context));
        return trace === undefined ? refuseUnknown(context) : context.json(await describeTrace(trace));
      },
    },
    {
      method: "PUT",
      path: "/memories/:id",
      role: "owner",
      async answer(context, login) {
        const given = change.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say pinned: true or false, or text: the right words.");
        const id = idOf(context);
        if ("pinned" in given.data) {
          const done = await memories.pin(id, given.data.pinned, login.id);
          return done === undefined ? refuseUnknown(context) : context.body(null, 204);
        }
        const end = await memories.correct(id, given.data.text, login.id);
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
      role: "owner",
      async answer(context, login) {
        const receipt = await memories.forget(idOf(context), login.id);
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
