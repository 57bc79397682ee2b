// full: a real Chromium
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { remember } from "../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../src/features/memory/scope.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { TestGateway } from "../support/gateway.ts";

const attack = `<img src=x onerror="document.title='run'">\u202E`;
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

let kurisu: TestGateway | undefined;
afterEach(async () => {
  await kurisu?.dispose();
  kurisu = undefined;
});

async function begin() {
  const running = (kurisu = new TestGateway());
  running.model.script = () => ({ text: "知道了。" });
  await running.start();
  const server = await startConsoleBeside(running, { page: findPageFiles() });
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  return {
    running,
    server,
    async keep(
      content: string,
      more: {
        readonly place?: string;
        readonly confidence?: number;
        readonly id?: string;
        readonly name?: string;
      } = {},
    ) {
      const { confidence = 1, id = "fake:alice", name: who = "林溯", place = "" } = more;
      const scope = await findMemoryScope(running.store.main, {
        person: { id, name: who },
        session: place,
        chatKind: place === "" ? "private" : "group",
        persona: "kurisu",
      });
      const origin = confidence < 1 ? "extracted" : "said";
      const told = { category: "preference", content, taint: "untrusted", origin, confidence } as const;
      await remember(running.store.main, scope, { ...told, now: running.clock.now() });
    },
    async open(path: string, look: PageLook = {}) {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/her${path}`);
      await opened.page.locator(".tabs").waitFor();
      return opened;
    },
  };
}

async function fill({ keep, running }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  await running.say("我住在东京", { user: "alice" });
  await running.say("我对青霉素过敏", { user: "alice" });
  await running.say("我住在京都", { user: "alice" });
  await running.say("/remind 每周一 9:00 开组会", { user: "alice" });
  await running.say(`/remind 2 小时后 ${attack}`, { user: "alice" });
  await running.say("你好", { user: "bob" });
  await keep("对猫过敏", { id: "fake:mallory", name: attack });
  await keep(`组会前要看图 3，不要看表 ${attack}`, { confidence: 0.7, place: "fake:bot:club" });
}

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

describe.runIf(chromiumIsThere())("the page Her", () => {
  it.each(looks)("memories and reminders are free of barriers and foreign scripts at $width, $theme", async (look) => {
    const begun = await begin();
    await fill(begun);
    const { complaints, findBarriers, page } = await begun.open("/memory/fake%3Aalice", look);
    const row = page.locator(".her-memory").filter({ hasText: "京都" });
    await row.getByRole("button", { name: "原话" }).click();
    await row.getByRole("link", { name: /在对话里看/ }).waitFor();
    await page.locator(".her-memory").filter({ hasText: "组会" }).getByRole("button", { name: "改" }).click();
    await page.locator(".her-memory").filter({ hasText: "青霉素" }).getByRole("button", { name: "忘掉" }).click();
    await page.getByRole("button", { name: "全部忘掉…" }).click();
    await page.locator(".her-people").getByText("<img src=x").waitFor();
    for (const tab of ["memory", "reminders"]) {
      if (tab === "reminders") {
        await page.locator(".tabs a").nth(2).click();
        await page.getByText("开组会").waitFor();
        await page.getByRole("button", { name: "改时间" }).first().click();
      }
      expect(await findBarriers()).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await takePicture(page, `her-${tab}-${look.width}-${look.theme}`);
    }
    expect(await page.title()).toBe("提醒 · Kurisu");
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)(
    "fits into 320 points in %s, with its lists full and empty",
    async (language) => {
      const begun = await begin();
      const { page } = await begun.open("/memory", { width: 320, language });
      for (const isFull of [false, true]) {
        if (isFull) await fill(begun);
        for (const tab of [1, 2]) {
          await page.locator(".tabs a").nth(tab).click();
          await page
            .locator(isFull ? ".her-memory" : ".her-none")
            .first()
            .waitFor();
          expect(await scrollsSideways(page), `tab ${tab}`).toBe(false);
          await takePicture(page, `her-320-${language}-${tab}-${isFull ? "full" : "empty"}`);
        }
      }
      expect(await page.locator(".tabbar a").count()).toBe(5);
    },
  );

  it("pins, corrects and forgets a memory, and its source leads to the message in the conversation", async () => {
    const begun = await begin();
    await begun.running.say("我对青霉素过敏", { user: "alice" });
    const { page } = await begun.open("/memory");
    await page.getByRole("button", { name: "钉住" }).click();
    await page.getByText("已钉住").waitFor();
    await page.getByRole("button", { name: "改", exact: true }).click();
    await page.getByLabel("正确的说法").fill("我对头孢过敏");
    await page.getByRole("button", { name: "改成这样" }).click();
    await page.locator(".her-memory s").getByText("青霉素").waitFor();
    await page.getByRole("button", { name: "忘掉", exact: true }).click();
    await page.getByRole("button", { name: "真的忘掉" }).click();
    await page.getByText("忘掉了，连旧的说法一共 2 条。").waitFor();
    await page.getByText(/^忘掉了一条/).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("头孢");

    await begun.running.say("我住在东京", { user: "alice" });
    await page.getByText("我住在东京").waitFor();
    await page.getByRole("button", { name: "原话" }).click();
    await page.getByRole("link", { name: /在对话里看/ }).click();
    await page.waitForURL(/\/console\/chats\/fake/);
    await page.locator("main").getByText("我住在东京").first().waitFor();
  });

  it("finds memories by words, exports a person, and erases one only when the name is typed", async () => {
    const begun = await begin();
    await begun.running.say("我住在东京", { user: "alice" });
    await begun.running.say("我对青霉素过敏", { user: "alice" });
    await begun.running.say("我住在大阪", { user: "bob" });
    const { page } = await begun.open("/memory/fake%3Aalice");
    await page.getByRole("searchbox").fill("青霉素");
    await page.getByRole("button", { name: "找", exact: true }).click();
    await expect.poll(() => page.locator(".her-memory").count()).toBe(1);
    await page.getByRole("searchbox").fill("量子");
    await page.getByRole("button", { name: "找", exact: true }).click();
    await page.getByRole("button", { name: "看全部" }).click();
    await expect.poll(() => page.locator(".her-memory").count()).toBe(2);

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "导出" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("kurisu-fake-alice.json");
    expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toMatchObject({ accounts: ["fake:alice"] });

    await page.getByRole("button", { name: "全部忘掉…" }).click();
    const yes = page.getByRole("button", { name: "全部忘掉", exact: true });
    expect(await yes.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: /^要继续/ }).fill("fake:alice");
    await yes.click();
    await page.getByText(/的一切都忘掉了，一共 \d+ 处。/).waitFor();
    await page.getByText("我住在大阪").waitFor();
    await expect.poll(() => page.locator(".her-people li").count()).toBe(1);
  });

  it("gives a reminder another time in words, says why a time is none, and cancels it", async () => {
    const begun = await begin();
    await begun.running.say("/remind 2 小时后 喝水", { user: "alice" });
    const { page } = await begun.open("/reminders");
    await page.getByRole("button", { name: "改时间" }).click();
    const field = page.getByLabel("改到什么时候");
    await field.fill("昨天 9:00");
    await page.getByRole("button", { name: "改", exact: true }).click();
    await page.getByText(/过/).first().waitFor();
    await field.fill("每周一 9:00");
    await page.getByRole("button", { name: "改", exact: true }).click();
    await page.getByText("时间改好了。").waitFor();
    await page
      .locator(".her-memory")
      .getByText(/每周一/)
      .waitFor();
    await page.getByRole("button", { name: "取消", exact: true }).click();
    await page.getByRole("button", { name: "真的取消" }).click();
    await page.getByText("没有在等的提醒").waitFor();
    expect(await page.locator(".her-memory").count()).toBe(0);
  });
});
