import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type {
  AuditCheckView,
  AuditView,
  DeadLettersView,
  LogView,
  ResumedView,
  SystemView,
  UsageView,
} from "../../src/console/views/system-views.ts";
import { createLogRing } from "../../src/core/log-ring.ts";
import { createLog } from "../../src/core/log.ts";
import { appendAudit } from "../../src/store/queries/audit.ts";
import { addUsage } from "../../src/store/queries/usage.ts";
import { addChat } from "../support/console/add-chat.ts";
import { addTurn } from "../support/console/add-turn.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { startConsoleServer } from "../support/console/console-server.ts";
import { openConsole } from "../support/console/open-console.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

describe.each(listEngines())("how she runs, on %s", (engine) => {
  /** A gateway that runs, with the console's own requests. */
  async function begin() {
    const running = new TestGateway({ place: await createStorePlace(engine) });
    untilTestEnds(() => running.dispose());
    running.model.script = () => ({ text: "知道了。" });
    await running.start();
    const server = await startConsoleBeside(running);
    const headers = { cookie: await server.addLogin("owner") };
    const ask = async (method: string, path: string, body?: object) => {
      const { status, text } = await server.ask({ method, path: `/api${path}`, headers, ...(body && { body }) });
      return { status, view: (text === "" ? undefined : JSON.parse(text)) as unknown };
    };
    const letters = async () => (await ask("GET", "/dead-letters")).view as DeadLettersView;
    return { running, server, ask, letters };
  }

  it("sends a message again that its platform refused, once, and forgets one that the owner drops", async () => {
    const { running, server, ask, letters } = await begin();
    running.channel.onSend = () => ({ kind: "refused", reason: "blocked <b>by</b> the user" });
    await running.channel.deliver(makeMessage("一", { chat: "bench" }));
    await running.settle();
    const [dead, ...others] = (await letters()).items;
    expect(others).toEqual([]);
    expect(dead).toMatchObject({ text: "知道了。", reason: "blocked <b>by</b> the user", mayRetry: true });

    running.channel.onSend = () => undefined;
    const retry = `/dead-letters/${dead?.id ?? ""}/retry`;
    const answers = await Promise.all([ask("POST", retry, {}), ask("POST", retry, {})]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 404]);
    await expect.poll(() => running.channel.sent.map(({ text }) => text)).toEqual(["知道了。"]);
    expect((await letters()).items).toEqual([]);

    running.channel.onSend = () => ({ kind: "refused", reason: "blocked" });
    await running.channel.deliver(makeMessage("二", { chat: "bench" }));
    await running.settle();
    const [second] = (await letters()).items;
    expect((await ask("DELETE", `/dead-letters/${second?.id ?? ""}`)).status).toBe(204);
    expect((await letters()).items).toEqual([]);
    expect((await ask("DELETE", `/dead-letters/${second?.id ?? ""}`)).status).toBe(404);
    expect(await server.audited()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: "outbox.retried", actor: "console:owner", login: "login_owner" }),
        expect.objectContaining({ action: "outbox.dropped", actor: "console:owner", login: "login_owner" }),
      ]),
    );
  });

  it("the kill switch keeps messages until the owner lifts it, and its audit rows name the login", async () => {
    const { running, server, ask } = await begin();
    expect((await ask("POST", "/pause", { on: true })).status).toBe(204);
    await running.channel.deliver(makeMessage("在吗", { chat: "bench" }));
    await running.settle();
    const paused = (await ask("GET", "/system")).view as SystemView;
    expect(paused.pause).toBeDefined();
    expect(paused.queues).toMatchObject({ kept: 1, running: 0 });
    expect(running.channel.sent.map(({ text }) => text)).not.toContain("知道了。");

    const { view } = await ask("POST", "/pause", { on: false });
    expect(view).toEqual({ kept: 1 } satisfies ResumedView);
    await running.settle();
    expect(running.channel.sent.map(({ text }) => text)).toContain("知道了。");
    expect(((await ask("GET", "/system")).view as SystemView).pause).toBeUndefined();
    for (const action of ["pause.begun", "pause.ended"])
      expect(await server.audited()).toContainEqual(
        expect.objectContaining({ action, actor: "console:owner", login: "login_owner" }),
      );
    expect((await ask("POST", "/pause", { on: "yes" })).status).toBe(400);
  });

  it("costs of a tool are those of the turns that used it, between two days of the zone", async () => {
    const { read, store } = await openConsole(engine);
    const session = "telegram:bot:7";
    await addChat(store, { id: session });
    const at = Date.UTC(2026, 10, 20, 15, 30);
    const request = { model: "gpt", input: 100, output: 10, cached: 0, cost: 1_000_000 };
    const call = (number: number, tool: string) => ({ call: `1.${number}`, tool, end: { at, ms: 5 } });
    await addTurn(store, {
      id: "t1",
      session,
      at,
      requests: [request, request],
      calls: [call(1, "shell"), call(2, "time")],
    });
    await addTurn(store, { id: "t2", session, at, requests: [request], calls: [call(1, "shell"), call(2, "shell")] });
    await addTurn(store, { id: "t3", session, at: at + 86_400_000, requests: [request], calls: [] });
    const sum = async (day: string) =>
      (await read<UsageView>(`/usage?from=${day}&to=${day}&by=tool`)).rows.map(({ calls, input, key, spent }) => [
        key,
        calls,
        input,
        spent,
      ]);
    expect(await sum("2026-11-20")).toEqual([
      ["shell", 3, 300, 3],
      ["time", 2, 200, 2],
    ]);
    expect(await sum("2026-11-19")).toEqual([]);
    expect(await sum("2026-11-21")).toEqual([]);
  });

  it("costs are summed by day, model, person and conversation between two days", async () => {
    const { read, ask, store } = await openConsole(engine);
    await addChat(store, { id: "telegram:bot:7" });
    const row = { session: "telegram:bot:7", model: "gpt", calls: 1, estimated: 0, output: 10, cached: 50 };
    await addUsage(store.main, { ...row, day: "2026-11-20", person: "telegram:7", input: 100, cost: 2_000_000 });
    await addUsage(store.main, { ...row, day: "2026-11-21", person: "telegram:7", input: 300, cost: 1_000_000 });
    await addUsage(store.main, { ...row, day: "2026-11-21", person: "telegram:8", model: "mini", input: 7, cost: 0 });
    await addUsage(store.main, { ...row, day: "2026-11-23", person: "telegram:9", input: 1, cost: 1 });
    const sum = async (by: string) =>
      (await read<UsageView>(`/usage?from=2026-11-20&to=2026-11-21&by=${by}`)).rows.map(
        ({ calls, input, key, spent }) => [key, calls, input, spent],
      );
    expect(await sum("day")).toEqual([
      ["2026-11-20", 1, 100, 2],
      ["2026-11-21", 2, 307, 1],
    ]);
    expect(await sum("model")).toEqual([
      ["gpt", 2, 400, 3],
      ["mini", 1, 7, 0],
    ]);
    expect(await sum("person")).toEqual([
      ["telegram:7", 2, 400, 3],
      ["telegram:8", 1, 7, 0],
    ]);
    expect(await sum("session")).toEqual([["telegram:bot:7", 3, 407, 3]]);
    expect(await sum("tool")).toEqual([]);
    expect((await ask("/usage?from=yesterday&to=2026-11-21")).status).toBe(400);
    expect((await ask("/usage?from=2026-11-20&to=2026-11-21&by=colour")).status).toBe(400);
  });

  it("the audit is read in pages, by what it is about and by who acted, and a changed row is found", async () => {
    const { read, server, store } = await openConsole(engine);
    for (let at = 1; at <= 120; at += 1)
      await appendAudit(store.main, {
        actor: at % 2 === 0 ? "telegram:7" : "gateway",
        action: "tool.done",
        turn: `turn_${at}`,
        detail: { tool: "poke\u202E" },
        now: at,
      });
    const first = await read<AuditView>("/audit");
    expect(first.items).toHaveLength(50);
    expect(first.items[0]).toMatchObject({ at: 120, turn: "turn_120", actor: "telegram:7" });
    expect(first.items[0]?.detail).not.toContain("\u202E");
    expect(first.items[0]?.link).toMatch(/^[0-9a-f]{12}$/);
    const second = await read<AuditView>(`/audit?cursor=${first.next ?? ""}`);
    const third = await read<AuditView>(`/audit?cursor=${second.next ?? ""}`);
    expect([...first.items, ...second.items, ...third.items].map(({ at }) => at)).toEqual(
      Array.from({ length: 120 }, (_, index) => 120 - index),
    );
    expect(third.next).toBeUndefined();
    expect((await read<AuditView>("/audit?about=turn_7")).items.map(({ at }) => at)).toEqual([7]);
    const theirs = (await read<AuditView>("/audit?actor=telegram:7")).items;
    expect(theirs.every(({ actor }) => actor === "telegram:7")).toBe(true);

    const headers = { cookie: await server.addLogin("owner", "second") };
    const verify = async () =>
      JSON.parse(
        (await server.ask({ method: "POST", path: "/api/audit/verify", headers, body: {} })).text,
      ) as AuditCheckView;
    expect(await verify()).toEqual({ kind: "intact", rows: 120, erased: 0, anchors: 0 });
    const [{ seq } = { seq: 0 }] = (await read<AuditView>("/audit?about=turn_7")).items;
    // What somebody with the database itself can do.
    if (engine === "postgres") await sql`alter table audit disable trigger user`.execute(store.main);
    else await sql`drop trigger audit_no_update`.execute(store.main);
    await store.main.updateTable("audit").set({ actor: "telegram:666" }).where("seq", "=", seq).execute();
    expect(await verify()).toMatchObject({ kind: "broken", damage: "changed", seq });
  });
});

