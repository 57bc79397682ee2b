import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { features, tables } from "../../../src/assembly/features.ts";
import { exportPerson } from "../../../src/features/erase/export-person.ts";
import { remember } from "../../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../../src/features/memory/scope.ts";
import { insertRemarks } from "../../../src/features/summaries/queries/remarks.ts";
import { insertSummary } from "../../../src/store/queries/summaries.ts";
import { changeTables } from "../../../src/store/tables/change-tables.ts";
import { consoleTables } from "../../../src/store/tables/console-tables.ts";
import { kernelTables } from "../../../src/store/tables/kernel-tables.ts";
import { readAudit } from "../../../src/store/queries/audit.ts";
import { verifyAudit } from "../../../src/store/verify-audit.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { findTraces } from "../../support/find-traces.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { obeyWords } from "../../support/obey-words.ts";
import { createStorePlace, listEngines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

const group = { chat: "club", group: true } as const;

/** A word of somebody that is nowhere else, in Latin letters and in Han. */
function createMarks(who: string) {
  const made: string[] = [];
  const mark = (what: string): string => {
    const word = `${what}${who}${made.length}qx 鹿${who === "alice" ? "鶤" : "鷍"}${made.length}`;
    made.push(...word.split(" "));
    return word;
  };
  return { made, mark };
}

it("rows are erased before the rows that they are found by", () => {
  const order = Object.keys(tables.people);
  const late = Object.entries(tables.people).flatMap(([table, { found }]) =>
    found.flatMap((way) =>
      way.by === "row" && order.indexOf(table) > order.indexOf(way.of) ? [`${table} after ${way.of}`] : [],
    ),
  );
  expect(late).toEqual([]);
});

describe.each(listEngines())("forgetting a person on %s", (engine) => {
  it("knows every table there is, each from the kernel, the console or one feature", async () => {
    const store = await createTestStore(engine);
    const { personTables } = store;
    const declared = [
      kernelTables,
      consoleTables,
      changeTables,
      ...features.flatMap(({ tables: own }) => own ?? []),
    ].flatMap(({ people }) => Object.keys(people));
    const { rows } =
      engine === "sqlite"
        ? await sql<{
            name: string;
          }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'log_search%'`.execute(
            store.main,
          )
        : await sql<{
            name: string;
          }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(store.main);
    const names = rows.map(({ name }) => name).filter((name) => !/migrations/.test(name));
    const checkpoints = declared.filter((name) => name.startsWith("checkpoint"));
    expect(declared.toSorted()).toEqual([...new Set([...names, ...checkpoints])].toSorted());
    for (const name of names) {
      const columns = await listColumns(store, engine, name);
      const about = personTables[name as keyof typeof personTables];
      expect(columns, `the table ${name}`).toEqual(expect.arrayContaining(about.found.map(({ column }) => column)));
      const mayName = columns.filter((column) => /^(?:person|human|account|asker|actor|requester)$/.test(column));
      // A column that no export shows is another's, or of the house.
      const known = [...about.found.map(({ column }) => column), ...(about.withheld ?? [])];
      // An account there is one of ours, the bot's.
      const isBot = [
        "sessions",
        "inbox",
        "passive_replies",
        "chat_moves",
        "gateway_sessions",
        "contact_requests",
      ].includes(name);
      const unknown = mayName.filter((column) => !known.includes(column) && !(isBot && column === "account"));
      expect(about.erased.how === "kept" || name === "audit_texts" ? [] : unknown, `the table ${name}`).toEqual([]);
    }
  });

  it("leaves no word of theirs in any file or row, and every word of the others", async () => {
    const place = await createStorePlace(engine);
    const kurisu = new TestGateway({
      place,
      observe: true,
      members: ["alice", "bob"],
      limits: { loop: 0 },
      builtin: ["forget", "load_messages", "list_missed", "recall_memory"],
      memory: { extract: { model: true, messages: 3 } },
    });
    const safe = [...effectRules.permissions.safe, "load_messages", "list_missed", "recall_memory"];
    const permissions = { ...effectRules.permissions, safe, confirm: ["poke", "forget"] };
    kurisu.rules.current = { ...effectRules, permissions };
    kurisu.model.script = (view) => {
      if (view.results.length > 0) return obeyWords(view);
      if (view.text === "忘掉我") return { calls: [{ name: "forget", arguments: { all: true } }] };
      if (!view.text.includes("翻记录")) return obeyWords(view);
      const line_numbers = Array.from({ length: 60 }, (_, index) => index + 1);
      const calls = [
        { name: "load_messages", arguments: { line_numbers } },
        { name: "load_messages", arguments: { line_numbers: line_numbers.slice(0, 12) } },
        { name: "recall_memory", arguments: { topic: "猫" } },
      ];
      return { calls: view.text === "翻记录" ? calls : [...calls, { name: "list_missed", arguments: {} }] };
    };
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    const people = { alice: createMarks("alice"), bob: createMarks("bob") };
    for (const user of ["alice", "bob"] as const) {
      const { mark } = people[user];
      const own = { user };
      const there = { ...group, user };
      await kurisu.say(mark("private"), own);
      await kurisu.say(`/remind 明早八点 ${mark("reminder")}`, own);
      await kurisu.say(`/preferences add 回答里写上 ${mark("preference")}`, own);
      await kurisu.say(`poke ${mark("done")}`, own);
      await kurisu.say("确认", own);
      await kurisu.say(`poke ${mark("refused")}`, own);
      await kurisu.say("取消", own);
      await kurisu.say(`peek ${mark("read")}`, there);
      await kurisu.say(mark("group"), there);
      await kurisu.say(mark("overheard"), { ...there, addressed: false });
      await kurisu.say(mark("told"), there);
      await kurisu.say(`poke ${mark("open")}`, own);
      const scope = await findMemoryScope(kurisu.store.main, {
        person: { id: `fake:${user}`, name: user },
        session: `fake:bot:${user}`,
        chatKind: "private",
        persona: "default",
      });
      for (const what of [`我住在${mark("home")}`, `我住在${mark("moved")}`])
        await remember(kurisu.store.main, scope, {
          content: what,
          category: "fact",
          origin: "command",
          taint: "user",
          now: 1,
        } as never);
      await kurisu.workspace.write(`fake:bot:${user}`, `${mark("name")}.txt`, mark("file"), "write");
      await kurisu.workspace.write(`fake:bot:${user}`, "gone.txt", mark("trash"), "write");
      await kurisu.workspace.remove(`fake:bot:${user}`, "gone.txt");
    }
    const { mark } = people.alice;
    await kurisu.store.main.transaction().execute(async (tx) => {
      const speaker = { id: "fake:alice", name: "alice", taint: "user" } as const;
      const about = { session: "fake:bot:club", branch: "main", position: 1 };
      const remark = { ...about, speaker, role: "user", taint: "user", at: 1, terms: ["x"] } as const;
      await insertRemarks(tx, about, [{ ...remark, text: mark("remark") }]);
      const whole = {
        ...about,
        startPosition: 0,
        from: 0,
        upTo: 1,
        number: 1,
        tokens: 1,
        taint: "user",
        sources: [],
      } as const;
      await insertSummary(tx, {
        ...whole,
        text: mark("summary"),
        speakers: [speaker],
        model: null,
        refused: 0,
        now: 1,
      });
    });
    // Results of tools about one stand in the turns and the chats of the other; the long ones in files.
    for (const user of ["alice", "bob"] as const) {
      const person = { id: `fake:${user}`, name: user };
      const session = "fake:bot:club";
      const scope = await findMemoryScope(kurisu.store.main, {
        person,
        session,
        chatKind: "group",
        persona: "default",
      });
      const content = `我的猫叫${people[user].mark("cat")}`;
      await remember(kurisu.store.main, scope, { content, category: "fact", origin: "command", taint: "user", now: 1 });
    }
    for (let count = 0; count < 24; count += 1) {
      const user = count === 12 ? "alice" : "bob";
      const text = `${people[user].mark("long")} ${"长".repeat(900)}`;
      await kurisu.say(text, { ...group, user, addressed: false });
    }
    for (const said of [{ user: "alice" }, { ...group, user: "alice" }, { user: "bob" }, { ...group, user: "bob" }]) {
      kurisu.clock.advance(61_000);
      await kurisu.say("翻记录", said);
      expect(kurisu.lastText("reply")).toMatch(/里成了 [34] 件/);
    }
    /** Whose words wait for a model that looks for facts, and whose it has read. */
    const listReaders = async () => {
      const unread = await kurisu.store.main.selectFrom("fact_sources").select("person").distinct().execute();
      const jobs = await kurisu.store.main.selectFrom("inbox").select("payload").where("kind", "=", "facts").execute();
      const read = jobs.flatMap(({ payload }) => (JSON.parse(payload) as { readonly person?: string }).person ?? []);
      return [...unread.map(({ person }) => person).toSorted(), ...[...new Set(read)].toSorted()];
    };
    expect(await listReaders()).toEqual(expect.arrayContaining(["fake:alice", "fake:bob"]));
    const before = await findTraces(kurisu.store, place.home, people.alice.made);
    expect(before.length).toBeGreaterThan(engine === "sqlite" ? 20 : 60);

    let exported = "";
    for await (const piece of exportPerson(kurisu.store, "fake:alice", kurisu.clock.now())) exported += piece;
    const { tables } = JSON.parse(exported) as { readonly tables: Readonly<Record<string, readonly object[]>> };
    const words = people.alice.made.filter((word) => !/^(?:remark|summary|file|name|trash)/.test(word));
    const missing = words.filter((word) => !exported.includes(word) && !word.startsWith("鹿"));
    expect(missing).toEqual([]);
    expect(people.bob.made.filter((word) => exported.includes(word))).toEqual([]);
    expect(tables["memories"]).toHaveLength(3);
    expect(tables["question_calls"]).toHaveLength(3);

    // So much in a minute is not answered.
    kurisu.clock.advance(61_000);
    await kurisu.say("忘掉我", { user: "alice" });
    expect(kurisu.lastPrompt().text).toContain("找不回来");
    expect(await findTraces(kurisu.store, place.home, people.alice.made.slice(0, 2))).not.toEqual([]);
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { user: "alice" });
    await kurisu.settle();
    expect(kurisu.lastText("notice")).toMatch(/记住的事：3\n[\s\S]*提醒：1\n[\s\S]*文件：3[\s\S]*备份/);
    expect(await findTraces(kurisu.store, place.home, people.alice.made)).toEqual([]);
    const left = new Set(
      (await findTraces(kurisu.store, place.home, people.bob.made)).map((trace) => trace.split(": ").at(-1)),
    );
    expect(engine === "postgres" ? people.bob.made.filter((word) => !left.has(word)) : []).toEqual([]);
    expect((await readAudit(kurisu.store.main, 1)).at(-1)).toMatchObject({
      action: "person.erased",
      actor: "fake:alice",
    });
    expect(await verifyAudit(kurisu.store, [])).toMatchObject({ kind: "intact" });

    expect([...new Set(await listReaders())]).toEqual(["fake:bob"]);

    await kurisu.say("你好", { user: "alice" });
    expect(kurisu.lastText("reply")).toBe("听到了，你说的是：你好");
    expect(kurisu.model.asked.at(-1)?.request.messages.length).toBeLessThan(4);
    await kurisu.say("还在吗", { ...group, user: "bob" });
    expect(kurisu.lastText("reply")).toBe("听到了，你说的是：bob: 还在吗");
    expect(codeOf(kurisu.lastPrompt())).toBeDefined();
    await kurisu.say("确认", { user: "bob" });
    expect(kurisu.did().filter((what) => what.includes("open"))).toHaveLength(1);
  });
});

async function listColumns(
  store: Awaited<ReturnType<typeof createTestStore>>,
  engine: string,
  table: string,
): Promise<readonly string[]> {
  const { rows } =
    engine === "sqlite"
      ? await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(store.main)
      : await sql<{
          name: string;
        }>`select column_name as name from information_schema.columns where table_name = ${table}`.execute(store.main);
  return rows.map(({ name }) => name);
}
