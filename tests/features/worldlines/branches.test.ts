import * as fc from "fast-check";
import { CompiledQuery, sql, type KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../../src/core/conversation.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { appendMessages, appendPoint, readWindow } from "../../../src/store/queries/messages.ts";
import { findWholeSession, startNewConversation, type WholeSession } from "../../../src/store/queries/sessions.ts";
import {
  enterBranch,
  findBranchNumber,
  forkBranch,
  listOtherBranches,
  listPoints,
} from "../../../src/features/worldlines/branches.ts";
import { listEngines } from "../../support/store-engines.ts";
import { addSession, createTestStore } from "../../support/test-store.ts";

/** Everything of a conversation as a person would draw it: each line is the whole list of its messages. */
interface Line {
  messages: string[];
  /** Places of the points in `messages`, since /new. */
  points: number[];
  start: number;
  /** How many of them were said before it branched off. */
  fork: number;
}

type Step =
  | { readonly kind: "say"; readonly replies: number }
  | { readonly kind: "note" }
  | { readonly kind: "dmail"; readonly point: number }
  | { readonly kind: "worldline"; readonly number: number }
  | { readonly kind: "new" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("say" as const), replies: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("note" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("dmail" as const), point: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("worldline" as const), number: fc.integer({ min: 1, max: 7 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("new" as const) }) },
);

const user = (text: string) => ({ role: "user", text, senderId: "a", senderName: "a" }) as const;
const note = (text: string): ConversationMessage => ({ role: "note", text });
const textsOf = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text);

async function read(store: Store, id: string): Promise<WholeSession> {
  const session = await findWholeSession(store.main, id);
  if (!session) throw new Error(`no session ${id}`);
  return session;
}

function agree<Value>(what: string, stored: Value, drawn: Value): void {
  if (stored !== drawn) throw new Error(`${what}: ${String(stored)} in the store, ${String(drawn)} in the drawing`);
}

/** Does a step in the store, as the commands do it, and in the drawing. */
async function take(store: Store, id: string, lines: Line[], current: number, given: Step, count: number) {
  const line = lines[current] as Line;
  const base = { session: id, turn: "t", taint: "owner", now: count } as const;
  switch (given.kind) {
    case "say": {
      const replies = Array.from({ length: given.replies }, (_, index) => `reply ${count}.${index}`);
      line.points.push(line.messages.push(`said ${count}`) - 1);
      line.messages.push(...replies);
      const at = await store.main
        .transaction()
        .execute((tx) => appendPoint(tx, { ...base, message: user(`said ${count}`) }));
      agree("start", at.startPosition, line.start);
      if (replies.length > 0) await appendMessages(store.main, { ...base, messages: replies.map(note) });
      return current;
    }
    case "note":
      line.messages.push(`note ${count}`);
      await appendMessages(store.main, { ...base, messages: [note(`note ${count}`)] });
      return current;
    case "new":
      line.start = line.messages.length;
      line.points = [];
      await startNewConversation(store.main, id);
      return current;
    case "dmail": {
      const session = await read(store, id);
      const [point, next] = await listPoints(store.main, session, given.point, given.point + 1);
      agree("no such point", point === undefined, given.point >= line.points.length);
      if (!point) return current;
      const position = next ? next.position - 1 : session.last_position;
      const number = await store.main
        .transaction()
        .execute((tx) => forkBranch(tx, id, { position, point: given.point, now: count }));
      const messages = line.messages.slice(0, line.points[given.point + 1] ?? line.messages.length);
      lines.push({ ...line, messages, points: line.points.slice(0, given.point + 1), fork: messages.length });
      agree("number", number, lines.length);
      return lines.length - 1;
    }
    case "worldline": {
      const entered = await store.main.transaction().execute((tx) => enterBranch(tx, id, given.number, count));
      agree("entered", entered, given.number <= lines.length);
      return entered ? given.number - 1 : current;
    }
  }
}

async function compare(store: Store, id: string, lines: readonly Line[], current: number): Promise<void> {
  const session = await read(store, id);
  const line = lines[current] as Line;
  expect(await findBranchNumber(store.main, session)).toBe(current + 1);
  expect([session.last_position, session.start_position]).toEqual([line.messages.length, line.start]);
  const all = line.messages.length;
  for (const [from, upTo] of [
    [0, all],
    [line.start, all],
    [Math.floor(all / 2), all],
    [Math.floor(all / 3), Math.ceil(all / 1.5)],
  ] as const) {
    expect(textsOf(await readWindow(store.main, id, { from, upTo }))).toEqual(line.messages.slice(from, upTo));
  }
  const points = await listPoints(store.main, session, 0, session.points - 1);
  expect(points.map(({ number, position, text }) => [number, position, text])).toEqual(
    line.points.map((place, number) => [number, place + 1, line.messages[place]]),
  );
  const others = await listOtherBranches(store.main, session, 100);
  expect(others.map(({ number, last }) => [number, last?.text])).toEqual(
    lines
      .map(({ messages, points: reached, fork }, index) => {
        const place = reached.at(-1) ?? -1;
        return [index + 1, place < fork ? undefined : messages[place]];
      })
      .filter(([number]) => number !== current + 1)
      .toReversed(),
  );
}

