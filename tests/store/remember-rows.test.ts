import type { Kysely } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { saveLink, findStanding } from "../../src/store/queries/account-links.ts";
import { findSession, setSessionMode } from "../../src/store/queries/sessions.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { rememberRows } from "../../src/store/statements/remember-rows.ts";
import { TableWrites } from "../../src/store/statements/table-writes.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

describe.each(listEngines())("rows that are kept in memory, on %s:", (engine) => {
  /** On Postgres other processes may write at any time. */
  const isKept = engine === "sqlite";
  let store: Store;
  let reads: number;
  let findRole: (db: Kysely<Database>, given: { readonly id: string }) => Promise<readonly { readonly role: string }[]>;

  beforeEach(async () => {
    store = await createTestStore(engine);
    reads = 0;
    findRole = rememberRows((db, { id }: { readonly id: string }) => {
      reads += 1;
      return db.selectFrom("people").select("role").where("id", "=", id);
    });
  });

  const save = (db: Kysely<Database>, id: string, role: string) =>
    db
      .insertInto("people")
      .values({ id, name: id, role, created_at: 0 })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ role }))
      .execute();
  const roleOf = async (id: string, db: Kysely<Database> = store.main) => (await findRole(db, { id }))[0]?.role;

  it("reads the store once for each value until the table is written", async () => {
    await save(store.main, "a", "member");
    expect([await roleOf("a"), await roleOf("a"), await roleOf("b"), await roleOf("b")]).toEqual([
      "member",
      "member",
      undefined,
      undefined,
    ]);
    expect(reads).toBe(isKept ? 2 : 4);
    await save(store.main, "b", "owner");
    expect([await roleOf("a"), await roleOf("b")]).toEqual(["member", "owner"]);
    expect(reads).toBe(isKept ? 4 : 6);
  });

  it.each(["insert", "update", "delete"])("sees an %s that a transaction committed", async (kind) => {
    if (kind !== "insert") await save(store.main, "a", "member");
    await roleOf("a");
    await store.main.transaction().execute(async (tx) => {
      if (kind === "delete") await tx.deleteFrom("people").where("id", "=", "a").execute();
      else if (kind === "update") await tx.updateTable("people").set({ role: "owner" }).where("id", "=", "a").execute();
      else await save(tx, "a", "owner");
    });
    expect(await roleOf("a")).toBe(kind === "delete" ? undefined : "owner");
  });

  it("reads the store inside a transaction that wrote the table, and outside of it what is committed", async () => {
    await save(store.main, "a", "member");
    await roleOf("a");
    await store.main.transaction().execute(async (tx) => {
      await save(tx, "a", "owner");
      expect(await roleOf("a", tx)).toBe("owner");
      expect(await roleOf("a")).toBe("member");
    });
    expect(await roleOf("a")).toBe("owner");
  });

  it("keeps nothing of a transaction that is rolled back", async () => {
    await save(store.main, "a", "member");
    const undone = store.main.transaction().execute(async (tx) => {
      await save(tx, "a", "owner");
      expect(await roleOf("a", tx)).toBe("owner");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await roleOf("a")).toBe("member");
  });

  it("a read beside a writer that is not done is not kept", async () => {
    await save(store.main, "a", "member");
    const written = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writing = store.main.transaction().execute(async (tx) => {
      await save(tx, "a", "owner");
      written.resolve();
      await goOn.promise;
    });
    await written.promise;
    const seen = await roleOf("a");
    goOn.resolve();
    await writing;
    expect([seen, await roleOf("a")]).toEqual(["member", "owner"]);
  });

  it("sees a write to any of the tables that it joins", async () => {
    expect(await findStanding(store.main, "a")).toEqual({ role: undefined, human: undefined });
    await save(store.main, "a", "member");
    expect(await findStanding(store.main, "a")).toEqual({ role: "member", human: undefined });
    await saveLink(store.main, { account: "a", human: "h", acts: true, now: 1 });
    expect(await findStanding(store.main, "a")).toEqual({ role: "member", human: "h" });
  });

  it("keeps a session's settings while messages move its end, and not beyond a change of them", async () => {
    expect(await findSession(store.main, "s")).toBeUndefined();
    await addSession(store, "s");
    const before = await findSession(store.main, "s");
    expect(before).toMatchObject({ id: "s", mode: null });
    const append = (tx: Kysely<Database>) =>
      appendMessages(tx, {
        session: "s",
        turn: "t",
        taint: "owner",
        messages: [{ role: "note", text: "said" }],
        now: 1,
      });
    await store.main.transaction().execute(append);
    // The same object: it was not read again.
    const after = await findSession(store.main, "s");
    expect(after).toEqual(before);
    expect(after === before).toBe(isKept);
    await setSessionMode(store.main, "s", "plan");
    expect(await findSession(store.main, "s")).toMatchObject({ mode: "plan" });
    await store.main
      .deleteFrom("sessions")
      .where("id", "=", "s")
      .execute()
      .catch(() => undefined);
    const rows = await store.main.selectFrom("sessions").select("id").where("id", "=", "s").execute();
    expect((await findSession(store.main, "s")) === undefined).toBe(rows.length === 0);
  });

  it("a statement that the database refused leaves its table as it was", async () => {
    await save(store.main, "a", "member");
    const refused = store.main.insertInto("people").values({ id: "a", name: "a", role: "owner", created_at: 0 });
    await expect(refused.execute()).rejects.toThrow(/unique/i);
    expect([await roleOf("a"), await roleOf("a"), reads]).toEqual(["member", "member", isKept ? 1 : 2]);
  });

  it("refuses a read whose tables it cannot find", async () => {
    const comma = rememberRows((db) => db.selectFrom(["people", "account_links"]).select("people.id"));
    const named = rememberRows((db) => db.selectFrom(["people as p", "account_links as l"]).select("p.id"));
    for (const read of [comma, named]) await expect(read(store.main, {})).rejects.toThrow("joins its tables by JOIN");
  });
});

it.each<readonly [sql: string, places: readonly string[]]>([
  [`select "updated_at" from "people" where "id" = ?`, []],
  [`insert into "people" ("id") values (?)`, ["people"]],
  [`insert into"people"("id") values (?)`, ["people"]],
  [`insert into "people" ("id") values (?) on conflict ("id") do update set "role" = ?`, ["people", "people.role"]],
  [`insert or replace into people (id) values (?)`, ["people", "people.*"]],
  [`replace into people (id) values (?)`, ["people", "people.*"]],
  [`update "people" set "role" = ?, "name" = ? where "id" = ?`, ["people", "people.role", "people.name", "people.id"]],
  [`update people set role = ? where "id" = ?`, ["people", "people.*"]],
  [`update "people" set "role" = ?, name = ? where "id" = ?`, ["people", "people.*"]],
  [`update "people" set ("role", "name") = (?, ?)`, ["people", "people.*"]],
  [`update only "public"."people" set "role" = ?`, ["people", "people.role"]],
  [`delete from "people" where "id" = ?`, ["people", "people.*"]],
  [`truncate table people`, ["people", "people.*"]],
  [`with gone as (delete from votes where id = ?) delete from people`, ["votes", "votes.*", "people", "people.*"]],
])("%s writes %j", (sql, places) => {
  expect(new TableWrites({ isShared: false }).find(sql)).toEqual(places);
});
