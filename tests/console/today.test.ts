// full: a real Chromium
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import type { TodayView } from "../../src/console/views/today-views.ts";
import { insertReminder } from "../../src/features/reminders/queries/reminders.ts";
import type { StrangerRequests } from "../../src/kernel/people/stranger-requests.ts";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";
import { budgetOptions } from "../../src/models/budget-options.ts";
import { appendAudit } from "../../src/store/queries/audit.ts";
import { findRole, savePairing, savePerson } from "../../src/store/queries/people.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { insertTurn } from "../../src/store/queries/turns.ts";
import { addUsage } from "../../src/store/queries/usage.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleServer, type ConsoleServer } from "../support/console/console-server.ts";
import { openBrowser, scrollsSideways } from "../support/console/open-browser.ts";

const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const hour = 3_600_000;
/** 21:07 in Shanghai. */
const now = Date.UTC(2026, 10, 27, 13, 7);
const session = "telegram:bot:7";
const attack = `<img src=x onerror="document.title='run'">\u202E`;
const part = (state: Readiness["state"], detail: string): Readiness => ({ state, since: now - hour / 20, detail });

/** A platform's request that waits; `answered` = what it was answered. */
function keepRequest(answered: object[] = []): StrangerRequests {
  return {
    async list() {
      return [
        {
          id: "request_1",
          code: "F123",
          platform: "qq",
          chat: "9",
          person: "44",
          kind: "friend",
          comment: "群里看到的，想问论文",
          expiresAt: now + hour,
        },
      ];
    },
    async answer({ accept, by, language, request }) {
      answered.push({ accept, by: by.id, language, request });
      return "加上了。";
    },
  };
}

async function startDay(options: Parameters<typeof startConsoleServer>[0] = {}): Promise<ConsoleServer> {
  const server = await startConsoleServer({
    strangers: [keepRequest()],
    budget: () => budgetOptions.parse({ cost: 10, prices: { "openai:gpt-5": { input: 2, output: 8 } } }),
    ...options,
  });
  server.clock.advance(now - server.clock.now());
  return server;
}

async function addTurn({ store }: ConsoleServer, at: number, seq: number): Promise<void> {
  await insertTurn(store.main, {
    id: `turn_${seq}`,
    session,
    inbox: `inbox_${seq}`,
    input: "{}",
    policy: "p",
    owner: "o",
    now: at,
  });
}

async function fillDay(server: ConsoleServer): Promise<void> {
  const { store } = server;
  await ensureSession(store.main, {
    id: session,
    platform: "telegram",
    account: "bot",
    chat: "7",
    thread: null,
    chatKind: "private",
    language: "zh",
    now,
  });
  await savePerson(store.main, { id: "telegram:7", name: "林溯", role: "member", now });
  // The day began at 16:00 UTC the day before.
  for (const [seq, at] of [now - 22 * hour, now - 20 * hour, now - hour, now - hour / 2].entries())
    await addTurn(server, at, seq);
  const audited = { actor: "telegram:7", session, turn: "turn_3" };
  await appendAudit(store.main, { ...audited, action: "tool.done", detail: { tool: "file_read" }, now: now - hour });
  await appendAudit(store.main, { ...audited, action: "tool.denied", detail: { tool: "shell" }, now: now - hour / 3 });
  await appendAudit(store.main, {
    ...audited,
    action: "approval.approved",
    detail: { code: "T4", calls: [{ tool: "file_write" }] },
    now: now - hour / 4,
  });
  await appendAudit(store.main, { ...audited, action: "pause.begun", now: now - 22 * hour });
  for (const [at, day] of ["2026-11-13", "2026-11-14", "2026-11-20", "2026-11-26", "2026-11-27"].entries())
    await addUsage(store.main, {
      day,
      person: "telegram:7",
      session,
      model: "openai:gpt-5",
      calls: 3,
      estimated: 0,
      input: 400_000 + at,
      output: 12_000,
      cached: 300_000,
      cost: 1_000_000 * (at + 1),
    });
  await savePairing(
    store.main,
    { person: "qq:3021", name: "阿泽", code: "8QJ4-M2XT", session, created_at: now, expires_at: now + hour },
    3,
  );
  await insertReminder(store.main, {
    id: "r1",
    person: "telegram:7",
    name: "林溯",
    session,
    text: "组会，带上图 3",
    task: false,
    schedule: { kind: "once", at: now + 11 * hour } as never,
    zone: "Asia/Shanghai",
    language: "zh",
    taint: "owner",
    sources: [],
    nextDue: now + 11 * hour,
    now,
  });
}

