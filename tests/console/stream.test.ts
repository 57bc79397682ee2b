import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";
import { pruneChanges } from "../../src/store/tables/change-tables.ts";
import { startConsoleServer, type ConsoleServer } from "../support/console/console-server.ts";
import { openStream, type OpenStream } from "../support/console/open-stream.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const kinds = ({ events }: OpenStream): readonly string[] => events.map(({ kind }) => kind);
const ids = ({ events }: OpenStream): readonly unknown[] =>
  events.filter(({ kind }) => kind === "stale").map(({ data }) => data["id"]);
const untilOver = (stream: OpenStream) => waitUntil("the end of the stream", stream.isOver);
const untilKind = (stream: OpenStream, kind: string) =>
  waitUntil(`the event ${kind}`, () => kinds(stream).includes(kind));

async function addChats({ store }: Pick<ConsoleServer, "store">, from: number, upTo: number): Promise<void> {
  for (let at = from; at < upTo; at += 1) await addSession(store, `chat${at}`);
}

describe.each(listEngines())("the stream of events on %s", (engine) => {
  it("none of 1,000 changes is lost, doubled or out of order, though the connection breaks and the process starts again in between", async () => {
    const store = await createTestStore(engine);
    const first = await startConsoleServer({ store });
    const cookie = await first.addLogin("owner");
    const before = await openStream(first, cookie);
    await untilKind(before, "hello");
    const adding = addChats(first, 0, 1_000);
    await waitUntil("a part of the changes", () => ids(before).length > 100);
    before.cut();
    const between = await openStream(first, cookie, before.lastId());
    await waitUntil("a second part", () => ids(between).length > 100);
    await first.stop();
    await untilOver(between);
    await adding;
    const second = await startConsoleServer({ store });
    const after = await openStream(second, cookie, between.lastId());
    const heard = () => [before, between, after].flatMap(ids);
    await waitUntil("the rest", () => heard().includes("chat999"));
    expect(heard()).toEqual(Array.from({ length: 1_000 }, (_, at) => `chat${at}`));
    expect([before, between, after].flatMap(kinds)).not.toContain("reset");
  });

  it("equal changes of one moment are told once", async () => {
    const store = await createTestStore(engine);
    const server = await startConsoleServer({ store });
    const stream = await openStream(server, await server.addLogin("owner"));
    await untilKind(stream, "hello");
    await store.main.transaction().execute(async (tx) => {
      for (const id of ["telegram:1", "telegram:2", "telegram:3"])
        await tx.insertInto("people").values({ id, name: "N", role: "member", created_at: 0 }).execute();
    });
    await untilKind(stream, "stale");
    await addSession(store, "s");
    await waitUntil("the last change", () => ids(stream).includes("s"));
    expect(stream.events.filter(({ kind }) => kind === "stale").map(({ data }) => data)).toEqual([
      { topic: "people", id: null, session: null },
      { topic: "sessions", id: "s", session: "s" },
    ]);
  });

  it("a browser that was away for longer than changes are kept is told to read everything anew, and so is one with a place of another database", async () => {
    const store = await createTestStore(engine);
    const server = await startConsoleServer({ store });
    const cookie = await server.addLogin("owner");
    const old = await openStream(server, cookie);
    await untilKind(old, "hello");
    await addChats(server, 0, 5);
    await pruneChanges(store.main, 2);
    for (const place of [old.events[0]?.id, "0-999999", "1 or 1=1"]) {
      const stream = await openStream(server, cookie, place);
      await untilKind(stream, "reset");
      await addSession(store, `after ${place}`);
      await waitUntil("what came after", () => ids(stream).includes(`after ${place}`));
      expect(kinds(stream).slice(0, 2)).toEqual(["hello", "reset"]);
    }
  });

  it("what another process writes is seen, too", async () => {
    const place = await createStorePlace(engine);
    const [store, other] = [await openTestStore(place), await openTestStore(place)];
    const server = await startConsoleServer({ store, streamLimits: { pollMs: 20 } });
    const stream = await openStream(server, await server.addLogin("owner"));
    await untilKind(stream, "hello");
    await other.main
      .insertInto("people")
      .values({ id: "telegram:1", name: "N", role: "owner", created_at: 0 })
      .execute();
    await untilKind(stream, "stale");
    expect(stream.events.at(-1)?.data).toMatchObject({ topic: "people" });
  });
});

