import { sql, type Transaction } from "kysely";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditAnchor } from "../../src/store/audit-anchor.ts";
import { auditGenesis, hashAuditRow } from "../../src/store/migrations/audit-hash.ts";
import type { Store } from "../../src/store/open-store.ts";
import { openStore } from "../support/open-store.ts";
import { findAuditHead, raiseAuditMark } from "../../src/store/queries/audit-chain.ts";
import { appendAudit, erasedAction, readAudit } from "../../src/store/queries/audit.ts";
import { verifyAudit, type AuditVerdict } from "../../src/store/verify-audit.ts";
import type { Database } from "../../src/store/schema/database.ts";
import { createStorePlace, listEngines, type EngineName } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

const rowCount = 8;

/** Every kind of text that the two engines and JSON write in ways of their own. */
const strange = `"\\/\u0001\u001f\u007f\u2028é😀'\b\f\n\r\t`;

async function fill(store: Store, count = rowCount): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await appendAudit(store.main, {
      actor: `fake:${index}`,
      action: "tool.done",
      now: 1_700_000_000_000 + index,
      ...(index % 2 === 0 && { session: `s${strange}`, turn: "turn_1", call: `1.${index}` }),
      detail: { what: `${strange}${index}` },
    });
  }
}

type Tampering =
  | { readonly kind: "flip"; readonly table: "audit" | "audit_chain"; readonly column: string; readonly at: number }
  | { readonly kind: "delete"; readonly from: "row" | "link" | "both" }
  | { readonly kind: "swap"; readonly what: "numbers" | "contents" | "links" }
  | { readonly kind: "insert" };

const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.record({
    kind: fc.constant("flip" as const),
    table: fc.constant("audit" as const),
    column: fc.constantFrom("seq", "at", "actor", "action", "session", "turn", "call", "detail"),
    at: fc.nat(),
  }),
  fc.record({
    kind: fc.constant("flip" as const),
    table: fc.constant("audit_chain" as const),
    column: fc.constantFrom("position", "seq", "prev_hash", "hash"),
    at: fc.nat(),
  }),
  fc.record({ kind: fc.constant("delete" as const), from: fc.constantFrom("row", "link", "both") }),
  fc.record({ kind: fc.constant("swap" as const), what: fc.constantFrom("numbers", "contents", "links") }),
  fc.record({ kind: fc.constant("insert" as const) }),
);

class TakenBack extends Error {}

/** Does something to the tables that their triggers refuse, verifies, and takes it back. */
async function verifyAfter(
  store: Store,
  anchors: readonly AuditAnchor[],
  change: (tx: Transaction<Database>) => Promise<unknown>,
): Promise<AuditVerdict> {
  const told: { verdict?: AuditVerdict } = {};
  const work = store.main.transaction().execute(async (tx) => {
    await openLid(tx, store.engine);
    await change(tx);
    told.verdict = await verifyAudit({ engine: store.engine, main: tx }, anchors);
    throw new TakenBack();
  });
  await expect(work).rejects.toThrow(TakenBack);
  if (!told.verdict) throw new Error("it was not verified");
  return told.verdict;
}

/** What someone with the rights of the database's owner can do. */
async function openLid(tx: Transaction<Database>, engine: EngineName): Promise<void> {
  for (const table of ["audit", "audit_chain"]) {
    if (engine === "postgres") await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
  }
  if (engine === "postgres") return;
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(tx);
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx);
}

async function tamper(tx: Transaction<Database>, one: Tampering, seq: number, other: number): Promise<void> {
  const table = one.kind === "flip" ? sql.table(one.table) : sql.table("audit");
  switch (one.kind) {
    case "flip": {
      const column = sql.ref(one.column);
      const { rows } = await sql<{
        value: unknown;
      }>`select ${column} as value from ${table} where seq = ${seq}`.execute(tx);
      await sql`update ${table} set ${column} = ${flip(rows[0]?.value, one.at)} where seq = ${seq}`.execute(tx);
      return;
    }
    case "delete":
      if (one.from !== "link") await sql`delete from audit where seq = ${seq}`.execute(tx);
      if (one.from !== "row") await sql`delete from audit_chain where seq = ${seq}`.execute(tx);
      return;
    case "swap":
      return swap(tx, one.what, seq, other);
    case "insert":
      await sql`insert into audit (at, actor, action, detail) values (1, 'x', 'x', '{}')`.execute(tx);
  }
}