async function readToday(server: ConsoleServer): Promise<TodayView> {
  const cookie = await server.addLogin("owner");
  const { status, text } = await server.ask({ path: "/api/today", headers: { cookie } });
  expect(status).toBe(200);
  return JSON.parse(text) as TodayView;
}

describe("what Today reads", () => {
  it("counts the turns, calls and refusals of the zone's day, and nothing of the day before", async () => {
    const server = await startDay();
    await fillDay(server);
    const { did, record } = await readToday(server);
    expect(did).toEqual({ turns: 3, calls: 1, refused: 1 });
    expect(record.map(({ what, who, chat, code, count, about }) => ({ what, who, chat, code, count, about }))).toEqual([
      { what: "approval.approved", who: "林溯", chat: "林溯", code: "T4", about: "file_write" },
      { what: "tool.denied", who: "林溯", chat: "林溯", about: "shell" },
      { what: "chat", chat: "林溯", count: 3 },
    ]);
  });

  it("sums the cost of fourteen days, also of those without a request", async () => {
    const server = await startDay();
    await fillDay(server);
    const { cost } = await readToday(server);
    expect(cost).toMatchObject({ spent: 5, limit: 10, tokens: 412_004 });
    expect(cost.cached).toBeCloseTo(0.75, 3);
    expect(cost.days.map(({ spent }) => spent)).toEqual([2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 4, 5]);
    expect(cost.days[0]?.day).toBe("2026-11-14");
  });

  it("shows tokens where no model has a price", async () => {
    const server = await startDay({ budget: () => budgetOptions.parse({ tokens: { all: 1000 } }) });
    const { cost, record } = await readToday(server);
    expect(cost).toMatchObject({ tokens: 0, limit: 1000 });
    expect("spent" in cost).toBe(false);
    expect(record).toEqual([]);
  });

  it("names what a new installation lacks, until it has a model and an owner", async () => {
    const server = await startDay({ isOffline: () => true, ownerCode: async () => "8F2K-94QP" });
    expect((await readToday(server)).setup).toEqual({ isOffline: true, ownerCode: "8F2K-94QP" });
    expect((await readToday(await startDay())).setup).toBeUndefined();
  });
});

describe("strangers", () => {
  async function answer(server: ConsoleServer, path: string, accept: boolean, code?: string) {
    const cookie = await server.addLogin("owner", `login_${Math.random()}`);
    return server.ask({
      method: "POST",
      path,
      body: { accept, ...(code !== undefined && { code }) },
      headers: { cookie: `${cookie}; kurisu_language=en` },
    });
  }

  it("a stranger is let in once, hears of it, and the audit names the browser", async () => {
    const told: string[] = [];
    const server = await startDay({
      systemReplies: { tell: async (_id, to) => void told.push(to) },
    });
    await fillDay(server);
    expect((await answer(server, "/api/pairings", true, "8QJ4-M2XT")).status).toBe(204);
    expect(await findRole(server.store.main, "qq:3021")).toBe("member");
    expect(told).toEqual([session]);
    expect((await answer(server, "/api/pairings", true, "8QJ4-M2XT")).status).toBe(404);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "pairing.answered", actor: "console:owner", person: "qq:3021", accept: true }),
    );
  });

  it("who is turned away is not shown again and cannot be let in by the old code", async () => {
    const server = await startDay();
    await fillDay(server);
    expect((await answer(server, "/api/pairings", false, "8QJ4-M2XT")).status).toBe(204);
    expect((await readToday(server)).strangers).toEqual([]);
    expect((await answer(server, "/api/pairings", true, "8QJ4-M2XT")).status).toBe(404);
    expect((await answer(server, "/api/pairings", false, "away qq:3021")).status).toBe(404);
    expect(await findRole(server.store.main, "qq:3021")).toBeUndefined();
  });

  it("a platform's request is answered by the book of requests, in the owner's name and the page's language", async () => {
    const asked: object[] = [];
    const server = await startDay({ strangers: [keepRequest(asked)] });
    const { status, text } = await answer(server, "/api/requests/request_1", true);
    expect({ status, view: JSON.parse(text) as object }).toEqual({ status: 200, view: { text: "加上了。" } });
    expect(asked).toEqual([{ accept: true, by: "console:owner", language: "en", request: { id: "request_1" } }]);
    expect((await answer(server, "/api/requests/request_1", "yes" as never)).status).toBe(400);
    expect((await answer(server, "/api/requests/request_2", true)).status).toBe(404);
  });
});