describe("who may have a stream, and for how long", () => {
  it("the oldest of five pages of a browser is put to rest, and the others go on", async () => {
    const server = await startConsoleServer();
    const cookie = await server.addLogin("owner");
    const streams: OpenStream[] = [];
    for (let at = 0; at < 5; at += 1) streams.push(await openStream(server, cookie));
    const [oldest, ...others] = streams;
    if (!oldest) throw new Error("there is no stream");
    await untilOver(oldest);
    expect(kinds(oldest).at(-1)).toBe("rest");
    await addChats(server, 0, 1);
    for (const other of others) await untilKind(other, "stale");
    expect(others.map((other) => other.isOver())).toEqual([false, false, false, false]);
  });

  it("when all places are taken the next page is refused in words, and one that ends makes room", async () => {
    const server = await startConsoleServer({ streamLimits: { inAll: 2 } });
    const cookies = await Promise.all(["login_1", "login_2", "login_3"].map((id) => server.addLogin("owner", id)));
    const [first] = await Promise.all(cookies.slice(0, 2).map((cookie) => openStream(server, cookie)));
    const third = cookies[2] ?? "";
    const refused = await openStream(server, third);
    await untilOver(refused);
    expect([refused.status, JSON.parse(refused.text())]).toEqual([
      503,
      { code: "busy", message: "Too many pages are open. Close one of them." },
    ]);
    first?.cut();
    await waitUntil("room", async () => {
      const again = await openStream(server, third);
      return again.status === 200;
    });
  });

  it("one member has a share of the places, all members have half of them, and the owner has whichever they want", async () => {
    const server = await startConsoleServer({ streamLimits: { inAll: 6, perMember: 2 } });
    const enter = async (account?: string) => {
      const { code } =
        account === undefined ? server.makeCode() : await server.makeCodeFor({ account, role: "member" });
      return openStream(server, (await server.logIn({ code })).cookie ?? "");
    };
    const alices = [await enter("fake:alice"), await enter("fake:alice"), await enter("fake:alice")];
    const [oldest] = alices;
    if (!oldest) throw new Error("there is no stream");
    await untilOver(oldest);
    expect(kinds(oldest).at(-1)).toBe("rest");
    const bob = await enter("fake:bob");
    expect([bob.status, (await enter("fake:carol")).status]).toEqual([200, 503]);
    const owners: OpenStream[] = [];
    for (let at = 0; at < 6; at += 1) owners.push(await enter());
    for (const member of [...alices, bob]) await untilOver(member);
    expect(owners.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect([(await enter()).status, (await enter("fake:bob")).status]).toEqual([503, 503]);
  });

  it("a member who signs in an eleventh time is signed out where they came in first, and the owner nowhere", async () => {
    const server = await startConsoleServer();
    const cookies: string[] = [];
    const isIn = async (cookie = "") => (await server.ask({ path: "/api/logins", headers: { cookie } })).status === 200;
    const owner = await server.addLogin("owner");
    for (let at = 0; at < 11; at += 1) {
      const { code } = await server.makeCodeFor({ account: "fake:alice", role: "member" });
      cookies.push((await server.logIn({ code })).cookie ?? "");
      server.clock.advance(1_000);
    }
    expect(await Promise.all([...cookies.slice(0, 2), cookies.at(-1), owner].map(isIn))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.signed-out", person: "fake:alice", by: "limit" }),
    );
  });

  it("a browser that does not read is dropped once too much is unread, and others hear on", async () => {
    const store = await createTestStore();
    const server = await startConsoleServer({ store });
    const stalled = await openStream(server, await server.addLogin("owner", "login_1"));
    const reading = await openStream(server, await server.addLogin("owner", "login_2"));
    await untilKind(reading, "hello");
    stalled.stall();
    // More than the system keeps for a connection.
    for (let at = 0; at < 60; at += 1) {
      const topic = `wide${at}`;
      await sql`insert into changes (topic, id)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 20)
        select ${topic}, printf('%020000d', i) from n`.execute(store.main);
      await waitUntil("the change", () => reading.events.at(-1)?.data["topic"] === topic);
    }
    stalled.resume();
    await untilOver(stalled);
    expect(reading.isOver()).toBe(false);
  });

  it("signing out elsewhere ends the streams of that browser at once, and no others", async () => {
    const server = await startConsoleServer();
    const [own, other] = [await server.addLogin("owner", "login_own"), await server.addLogin("owner", "login_other")];
    const [mine, theirs] = [await openStream(server, own), await openStream(server, other)];
    await untilKind(theirs, "hello");
    const { status } = await server.ask({
      method: "DELETE",
      path: "/api/logins/login_other",
      headers: { cookie: own },
    });
    expect(status).toBe(204);
    await untilOver(theirs);
    await addChats(server, 0, 1);
    await untilKind(mine, "stale");
    expect(mine.isOver()).toBe(false);
  });

  it("a login that is too old ends its stream with the next beat", async () => {
    const server = await startConsoleServer({ streamLimits: { beatMs: 20 } });
    const stream = await openStream(server, await server.addLogin("owner"));
    await untilKind(stream, "beat");
    server.clock.advance(40 * 24 * 3_600_000);
    await untilOver(stream);
    expect(kinds(stream)[0]).toBe("hello");
  });

  it("a part that breaks is told, without what it says", async () => {
    const parts: { model: Readiness } = { model: { state: "ready", since: 0, detail: "" } };
    const server = await startConsoleServer({ readiness: async () => parts, streamLimits: { healthMs: 20 } });
    const stream = await openStream(server, await server.addLogin("owner"));
    await untilKind(stream, "hello");
    parts.model = { state: "failed", since: 0, detail: "no answer" };
    await untilKind(stream, "health");
    expect(kinds(stream)).toEqual(["hello", "health"]);
    expect(stream.events.at(-1)?.data).toEqual({});
  });

  it("the end of the server ends the streams, and it can stop", async () => {
    const server = await startConsoleServer();
    const stream = await openStream(server, await server.addLogin("owner"));
    await untilKind(stream, "hello");
    await server.stop();
    await untilOver(stream);
    expect(kinds(stream)).toEqual(["hello"]);
  });
});
