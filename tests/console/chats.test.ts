import { CompiledQuery, type KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import type {
  Block,
  CallView,
  Inline,
  MessagesView,
  MessageView,
  SessionsView,
  WholeSessionView,
} from "../../src/console/views/chats-views.ts";
import type { Store } from "../../src/store/open-store.ts";
import { saveDecisions } from "../../src/store/queries/decisions.ts";
import { finishLedgerRow, startLedgerRow } from "../../src/store/queries/ledger.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { listSessionsByActivity } from "../../src/store/queries/session-list.ts";
import { insertTurn } from "../../src/store/queries/turns.ts";
import { addChat, reply, say } from "../support/console/add-chat.ts";
import { openConsole, pathOf } from "../support/console/open-console.ts";
import { listEngines } from "../support/store-engines.ts";
import { makeQuestion } from "../support/make-question.ts";

const unasked = { network: [], because: [], scope: null, state: "asked" } as const;
const own = "telegram:bot:7";
const group = "telegram:bot:-100";

const numbered = (count: number): ConversationMessage[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? say(`word ${at + 1}`) : reply(`word ${at + 1}`)));

describe.each(listEngines())("the list of conversations on %s", (engine) => {
  it("the conversation with the newest message comes first, pages follow each other exactly, and the silent ones come last", async () => {
    const { read, store } = await openConsole(engine);
    for (let at = 0; at < 60; at += 1)
      await addChat(store, { id: `telegram:bot:${at}`, messages: [say(`hello ${at}`)], at: 1_000 * at });
    for (let at = 60; at < 65; at += 1) await addChat(store, { id: `qq:bot:${at}`, at: 0 });
    const first = await read<SessionsView>("/sessions");
    expect(first.items.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `telegram:bot:${59 - at}`));
    expect(first.platforms).toEqual(["qq", "telegram"]);
    const second = await read<SessionsView>(`/sessions?cursor=${first.next}`);
    expect(second.items.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `telegram:bot:${9 - at}`),
      ...[60, 61, 62, 63, 64].map((at) => `qq:bot:${at}`),
    ]);
    expect(second).not.toHaveProperty("next");
    expect((await read<SessionsView>("/sessions?platform=qq")).items).toHaveLength(5);
  });

  it("a page that ends among silent conversations is gone on with", async () => {
    const { read, store } = await openConsole(engine);
    for (let at = 10; at < 65; at += 1) await addChat(store, { id: `qq:bot:${at}` });
    const first = await read<SessionsView>("/sessions");
    const second = await read<SessionsView>(`/sessions?cursor=${encodeURIComponent(first.next ?? "")}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      Array.from({ length: 55 }, (_, at) => `qq:bot:${10 + at}`),
    );
    expect(second).not.toHaveProperty("next");
  });

  it("names people and groups, shows the last words in one visible line, and marks groups that did not address her", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("one\n two\u202E"), reply("**好**\n了")], at: 1_000 });
    await addChat(store, {
      id: group,
      title: "读书会\u202E",
      messages: [say("x".repeat(500), "小明", "telegram:8")],
      at: 9_000,
    });
    await addChat(store, { id: "telegram:bot:-5#9", at: 500, messages: [say("not to her")], isOnlyHeard: true });
    await addChat(store, { id: "cli:local:main", messages: [say("hi", "me", "cli:me")], at: 5_000 });
    const { items } = await read<SessionsView>("/sessions");
    expect(items.map(({ id, kind, name, speaker, state }) => ({ id, kind, name, speaker, state }))).toEqual([
      { id: "cli:local:main", kind: "terminal", name: "main", speaker: undefined, state: "none" },
      { id: group, kind: "group", name: "读书会⟨U+202E⟩", speaker: "小明", state: "none" },
      { id: own, kind: "private", name: "林溯", speaker: undefined, state: "none" },
      { id: "telegram:bot:-5#9", kind: "group", name: "-5 · 9", speaker: "林溯", state: "none" },
    ]);
    expect(items[2]).toMatchObject({ words: "**好** 了", lastAt: 2_000 });
    expect(items[3]).toMatchObject({ words: "not to her", onlyHeard: true, lastAt: 500 });
    expect(items[1]?.words).toMatch(/^x{119}…$/);
  });

  it("finds conversations by the letters of a name, which are no pattern", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("a")] });
    await addChat(store, { id: group, title: "Reading 100%", messages: [say("a")] });
    const find = async (q: string) =>
      (await read<SessionsView>(`/sessions?q=${encodeURIComponent(q)}`)).items.map(({ id }) => id);
    expect(await find("READING")).toEqual([group]);
    expect(await find("100%")).toEqual([group]);
    expect(await find("%")).toEqual([group]);
    expect(await find("bot:7")).toEqual([own]);
    expect(await find("_")).toEqual([]);
  });

  it("what waits for a person or goes on is on the first page, with what it asks for", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("write it")] });
    await addChat(store, { id: group, messages: [say("work")] });
    for (let at = 0; at < 55; at += 1) await addChat(store, { id: `qq:bot:${at}`, messages: [say("a")] });
    const call = { call: "1.1", tool: "file_write", arguments: {}, hash: "h", summary: "todo.md", detail: "" };
    await insertQuestion(store.main, {
      ...makeQuestion({ session: own, calls: [{ ...call, ...unasked }] }),
      routed: [],
    });
    await insertTurn(store.main, {
      id: "turn_9",
      session: group,
      inbox: "inbox_9",
      input: "{}",
      policy: "",
      owner: "",
      now: 0,
    });
    const { items } = await read<SessionsView>("/sessions");
    const find = (session: string) => items.find(({ id }) => id === session);
    expect(items).toHaveLength(52);
    expect(find(own)).toMatchObject({ state: "waits", open: 1, words: "写 todo.md" });
    expect(find(group)).toMatchObject({ state: "working", open: 0 });
    expect((await read<WholeSessionView>(pathOf(own))).open).toBe(1);
  });

  it("reads the list along its index", async () => {
    const { store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("a")] });
    const plan = await explain(store, (db) =>
      listSessionsByActivity(db, { kind: "spoken", before: 1_000 }, { limit: 1 }),
    );
    // With one row Postgres reads the table; it is told not to.
    expect(plan).toContain("sessions_activity");
    expect(plan).not.toContain("TEMP B-TREE");
  });
});

describe.each(listEngines())("a transcript on %s", (engine) => {
  it("pages of 50 positions meet exactly at their edges, and the newest is given unasked", async () => {
    const { ask, read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: numbered(120) });
    const page = async (query: string) => {
      const { first, last, rows, total } = await read<MessagesView>(pathOf(own, `/messages${query}`));
      expect(rows.map(({ position }) => position)).toEqual(
        Array.from({ length: last - first + 1 }, (_, at) => first + at),
      );
      return [first, last, total];
    };
    expect(await page("")).toEqual([71, 120, 120]);
    expect(await page("?before=71")).toEqual([21, 70, 120]);
    expect(await page("?before=21")).toEqual([1, 20, 120]);
    expect(await page("?before=1")).toEqual([1, 0, 120]);
    expect(await page("?after=0")).toEqual([1, 50, 120]);
    expect(await page("?after=100")).toEqual([101, 120, 120]);
    expect(await page("?after=120")).toEqual([121, 120, 120]);
    expect(await page("?around=60")).toEqual([36, 85, 120]);
    expect(await page("?around=1")).toEqual([1, 50, 120]);
    expect(await page("?around=9999")).toEqual([71, 120, 120]);
    for (const query of ["?around=1&after=2", "?before=-1", "?before=x", "?page=2"])
      expect((await ask(pathOf(own, `/messages${query}`))).status, `with ${query}`).toBe(400);
  });

  it("a conversation without a message is empty, and one that is not there is said not to be", async () => {
    const { ask, read, store } = await openConsole(engine);
    await addChat(store, { id: own });
    expect(await read<MessagesView>(pathOf(own, "/messages"))).toMatchObject({ rows: [], first: 1, last: 0, total: 0 });
    for (const path of ["", "/messages", "/messages/1/calls/1.1"])
      expect((await ask(pathOf("telegram:bot:8", path))).status).toBe(404);
  });

  it("a call is a step with its verdict, its time and its outcome, and its texts are another read", async () => {
    const { ask, read, store } = await openConsole(engine);
    const call = { id: "1.1", name: "file_read", arguments: { path: "notes\u202E.txt", limit: 9 } };
    const other = { id: "1.2", name: "fetch", arguments: { url: "https://blog.example/a" } };
    const long = "y".repeat(70_000);
    const messages: ConversationMessage[] = [
      say("look"),
      { role: "assistant", text: "", calls: [call, other] },
      { role: "tool", callId: "1.1", tool: "file_read", ok: true, text: "7 TODO\u0007" },
      { role: "tool", callId: "1.2", tool: "fetch", ok: false, text: long },
      { role: "assistant", text: "done", calls: [], sources: ["blog.example"] },
    ];
    await addChat(store, { id: own, messages });
    const decided = { tool: "file_read", hash: "h", reason: "", policy: "", grant: null } as const;
    await saveDecisions(
      store.main,
      "turn_1",
      [
        { call: "1.1", verdict: "allow", ...decided },
        { call: "1.2", verdict: "deny", ...decided },
      ],
      5,
    );
    await startLedgerRow(store.main, { turn: "turn_1", call: "1.1", tool: "file_read", hash: "h", token: 1, now: 10 });
    await finishLedgerRow(store.main, "turn_1", "1.1", "{}", 22);
    const { rows } = await read<MessagesView>(pathOf(own, "/messages"));
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 5]);
    expect(rows[1]?.steps).toEqual([
      { call: "1.1", tool: "读", argument: "notes⟨U+202E⟩.txt", verdict: "allow", state: "done", ms: 12 },
      { call: "1.2", tool: "打开网址", argument: "https://blog.example/a", verdict: "deny", state: "failed" },
    ]);
    expect(rows[2]?.sources).toEqual(["blog.example"]);
    expect(await read<CallView>(pathOf(own, "/messages/2/calls/1.1"))).toEqual({
      tool: "file_read",
      arguments: JSON.stringify({ path: "notes⟨U+202E⟩.txt", limit: 9 }, null, 2),
      result: "7 TODO⟨U+0007⟩",
      isCut: false,
    });
    const cut = await read<CallView>(pathOf(own, "/messages/2/calls/1.2"));
    expect(cut.result).toHaveLength(65_536);
    expect(cut.isCut).toBe(true);
    for (const path of ["/messages/2/calls/9.9", "/messages/1/calls/1.1", "/messages/x/calls/1.1"])
      expect((await ask(pathOf(own, path))).status).toBe(404);
  });

  it("the results behind the end of a page belong to the steps on it", async () => {
    const { read, store } = await openConsole(engine);
    const messages: ConversationMessage[] = [
      ...numbered(49),
      { role: "assistant", text: "", calls: [{ id: "1.1", name: "time", arguments: {} }] },
      { role: "tool", callId: "1.1", tool: "time", ok: true, text: "now" },
      reply("after"),
    ];
    await addChat(store, { id: own, messages });
    const { rows } = await read<MessagesView>(pathOf(own, "/messages?after=0"));
    expect(rows.at(-1)?.steps).toMatchObject([{ call: "1.1", state: "done" }]);
    expect((await read<MessagesView>(pathOf(own, "/messages?after=50"))).rows.map(({ position }) => position)).toEqual([
      52,
    ]);
  });

  it("Markdown of hers is data: links say where they lead, and nothing else becomes a link", async () => {
    const { read, store } = await openConsole(engine);
    const attacks = [
      "[click](javascript:alert(1))",
      "[bank.example](https://evil.test/x)",
      "![p](https://evil.test/p.png)",
      "<img src=x onerror=alert(1)>",
      "<a href='https://evil.test'>x</a>",
      "[a](data:text/html,x) [b](vbscript:x) [c](file:///etc/passwd)",
      "[ref]\n\n[ref]: https://evil.test/y",
      "https://plain.example/a?b=c",
    ];
    await addChat(store, { id: own, messages: [say("[x](https://evil.test) **y**"), ...attacks.map(reply)] });
    const { rows } = await read<MessagesView>(pathOf(own, "/messages"));
    expect(listSpans(rows[0]).map(({ kind }) => kind)).toEqual(["text"]);
    const links = rows.flatMap(listSpans).flatMap((span) => (span.kind === "link" ? [span] : []));
    for (const { href, inside } of links) expect(spell(inside)).toBe(href);
    expect(links.map(({ href }) => href)).toContain("https://plain.example/a?b=c");
    expect(links.every(({ href }) => href.startsWith("https://"))).toBe(true);
    const texts = rows.map(({ blocks }) => readText(blocks));
    expect(texts[2]).toBe("bank.example (https://evil.test/x)");
    expect(texts[3]).toBe("p (https://evil.test/p.png)");
    expect(texts[4]).toBe("<img src=x onerror=alert(1)>");
  });

  it("every kind of block arrives", async () => {
    const { read, store } = await openConsole(engine);
    const text =
      "# h\n\n*a* **b** `c` ~~d~~\nnext\n\n3. one\n   - two\n4. [x] three\n\n> quote\n\n```js\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n1~2";
    await addChat(store, { id: own, messages: [reply(text)] });
    const [row] = (await read<MessagesView>(pathOf(own, "/messages"))).rows;
    expect(row?.blocks.map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "list",
      "quote",
      "code",
      "table",
      "rule",
      "paragraph",
    ]);
    expect(row?.blocks[2]).toMatchObject({
      start: 3,
      items: [
        [{}, { kind: "list" }],
        [{}, {}],
      ],
    });
    expect(listSpans(row).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["em", "strong", "code", "del", "break"]),
    );
  });

  it("a message of megabytes is cut, and says how long it is", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("z".repeat(1_000_000))] });
    const [row] = (await read<MessagesView>(pathOf(own, "/messages"))).rows;
    expect(row?.cutFrom).toBe(1_000_000);
    expect(readText(row?.blocks ?? [])).toHaveLength(20_000);
  });
});