describe("the log", () => {
  it("tells the newest 2,000 lines without secrets, with their level, part, conversation and trace", async () => {
    const logRing = createLogRing();
    const log = createLog({
      level: "info",
      secrets: ["a secret value"],
      ring: logRing,
      destination: { write: () => undefined },
    });
    const server = await startConsoleServer({ logRing });
    const headers = { cookie: await server.addLogin("owner") };
    const read = async (after: string) =>
      JSON.parse((await server.ask({ path: `/api/log${after}`, headers })).text) as LogView;
    const start = logRing.id;
    expect(await read("")).toEqual({ lines: [], start, last: 0 });

    log.warn(
      { platform: "telegram", session: "telegram:bot:7", err: new Error("a secret value\u202E"), tries: 3 },
      "no answer",
    );
    log.debug("not written");
    log.info({ big: "x".repeat(20_000) }, "long");
    const { lines } = await read("");
    expect(lines[0]).toMatchObject({
      number: 1,
      level: "warn",
      text: "no answer",
      part: "telegram",
      session: "telegram:bot:7",
    });
    expect(lines[0]?.more).toContain("tries: 3\nError: ");
    expect(JSON.stringify(lines)).not.toContain("a secret value");
    expect(JSON.stringify(lines)).not.toContain("\u202E");
    expect(lines[1]).toMatchObject({ level: "info", text: "long" });

    for (let at = 3; at <= 2_500; at += 1) log.info({ at }, `line ${at}`);
    const all = await read("");
    expect(all.last).toBe(2_500);
    expect(all.lines.map(({ number }) => number)).toEqual(Array.from({ length: 2_000 }, (_, index) => 501 + index));
    expect((await read(`?after=2498&start=${start}`)).lines.map(({ text }) => text)).toEqual([
      "line 2499",
      "line 2500",
    ]);
    expect((await read(`?after=9999&start=${start}`)).lines).toEqual([]);
    expect((await read("?after=9999&start=before")).lines).toHaveLength(2_000);
    expect((await server.ask({ path: "/api/log?after=-1", headers })).status).toBe(400);
  });
});
