// full: a real Chromium
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { openMembers } from "../support/console/open-members.ts";

const pictures = process.env["KURISU_CONSOLE_PICTURES"];

async function begin(look: PageLook = {}) {
  const opened = await openMembers({ builtin: ["remind"] }, { page: findPageFiles() });
  const { askForCode, keep, kurisu, server } = opened;
  await kurisu.say("apple of bob", { user: "bob" });
  await kurisu.say("apple of alice", { user: "alice" });
  await kurisu.say("/remind 明天9点 喝水", { user: "alice" });
  await keep("alice", "喜欢乌龙茶");
  const code = await askForCode("alice");
  const origin = `http://127.0.0.1:${server.port}`;
  const browser = await openBrowser(origin, look);
  const { page } = browser;
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 403 || response.status() === 404) refused.push(response.url());
  });
  await page.goto(`${origin}/console/`);
  await page.locator("input").fill(code);
  await page.locator("form button[type=submit]").click();
  await page.locator(".devices li").waitFor();
  return { ...opened, ...browser, origin, refused };
}

describe.runIf(chromiumIsThere())("a member's pages", () => {
  it("a member signs in by the code of their chat, and sees their own chats, memories, reminders and devices alone", async () => {
    const { complaints, kurisu, page, refused } = await begin();
    expect(await page.locator(".nav nav li").allInnerTexts()).toEqual(["今天", "对话", "她"]);
    expect(await page.locator("h1").innerText()).toBe("没有等你的事。");
    await kurisu.say("poke a", { user: "alice" });
    await page.getByRole("heading", { name: "有 1 件事等你点头。" }).waitFor();
    await page.locator("article button.yes").click();
    await expect.poll(() => kurisu.did()).toEqual(["a"]);

    await page.locator(".nav nav a", { hasText: "对话" }).click();
    const items = page.locator(".chats li");
    await expect.poll(() => items.count()).toBe(1);
    await items.first().locator("a").click();
    await page.getByText("apple of alice").first().waitFor();
    expect(await page.getByText("apple of bob").count()).toBe(0);
    await page.locator("details.menu summary").click();
    expect(await page.locator("details.menu button").count()).toBe(0);
    expect(await page.locator("details.menu a").allInnerTexts()).toEqual(["Markdown", "JSON"]);

    await page.locator(".nav nav a", { hasText: "她" }).click();
    await page.getByText("喜欢乌龙茶").waitFor();
    expect(await page.locator("#her-person").innerText()).toBe("她记得你的什么");
    await page.locator(".tabs a", { hasText: "提醒" }).click();
    await page.getByText("喝水").waitFor();
    expect(await page.locator(".her-list a").count()).toBe(0);
    expect(refused).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("a member who is not admitted any more stands before the door", async () => {
    const { kurisu, page } = await begin();
    kurisu.members = [];
    await page.locator(".nav nav a", { hasText: "她" }).click();
    await page.locator("main.door").waitFor();
    expect(await page.locator("nav").count()).toBe(0);
  });

  it.each([
    [{ width: 390, theme: "dark", language: "zh" }],
    [{ width: 1280, theme: "light", language: "en" }],
    [{ width: 320, theme: "light", language: "ja" }],
  ] as const)("each of their pages fits and has no barrier: %o", async (look) => {
    const { findBarriers, origin, page } = await begin(look);
    for (const [name, path, ready] of [
      ["today", "", ".devices li"],
      ["chats", "chats", ".chats li"],
      ["chat", `chats/${encodeURIComponent("fake:bot:alice")}`, ".row"],
      ["memory", "her", ".her-memory"],
      ["reminders", "her/reminders", ".her-memory"],
    ] as const) {
      await page.goto(`${origin}/console/${path}`);
      await page.locator(ready).first().waitFor();
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `member-${name}-${look.width}-${look.language}.png`) });
      }
      expect({ name, isWide: await scrollsSideways(page) }).toEqual({ name, isWide: false });
      expect({ name, barriers: await findBarriers() }).toEqual({ name, barriers: [] });
    }
  });
});