describe.each(listEngines())("on %s:", (engine) => {
  it("the store matches a model of the tree after any sequence of messages, /dmail, /worldline and /new", async () => {
    const store = await createTestStore(engine);
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        sessions += 1;
        const id = await addSession(store, `s${sessions}`);
        const lines: Line[] = [{ messages: [], points: [], start: 0, fork: 0 }];
        let current = 0;
        for (const [count, given] of steps.entries()) current = await take(store, id, lines, current, given, count);
        await compare(store, id, lines, current);
        // A parent is the message before, also across a fork.
        const rows = await store.main
          .selectFrom("messages")
          .select(["id", "parent", "content"])
          .where("session", "=", id)
          .execute();
        const byId = new Map(rows.map((row) => [row.id, row]));
        const walked: string[] = [];
        const words = (content: string) => (JSON.parse(content) as ConversationMessage).text;
        for (let at = byId.get((await read(store, id)).head ?? 0); at; at = byId.get(at.parent ?? 0))
          walked.push(words(at.content));
        expect(walked.toReversed()).toEqual(lines[current]?.messages);
      }),
      { numRuns: engine === "sqlite" ? 60 : 20 },
    );
  });

  it("both engines look up a window and the points of a long conversation by an index", async () => {
    const store = await createTestStore(engine);
    const id = await addSession(store, "long");
    const length = 20_000;
    await sql`
      insert into messages (session, branch, parent, position, point, turn, role, content, taint, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < cast(${length} as bigint))
      select ${id}, 'main', null, i, i - 1, 't', 'user', '{"role":"user","text":"x","senderId":"a","senderName":"a"}', 'owner', 0 from n`.execute(
      store.main,
    );
    await store.main
      .updateTable("sessions")
      .set({ last_position: length, points: length })
      .where("id", "=", id)
      .execute();
    const [first, second] = await listPoints(store.main, await read(store, id), length - 10, length - 9);
    expect([first?.position, second?.position]).toEqual([length - 9, length - 8]);
    await store.main
      .transaction()
      .execute((tx) => forkBranch(tx, id, { position: length - 9, point: length - 10, now: 0 }));
    await appendMessages(store.main, { session: id, turn: "t", taint: "owner", messages: [note("new")], now: 0 });
    if (engine === "postgres") await sql`analyze messages`.execute(store.main);
    const window = { from: length - 40, upTo: length - 8 };
    expect(await readWindow(store.main, id, window)).toHaveLength(32);
    const session = await read(store, id);
    const plan = await explain(store, (db) => readWindow(db, id, window));
    const points = await explain(store, async (db) => listPoints(db, session, length - 30, length - 11));
    expect(plan).toMatch(/messages_window/);
    expect(plan).toMatch(
      engine === "sqlite"
        ? /session=\? AND branch=\? AND position>\? AND position<\?/
        : /Index Cond: .*branch = line.branch.*position.* > /,
    );
    expect(points).toMatch(/messages_points/);
    expect(points).toMatch(
      engine === "sqlite" ? /branch=\? AND point>\? AND point<\?/ : /Index Cond: .*branch = line.branch.*point >= /,
    );
  });
});

/** The engine's plan of the last query that was made. */
async function explain(store: Store, query: (db: Store["main"]) => Promise<unknown>): Promise<string> {
  const seen: CompiledQuery[] = [];
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.push(store.main.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const watched = store.main.withPlugin(watch);
  // Statements that are compiled once are not built again.
  const db = new Proxy(watched, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key === "executeQuery") return (given: CompiledQuery) => (seen.push(given), target.executeQuery(given));
      return value.bind(target) as unknown;
    },
  });
  await query(db);
  const { sql: text, parameters } = seen.at(-1) as CompiledQuery;
  const command = store.engine === "sqlite" ? "explain query plan" : "explain";
  const { rows } = await store.main.executeQuery(CompiledQuery.raw(`${command} ${text}`, [...parameters]));
  return JSON.stringify(rows);
}
