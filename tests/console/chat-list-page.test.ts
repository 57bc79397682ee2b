// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumIsThere } from "../support/chromium.ts";
import { addChat, say } from "../support/console/add-chat.ts";
import { now, openChats } from "../support/console/open-chats.ts";

const own = "telegram:bot:7";
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const many = (count: number) => Array.from({ length: count }, (_, at) => say(`other words ${at}`));
const takePicture = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
};

describe.runIf(chromiumIsThere())("the list of conversations and the search in the console", () => {
  it("the search by the slash finds words, marks them and leads to the place; nothing found says what was searched", async () => {
    const { findBarriers, page } = await openChats(async (store) => {
      await addChat(store, {
        id: own,
        messages: [...many(90), say("海马体的节律"), ...many(90)],
        at: now - 86_400_000,
      });
    });
    await page.locator(".chats li").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("海马体");
    const found = page.getByRole("link", { name: /海马体的节律/ });
    await found.waitFor();
    expect(await page.locator("mark").textContent()).toBe("海马体");
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, "search");
    await found.click();
    const mark = page.locator(".row.found").getByText("海马体的节律");
    await mark.waitFor();
    // The first scroll puts another place into the address.
    await page.waitForTimeout(700);
    expect(await mark.count()).toBe(1);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("zebra");
    await page.getByText("没有找到「zebra」").waitFor();
    await page.getByText(/^搜了 1 个聊天，从11月27日.*起。$/).waitFor();
    await takePicture(page, "search-nothing");
  });

  it("while other words are searched for, what is shown is said to be of those before, and a late answer is not shown", async () => {
    const { page } = await openChats(async (store) => {
      await addChat(store, { id: own, messages: [say("海马体的节律"), say("杏仁核的反应")], at: now - 60_000 });
    });
    const field = page.getByRole("searchbox");
    await field.fill("海马体");
    const found = page.getByRole("link", { name: /海马体的节律/ });
    await found.waitFor();
    let release: (() => void) | undefined;
    await page.route("**/api/search?*", async (route) => {
      if (release === undefined) await new Promise<void>((resolve) => (release = resolve));
      await route.continue();
    });
    await field.fill("杏仁核");
    await page.getByText("还是「海马体」的结果").waitFor();
    expect(await page.locator(".results.old").count()).toBe(1);
    await takePicture(page, "search-old");
    await expect.poll(() => release).toBeDefined();
    await field.fill("海马体");
    await page.locator(".results:not(.old)").waitFor();
    release?.();
    await page.waitForTimeout(600);
    expect(await page.locator("mark").textContent()).toBe("海马体");
    await field.fill("杏仁核");
    await page.getByRole("link", { name: /杏仁核的反应/ }).waitFor();
    expect(await page.locator(".results.old").count()).toBe(0);
  });

  it("a change while more conversations are read loses neither, and one that was erased leaves every page of the list", async () => {
    const chatOf = (at: number) => ({
      id: `telegram:bot:${1_000 + at}`,
      messages: [say(`words ${at}`)],
      at: at * 1_000,
    });
    const { page, store } = await openChats(async (filled) => {
      for (let at = 0; at < 60; at += 1) await addChat(filled, chatOf(at));
    });
    const rows = page.locator(".chats ul:not(.own) li");
    await expect.poll(() => rows.count()).toBe(50);
    let release: (() => void) | undefined;
    await page.route("**/api/sessions?cursor=*", async (route) => {
      if (release === undefined) await new Promise<void>((resolve) => (release = resolve));
      await route.continue();
    });
    await page.getByRole("button", { name: "再看 50 个" }).click();
    await expect.poll(() => release).toBeDefined();
    await addChat(store, { ...chatOf(60), at: now });
    await page.waitForTimeout(600);
    release?.();
    await expect.poll(() => rows.count()).toBe(61);
    for (const at of [2, 58]) {
      await store.main.deleteFrom("messages").where("session", "=", chatOf(at).id).execute();
      await store.main.deleteFrom("sessions").where("id", "=", chatOf(at).id).execute();
    }
    await addChat(store, { ...chatOf(61), at: now });
    await rows.getByText("words 61", { exact: true }).waitFor();
    await expect.poll(() => rows.getByText("words 58", { exact: true }).count()).toBe(0);
    await expect.poll(() => rows.count()).toBe(60);
  });
});