describe.runIf(chromiumIsThere())("Today in the browser", () => {
  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  async function openDay(look: Parameters<typeof openBrowser>[1], given: Parameters<typeof startDay>[0] = {}) {
    const server = await startDay({
      page: findPageFiles(),
      readiness: async () => ({
        model: part("ready", "openai:gpt-5 ready"),
        telegram: part("ready", "connected as @kurisu_bot"),
        qq: part("ready", "connected"),
        sandbox: part("ready", "Docker 28.1"),
        store: part("ready", "sqlite"),
        qqbot: part("degraded", "connects again for 3 minutes"),
      }),
      ...given,
    });
    const origin = `http://127.0.0.1:${server.port}`;
    const opened = await openBrowser(origin, look);
    const open = async () => {
      await opened.page.goto(`${origin}/console/`);
      await opened.page.getByRole("textbox").fill(server.makeCode().code);
      await opened.page.keyboard.press("Enter");
      await opened.page.locator(".glance").waitFor();
    };
    return { ...opened, server, open };
  }

  it.each(looks)("a full day has no barriers at $width, $theme", async ({ theme, width }) => {
    const day = await openDay(
      { theme, width },
      { waitingKeys: () => ["channels.yaml: qqbot.sandbox"], refusedFiles: () => ["config/system/tools.yaml"] },
    );
    await fillDay(day.server);
    await day.open();
    expect(await day.findBarriers()).toEqual([]);
    expect(await day.page.getByRole("heading", { level: 1 }).textContent()).toBe("她在，有 1 处要看一眼，2 件事等你。");
    if (pictures !== undefined)
      await day.page.screenshot({ path: join(pictures, `full-day-${width}-${theme}.png`), fullPage: true });
    expect(day.complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("a full day and a first visit fit into 320 points in %s", async (language) => {
    const day = await openDay({ width: 320, language }, { isOffline: () => true, ownerCode: async () => "8F2K-94QP" });
    await fillDay(day.server);
    await day.open();
    expect(await scrollsSideways(day.page)).toBe(false);
    if (pictures !== undefined)
      await day.page.screenshot({ path: join(pictures, `first-visit-320-${language}.png`), fullPage: true });
    expect(await day.findBarriers()).toEqual([]);
  });

  it("a stranger is let in by the button, and the page says so", async () => {
    const day = await openDay({});
    await fillDay(day.server);
    await day.open();
    await day.page.getByRole("button", { name: "放进来" }).first().click();
    await day.page.getByText("阿泽 进来了，也告诉对方了。").waitFor();
    expect(await day.page.getByText("阿泽 想和她说话").count()).toBe(0);
    expect(await findRole(day.server.store.main, "qq:3021")).toBe("member");
  });

  it("names, comments and reminders of others are only text", async () => {
    const day = await openDay({});
    await fillDay(day.server);
    await savePerson(day.server.store.main, { id: "telegram:7", name: attack, role: "member", now });
    await savePairing(
      day.server.store.main,
      { person: "qq:5", name: attack, code: "AAAA-BBBB", session, created_at: now, expires_at: now + hour },
      3,
    );
    await day.open();
    await day.page.getByText("<img src=x onerror").first().waitFor();
    expect(await day.page.locator("main img").count()).toBe(0);
    expect(day.complaints).toEqual([]);
  });
});