function listSpans(row: MessageView | undefined): readonly Inline[] {
  const spans: Inline[] = [];
  const see = (inside: readonly Inline[]): void => {
    for (const span of inside) {
      spans.push(span);
      if ("inside" in span) see(span.inside);
    }
  };
  const visit = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if ("inside" in block) see(block.inside);
      if (block.kind === "quote") visit(block.blocks);
      if (block.kind === "list") for (const item of block.items) visit(item);
      if (block.kind === "table") for (const cell of [block.header, ...block.rows].flat()) see(cell);
    }
  };
  visit(row?.blocks ?? []);
  return spans;
}

const spell = (inside: readonly Inline[]): string =>
  inside.map((span) => ("inside" in span ? spell(span.inside) : span.kind === "break" ? "\n" : span.text)).join("");

const readText = (blocks: readonly Block[]): string =>
  blocks.map((block) => ("inside" in block ? spell(block.inside) : "text" in block ? block.text : "")).join("\n");

/** The engine's plan of the first query. */
async function explain(store: Store, query: (db: Store["main"]) => Promise<unknown>): Promise<string> {
  const seen: CompiledQuery[] = [];
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.push(store.main.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await query(store.main.withPlugin(watch));
  const { parameters, sql: text } = seen[0] as CompiledQuery;
  return store.main.connection().execute(async (db) => {
    if (store.engine === "postgres") await db.executeQuery(CompiledQuery.raw("set enable_seqscan = off"));
    const command = store.engine === "sqlite" ? "explain query plan" : "explain";
    const { rows } = await db.executeQuery(CompiledQuery.raw(`${command} ${text}`, [...parameters]));
    if (store.engine === "postgres") await db.executeQuery(CompiledQuery.raw("reset enable_seqscan"));
    return JSON.stringify(rows);
  });
}