async function swap(tx: Transaction<Database>, what: string, seq: number, other: number): Promise<void> {
  const exchange = async (table: string, column: string): Promise<void> => {
    const names = [sql.table(table), sql.ref(column)] as const;
    for (const [from, to] of [
      [seq, 9_001],
      [other, seq],
      [9_001, other],
    ])
      await sql`update ${names[0]} set ${names[1]} = ${to} where ${names[1]} = ${from}`.execute(tx);
  };
  if (what === "numbers") return exchange("audit", "seq");
  if (what === "links") return exchange("audit_chain", "position");
  for (const column of ["actor", "detail"] as const) {
    const texts = await tx.selectFrom("audit").select(["seq", column]).where("seq", "in", [seq, other]).execute();
    for (const text of texts) {
      await tx
        .updateTable("audit")
        .set({ [column]: text[column] })
        .where("seq", "=", text.seq === seq ? other : seq)
        .execute();
    }
  }
}

function flip(value: unknown, at: number): string | number {
  if (typeof value === "number") return value + 1_000 + at;
  if (typeof value !== "string" || value === "") return "x";
  const place = at % value.length;
  const code = value.charCodeAt(place);
  return `${value.slice(0, place)}${String.fromCharCode(code >= 0xd8_00 && code < 0xe0_00 ? 65 : code ^ 1)}${value.slice(place + 1)}`;
}

describe.runIf(listEngines().includes("postgres"))("the mark beside the audit on Postgres", () => {
  const cut = async (store: Store, from: number) =>
    store.main.transaction().execute(async (tx) => {
      await openLid(tx, "postgres");
      for (const table of ["audit", "audit_chain"])
        await sql`delete from ${sql.table(table)} where seq >= ${from}`.execute(tx);
      for (const table of ["audit", "audit_chain"])
        await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
    });

  it("shows a cut end without any anchor, the newest row soon, and still after more was written", async () => {
    const store = await createTestStore("postgres");
    await fill(store);
    await raiseAuditMark(store);
    await cut(store, rowCount);
    expect(await verifyAudit(store, [])).toMatchObject({ damage: "cut", sound: rowCount - 1 });
    await fill(store, 3);
    expect(await verifyAudit(store, [])).toMatchObject({ damage: "missing", sound: rowCount - 1 });
  });

  it("says nothing of rows that were taken back, in a transaction or at its very end", async () => {
    const store = await createTestStore("postgres");
    await fill(store, 2);
    // Deferred and later than the link of the audit: it fails when that was written already.
    await sql`create table strict (a int unique deferrable initially deferred)`.execute(store.main);
    await sql`insert into strict values (1)`.execute(store.main);
    for (const late of [false, true]) {
      const work = store.main.transaction().execute(async (tx) => {
        for (let part = 0; part < 3; part += 1) await appendAudit(tx, { actor: "a", action: "x", now: part });
        if (!late) throw new TakenBack();
        await sql`insert into strict values (1)`.execute(tx);
      });
      await expect(work).rejects.toThrow(late ? "strict_a_key" : TakenBack);
      await raiseAuditMark(store);
      expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 2 });
    }
    await fill(store, 2);
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 4 });
  });
});

