// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { createLogRing } from "../../src/core/log-ring.ts";
import { createLog } from "../../src/core/log.ts";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";
import { appendAudit } from "../../src/store/queries/audit.ts";
import { addUsage } from "../../src/store/queries/usage.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";

const attack = `<img src=x onerror="document.title='run'">\u202E`;
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

async function begin() {
  const running = new TestGateway();
  untilTestEnds(() => running.dispose());
  running.model.script = () => ({ text: "知道了。" });
  await running.start();
  const part = (state: Readiness["state"], detail: string): Readiness => ({
    state,
    since: running.clock.now() - 60_000,
    detail,
  });
  const logRing = createLogRing();
  const server = await startConsoleBeside(running, {
    page: findPageFiles(),
    logRing,
    readiness: async () => ({
      model: part("ready", "openai:gpt-5 ready"),
      telegram: part("failed", `401: Unauthorized ${attack}`),
      store: part("ready", "sqlite"),
      sandbox: part("off", "switched off in sandbox.yaml"),
    }),
  });
  const log = createLog({ level: "debug", secrets: [], ring: logRing, destination: { write: () => undefined } });
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  return {
    running,
    log,
    async open(path: string, look: PageLook = {}) {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/system${path}`);
      await opened.page.locator(".tabs").waitFor();
      return opened;
    },
  };
}

async function refuseOne(running: TestGateway): Promise<void> {
  running.channel.onSend = () => ({ kind: "refused", reason: `blocked ${attack}` });
  await running.channel.deliver(makeMessage("一", { chat: "bench" }));
  await running.settle();
  running.channel.onSend = () => undefined;
}

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

describe.runIf(chromiumIsThere())("the page System", () => {
  it.each(looks)("every part of it is free of barriers and foreign scripts at $width, $theme", async (look) => {
    const { log, open, running } = await begin();
    await refuseOne(running);
    const row = { day: "2026-11-22", person: "fake:alice", session: "fake:bot:bench", model: attack, calls: 3 };
    await addUsage(running.store.main, {
      ...row,
      estimated: 1,
      input: 5_000,
      output: 700,
      cached: 2_500,
      cost: 31_000,
    });
    await appendAudit(running.store.main, {
      actor: attack,
      action: "tool.done",
      turn: "turn_1",
      session: "fake:bot:bench",
      detail: { tool: attack },
      now: running.clock.now(),
    });
    log.warn({ platform: "telegram", session: `x:${attack}`, err: new Error(attack) }, attack);
    log.info("connected");
    const { complaints, findBarriers, page } = await open("", look);
    const shown = { "": "没发出去的话", log: "connected", cost: "0.03", audit: "tool.done" } as const;
    for (const [tab, text] of Object.entries(shown)) {
      if (tab !== "") await page.locator(".tabs a").nth(Object.keys(shown).indexOf(tab)).click();
      await page.locator("main").getByText(text).first().waitFor();
      expect(await findBarriers(), `tab ${tab}`).toEqual([]);
      expect(await scrollsSideways(page), `tab ${tab}`).toBe(false);
      await takePicture(page, `system-${tab === "" ? "parts" : tab}-${look.width}-${look.theme}`);
    }
    expect(await page.title()).not.toBe("run");
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("fits into 320 points in %s", async (language) => {
    const { open, running } = await begin();
    await refuseOne(running);
    const { page } = await open("", { width: 320, language });
    for (let tab = 0; tab < 4; tab += 1) {
      await page.locator(".tabs a").nth(tab).click();
      await page.waitForTimeout(200);
      expect(await scrollsSideways(page), `tab ${tab}`).toBe(false);
    }
  });

  it("a message that was not sent is sent again from the page, and leaves the list", async () => {
    const { open, running } = await begin();
    await refuseOne(running);
    const { page } = await open("");
    await page.getByRole("button", { name: "再发一次" }).click();
    await page.getByText("都发出去了。").waitFor();
    await expect.poll(() => running.channel.sent.map(({ text }) => text)).toEqual(["知道了。"]);
  });

  it("the kill switch takes two steps, and lifting it answers what was kept", async () => {
    const { open, running } = await begin();
    const { page } = await open("");
    await page.getByRole("button", { name: "全部停下…" }).click();
    await page.getByRole("button", { name: "算了" }).click();
    await page.getByRole("button", { name: "全部停下…" }).click();
    await page.getByRole("button", { name: "真的全部停下" }).click();
    const resume = page.getByRole("button", { name: /^继续/ }).first();
    await resume.waitFor();
    await running.channel.deliver(makeMessage("在吗", { chat: "bench" }));
    await running.settle();
    expect(running.channel.sent.map(({ text }) => text)).not.toContain("知道了。");
    await page.getByRole("button", { name: "继续，把留着的 1 件做了" }).click();
    await page.getByRole("button", { name: "全部停下…" }).waitFor();
    await running.settle();
    expect(running.channel.sent.map(({ text }) => text)).toContain("知道了。");
  });

  it("the log follows only at its end, and tells how many new lines there are", async () => {
    const { log, open } = await begin();
    for (let at = 1; at <= 2_000; at += 1) log.info({ at }, `line ${at}`);
    const { page } = await open("/log");
    const list = page.getByRole("list", { name: "日志" });
    await list.getByText("line 2000").waitFor();
    // The older ones are laid out once the reader scrolls up.
    expect(await list.locator("li").count()).toBe(500);
    const top = await list.evaluate((box) => box.scrollTop);
    expect(top).toBeGreaterThan(0);
    log.info("at the end");
    await list.getByText("at the end").waitFor();
    await expect
      .poll(() => list.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop))
      .toBeLessThan(2);

    const readFirst = () =>
      page.evaluate<string>(`(() => {
        const box = document.querySelector(".sys-log");
        const { left, top } = box.getBoundingClientRect();
        return document.elementFromPoint(left + 20, top + 20).closest("li").textContent;
      })()`);
    await list.evaluate((box) => box.scrollTo({ top: 400 }));
    const place = await readFirst();
    await expect.poll(() => list.locator("li").count()).toBe(2_000);
    await page.waitForTimeout(300);
    const first = await readFirst();
    expect(first).toBe(place);
    log.warn("while reading");
    log.error("and more");
    await page.getByRole("button", { name: "2 行新的" }).waitFor();
    expect(await readFirst()).toBe(first);
    // Three newer lines took the place of the three oldest.
    await list.press("Home");
    await expect.poll(readFirst).toMatch(/line 4(?!\d)/);
    await page.getByRole("button", { name: "错误" }).click();
    await expect.poll(() => list.locator("li").count()).toBe(1);
    await page.getByRole("button", { name: "全部", exact: true }).click();
    await page.getByRole("searchbox").fill("while reading");
    await expect.poll(() => list.locator("li").count()).toBe(1);
  });

  it("older rows of the audit come once, also by two clicks", async () => {
    const { open, running } = await begin();
    for (let at = 0; at < 110; at += 1)
      await appendAudit(running.store.main, { actor: "fake:alice", action: "tool.done", now: running.clock.now() });
    const { page } = await open("/audit");
    await page.route("**/api/audit?cursor=*", async (route) => {
      await page.waitForTimeout(300);
      await route.continue();
    });
    await page.getByRole("button", { name: "更早的" }).dblclick();
    const rows = page.locator(".sys-audit li");
    await expect.poll(() => rows.count()).toBe(100);
    await page.waitForTimeout(600);
    expect(await rows.count()).toBe(100);
  });

  it("the audit shows one turn alone, and the check of its chain says how it ended", async () => {
    const { open, running } = await begin();
    const about = { actor: "fake:alice", action: "tool.done", now: running.clock.now() };
    for (const turn of ["turn_1", "turn_2", "turn_2"]) await appendAudit(running.store.main, { ...about, turn });
    const { page } = await open("/audit");
    const rows = page.locator(".sys-audit li");
    await rows.nth(2).waitFor();
    await page.getByRole("button", { name: "只看这一轮" }).first().click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.getByRole("searchbox").inputValue()).toBe("turn_2");
    await page.getByRole("button", { name: "查一遍链" }).click();
    await page.getByText(/^\d+ 行都和写下时一样$/).waitFor();
  });
});