describe.each(listEngines())("the audit on %s", (engine) => {
  it("the audit is intact, whatever was written, and the same on both engines", async () => {
    const store = await createTestStore(engine);
    const texts = fc.string({ unit: "binary", maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 6 }), fc.nat(), async (given, now) => {
        const [actor = "a", action = "b", session, turn, call, detail = ""] = given.map((text) =>
          text.replaceAll("\0", "0"),
        );
        const row = { actor, action, now, detail: { detail } };
        await appendAudit(store.main, {
          ...row,
          ...(session !== undefined && { session }),
          ...(turn !== undefined && { turn }),
          ...(call !== undefined && { call }),
        });
      }),
      { numRuns: 60 },
    );
    const verdict = await verifyAudit(store, []);
    expect(verdict).toMatchObject({ kind: "intact" });
    let hash = auditGenesis;
    for (const row of await readAudit(store.main, 1_000)) {
      const { hash: link, ...columns } = row;
      hash = hashAuditRow(hash, columns);
      expect(link).toBe(hash);
    }
    expect(verdict).toMatchObject({ hash });
  });

  it("finds every flipped byte, missing row, other order and added row", async () => {
    const store = await createTestStore(engine);
    await fill(store);
    const place = fc.integer({ min: 1, max: rowCount });
    const head = await findAuditHead(store.main);
    if (!head) throw new Error("nothing was chained");
    // A cut end shows by itself only on SQLite.
    const anchors = [{ at: "then", ...head }];
    await fc.assert(
      fc.asyncProperty(tampering, place, place, async (one, seq, shift) => {
        const other = 1 + ((seq + (shift % (rowCount - 1))) % rowCount);
        fc.pre(one.kind !== "swap" || other !== seq);
        const verdict = await verifyAfter(store, anchors, (tx) => tamper(tx, one, seq, other));
        expect([one, seq, other, verdict.kind]).toEqual([one, seq, other, "broken"]);
      }),
      { numRuns: 250 },
    );
    expect(await verifyAudit(store, anchors)).toMatchObject({ kind: "intact", rows: rowCount });
  });

  it("names the row and what is wrong with it", async () => {
    const store = await createTestStore(engine);
    await fill(store);
    const flipped: Tampering = { kind: "flip", table: "audit", column: "detail", at: 3 };
    const after = (one: Tampering) => verifyAfter(store, [], (tx) => tamper(tx, one, 4, 6));
    expect(await after(flipped)).toMatchObject({ damage: "changed", seq: 4, sound: 3 });
    expect(await after({ kind: "delete", from: "row" })).toMatchObject({ damage: "missing", seq: 4, sound: 3 });
    expect(await after({ kind: "delete", from: "both" })).toMatchObject({ damage: "missing", seq: 5, sound: 3 });
    expect(await after({ kind: "swap", what: "links" })).toMatchObject({ damage: "order", seq: 6, sound: 3 });
    expect(await after({ kind: "insert" })).toMatchObject({ damage: "unlinked", sound: rowCount });
  });

  it("finds an end that was cut off, and a chain that was written anew, by what was anchored", async () => {
    const store = await createTestStore(engine);
    await fill(store);
    const head = await findAuditHead(store.main);
    if (!head) throw new Error("nothing was chained");
    const anchors = [{ at: "then", ...head }];
    const cut = async (tx: Transaction<Database>) => {
      for (const table of ["audit", "audit_chain"])
        await sql`delete from ${sql.table(table)} where seq > 5`.execute(tx);
    };
    expect(await verifyAfter(store, anchors, cut)).toMatchObject({ damage: "cut", seq: rowCount, sound: 5 });
    const alone = await verifyAfter(store, [], cut);
    expect(alone).toMatchObject({ damage: "cut", seq: engine === "sqlite" ? rowCount : undefined, sound: 5 });
    const forge = async (tx: Transaction<Database>) => {
      await tx.updateTable("audit").set({ actor: "somebody else" }).where("seq", "=", 2).execute();
      const rows = await tx.selectFrom("audit").selectAll().orderBy("seq").execute();
      let hash = auditGenesis;
      for (const row of rows) {
        const link = hashAuditRow(hash, row);
        await tx.updateTable("audit_chain").set({ prev_hash: hash, hash: link }).where("seq", "=", row.seq).execute();
        hash = link;
      }
    };
    expect(await verifyAfter(store, anchors, forge)).toMatchObject({ damage: "rewritten", seq: rowCount });
    expect(await verifyAfter(store, [], forge)).toMatchObject({ kind: "intact" });
  });

  it("refuses to change, remove or replace a row or a link", async () => {
    const store = await createTestStore(engine);
    await fill(store, 2);
    const refused = [
      sql`update audit set actor = 'x' where seq = 1`,
      sql`delete from audit where seq = 1`,
      sql`update audit_chain set hash = 'x' where seq = 1`,
      sql`delete from audit_chain where seq = 1`,
      ...(engine === "sqlite"
        ? [
            sql`replace into audit (seq, at, actor, action, detail) values (1, 1, 'x', 'x', '{}')`,
            sql`replace into audit_chain (position, seq, prev_hash, hash) values (9, 1, 'x', 'x')`,
          ]
        : [sql`truncate audit`, sql`truncate audit_chain`]),
    ];
    for (const statement of refused)
      await expect(statement.execute(store.main)).rejects.toThrow("the audit only grows");
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 2 });
  });

  it("stays one chain when many write at once, in whatever order they began and end", async () => {
    const store = await createTestStore(engine);
    const write = (name: number) =>
      store.main.transaction().execute(async (tx) => {
        for (let part = 0; part < 3; part += 1) {
          await appendAudit(tx, { actor: `a${name}`, action: "x", now: part });
          await tx
            .insertInto("people")
            .values({ id: `${name}.${part}`, name: "n", role: "member", created_at: 0 })
            .execute();
        }
        if (name % 5 === 0) throw new TakenBack();
      });
    const all = await Promise.allSettled(Array.from({ length: 40 }, (_, name) => write(name)));
    expect(all.filter(({ status }) => status === "rejected")).toHaveLength(8);
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 32 * 3 });
  });

  it("keeps words beside the chain: erasing them breaks nothing when a row says so, and nothing else does", async () => {
    const place = { ...(await createStorePlace(engine)), secrets: ["hunter2"] };
    const store = await openStore(place);
    const detail = {
      tool: "shell",
      argument: "echo marker hunter2",
      calls: [{ call: "1.1", hash: "marker" }],
      hash: "marker",
    };
    for (const actor of ["a", "b", "c"]) await appendAudit(store.main, { actor, action: "tool.done", now: 1, detail });
    await appendAudit(store.main, {
      actor: "d",
      action: "tool.denied",
      now: 1,
      detail: { tool: "marker", level: null },
    });
    const columns = await store.main.selectFrom("audit").selectAll().execute();
    expect(JSON.stringify(columns)).not.toMatch(/marker|hunter2/);
    expect(JSON.stringify(columns)).toContain('\\"call\\":\\"1.1\\"');
    const [first] = await readAudit(store.main, 4);
    expect(JSON.parse(first?.detail ?? "")).toEqual({ ...detail, argument: "echo marker [secret]" });
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 4, erased: 0 });

    await store.main.deleteFrom("audit_texts").where("actor", "=", "a").execute();
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "broken", damage: "words" });
    await appendAudit(store.main, { actor: "gateway", action: erasedAction, now: 2, detail: { texts: 1 } });
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "intact", rows: 5, erased: 1 });
    expect((await readAudit(store.main, 5))[0]?.detail).not.toContain("marker");
    await store.main.deleteFrom("audit_texts").where("actor", "=", "b").execute();
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "broken", damage: "words" });
    await store.main.updateTable("audit_texts").set({ detail: "{}" }).where("actor", "=", "c").execute();
    expect(await verifyAudit(store, [])).toMatchObject({ kind: "broken", damage: "changed", seq: 3 });
    await store.close();
  });

  it("keeps secrets out of the details, whoever writes them", async () => {
    const place = { ...(await createStorePlace(engine)), secrets: ['pass"word\n1', "123456"] };
    const store = await openStore(place);
    await store.main.transaction().execute((tx) =>
      appendAudit(tx, {
        actor: "a",
        action: "b",
        now: 1,
        detail: { 'pass"word\n1': ['x pass"word\n1 y'], n: 123_456, url: "https://u:hunter2@x.test/" },
      }),
    );
    const [row] = await readAudit(store.main, 1);
    expect(JSON.parse(row?.detail ?? "")).toEqual({
      "[secret]": ["x [secret] y"],
      n: 123_456,
      url: "https://u:[secret]@x.test/",
    });
    await store.close();
  });
});
