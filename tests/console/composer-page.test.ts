// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { createConsoleChannel } from "../../src/channels/own-chats/console-channel.ts";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { TestGateway } from "../support/gateway.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createStorePlace } from "../support/store-engines.ts";

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const main = "/console/chats/console%3Alocal%3Amain";
/** Two squares, so that it can be seen. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGNkYPjPwMDAxAADCBYjIyMAQgQCA7vxDm4AAAAASUVORK5CYII=",
  "base64",
);

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin() {
  const place = await createStorePlace("sqlite");
  const ownChats = createConsoleChannel({ home: place.home, clock: new HandClock() });
  kurisu = new TestGateway({ place, real: [ownChats] });
  await kurisu.start();
  const server = await startConsoleBeside(kurisu, { ownChats, page: findPageFiles(), streamLimits: { beatMs: 200 } });
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  return async (look: PageLook = {}) => {
    const opened = await openBrowser(origin, look);
    await opened.page.context().addCookies([{ name, value, url: origin }]);
    await opened.page.goto(`${origin}${main}`);
    const field = opened.page.locator(".write textarea");
    await field.waitFor();
    return { ...opened, field, log: opened.page.getByRole("log"), origin, stop: server.stop };
  };
}

const drop = (page: Page, name: string, content: string) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    const form = document.querySelector(".write");
    form.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    form.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);

describe.runIf(chromiumIsThere())("talking in the page", () => {
  it("Enter sends, Shift and Enter begins a line, and an input method keeps its Enter", async () => {
    const { complaints, field, log, page } = await (await begin())();
    await log.getByText("这里只有你和她").waitFor();
    await field.click();
    await page.keyboard.type("第一行");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("第二行");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
    await field.dispatchEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true });
    expect(await field.inputValue()).toBe("第一行\n第二行");
    await page.keyboard.press("Enter");
    await log.getByText("听到了，你说的是：").waitFor();
    expect(await field.inputValue()).toBe("");
    await expect.poll(() => page.locator(".said.p").count()).toBe(1);
    expect(await page.locator(".said.p b").textContent()).toBe("你");
    expect(complaints).toEqual([]);
  });

  it("a message that was not sent stays with its key, also through a reload, and another try is the same message", async () => {
    const { field, log, page } = await (await begin())();
    const keys: string[] = [];
    await page.route("**/api/chats/main/messages", async (route) => {
      const { key } = route.request().postDataJSON() as { key: string };
      keys.push(key);
      if (keys.length > 2) return route.continue();
      // The first arrives although its answer does not.
      if (keys.length === 1) await route.fetch();
      return route.abort();
    });
    await field.fill("只说一次");
    await page.keyboard.press("Enter");
    await log.getByText("没发出去").waitFor();
    await page.reload();
    await log.getByRole("button", { name: "再试一次" }).click();
    await log.getByText("没发出去").waitFor();
    await log.getByRole("button", { name: "再试一次" }).click();
    await expect.poll(() => page.locator(".unsent").count()).toBe(0);
    await log.getByText("你说的是：只说一次").waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
    expect(await page.locator(".said.p").count()).toBe(1);
  });

  it("words that are written while a message with a file is on its way arrive after it", async () => {
    const { field, log, page } = await (await begin())();
    const sent: string[] = [];
    await page.route("**/api/chats/main/messages", async (route) => {
      const { text } = route.request().postDataJSON() as { text: string };
      if (text === "带文件的") await page.waitForTimeout(500);
      sent.push(text);
      await route.continue();
    });
    await drop(page, "备忘.txt", "一行");
    await field.fill("带文件的");
    await expect.poll(() => page.getByRole("button", { name: "发送" }).isEnabled()).toBe(true);
    await page.keyboard.press("Enter");
    await field.fill("只有字的");
    await page.keyboard.press("Enter");
    await log.getByText("你说的是：只有字的").waitFor();
    expect(sent).toEqual(["带文件的", "只有字的"]);
    await expect.poll(() => page.locator(".unsent").count()).toBe(0);
  });

  it("a message that is taken back to be edited does not arrive later, and one that had arrived is not said twice", async () => {
    const { field, log, page } = await (await begin())();
    let mode: "arrives" | "lost" | "through" = "through";
    await page.route("**/api/chats/main/messages", async (route) => {
      if (mode === "through") return route.continue();
      if (mode === "arrives") await route.fetch();
      return route.abort();
    });
    await field.fill("开头");
    await page.keyboard.press("Enter");
    await log.getByText("你说的是：开头").waitFor();
    mode = "arrives";
    await field.fill("到了的");
    await page.keyboard.press("Enter");
    await log.getByText("没发出去").waitFor();
    await kurisu.settle();
    await log.getByRole("button", { name: "拿回来改" }).click();
    await page.getByText("它其实发出去了，就在上面。").waitFor();
    expect(await field.inputValue()).toBe("");
    expect(await page.locator(".unsent").count()).toBe(0);
    mode = "lost";
    await field.fill("没到的");
    const asked = page.waitForRequest("**/api/chats/main/messages");
    await page.keyboard.press("Enter");
    const late = (await asked).postData() ?? "";
    await log.getByRole("button", { name: "拿回来改" }).click();
    await expect.poll(() => field.inputValue()).toBe("没到的");
    mode = "through";
    const answer = await page.evaluate<number>(
      `fetch("/api/chats/main/messages", { method: "POST", headers: { "content-type": "application/json", "x-kurisu": "1" }, body: ${JSON.stringify(late)} }).then((one) => one.status)`,
    );
    expect(answer).toBe(202);
    await field.fill("改过的");
    await page.keyboard.press("Enter");
    await log.getByText("你说的是：改过的").waitFor();
    await kurisu.settle();
    expect(await page.locator(".said.p .blocks").allTextContents()).toEqual(["开头", "到了的", "改过的"]);
  });

  it("what is typed survives a reload, and a lost connection turns sending off and keeps the words", async () => {
    const { field, page, stop } = await (await begin())();
    await field.fill("写到一半");
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe("写到一半");
    const send = page.getByRole("button", { name: "发送" });
    await expect.poll(() => send.isEnabled()).toBe(true);
    await stop();
    await expect.poll(() => send.isDisabled()).toBe(true);
    await field.press("Enter");
    expect(await field.inputValue()).toBe("写到一半");
    expect(await page.locator(".unsent").count()).toBe(0);
  });

  it("files are dropped, listed, taken off, sent, and stand in the transcript: a picture as one", async () => {
    const { complaints, field, log, page } = await (await begin())();
    await drop(page, "备忘.txt", "一行");
    await drop(page, "不要.txt", "二");
    const list = page.locator(".attached li");
    await expect.poll(() => list.allTextContents()).toEqual(["备忘.txt6 B", "不要.txt3 B"]);
    await page.getByRole("button", { name: "去掉 不要.txt" }).click();
    await page.locator("input[type=file]").setInputFiles({ name: "图.png", mimeType: "image/png", buffer: png });
    await expect.poll(() => list.count()).toBe(2);
    await field.fill("看看");
    await expect.poll(() => page.getByRole("button", { name: "发送" }).isEnabled()).toBe(true);
    await page.keyboard.press("Enter");
    await log.getByText("备忘.txt").first().waitFor();
    const shown = log.locator(".shot img");
    await expect
      .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(2);
    expect(complaints).toEqual([]);
  });

  it("what she asks is a card below the last row, is approved there, and is one line for a minute", async () => {
    const { field, log, page } = await (await begin())();
    await field.fill("poke 甲");
    await page.keyboard.press("Enter");
    await log.getByRole("button", { name: /^确认/ }).click();
    await log.getByText("1 件里成了 1 件").waitFor();
    expect(kurisu.did()).toEqual(["甲"]);
    await expect.poll(() => log.locator("article").textContent()).toMatch(/已确认poke 甲你 .* 在控制台答的/);
    expect(await log.getByRole("button", { name: /^确认/ }).count()).toBe(0);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, "answered-in-a-chat.png") });
    kurisu.clock.advance(61_000);
    await field.click();
    await expect.poll(() => log.locator("article").count()).toBe(0);
  });

  it("her own chat is the first of the list", async () => {
    const { origin, page } = await (await begin())();
    await page.goto(`${origin}/console/chats`);
    await expect.poll(() => page.locator(".chats li a b").allTextContents()).toEqual(["你和她"]);
    await page.getByRole("link", { name: "和她说话" }).click();
    await page.locator(".write textarea").waitFor();
  });

  it.each(
    [390, 1280].flatMap((width) =>
      (["light", "dark"] as const).map((theme) => ({ width: width as 390 | 1280, theme })),
    ),
  )("at $width in $theme nothing bars anybody, and nothing scrolls sideways", async ({ theme, width }) => {
    const { field, findBarriers, log, page } = await (await begin())({ theme, width });
    await field.fill("把昨天的 LFP 画成图，然后明早八点提醒我组会带图 3");
    await page.keyboard.press("Enter");
    await log.getByText("听到了，你说的是").waitFor();
    kurisu.clock.advance(60_000);
    await field.fill("/status");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".said:not(.p)").count()).toBe(2);
    kurisu.clock.advance(60_000);
    await page.locator("input[type=file]").setInputFiles({ name: "lfp_1126.png", mimeType: "image/png", buffer: png });
    await field.fill("poke lfp_1126.npz");
    await expect.poll(() => page.getByRole("button", { name: "发送" }).isEnabled()).toBe(true);
    await page.keyboard.press("Enter");
    await log.locator("article").waitFor();
    await page.route("**/api/chats/main/messages", (route) => route.abort());
    await field.fill("theta 那一段为什么突然掉下去？");
    await page.keyboard.press("Enter");
    await log.getByText("没发出去").waitFor();
    await drop(page, "artifact.txt", "x");
    await field.fill("还有一句\n两行的");
    await expect.poll(() => page.getByRole("button", { name: "发送" }).isEnabled()).toBe(true);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `talk-${width}-${theme}.png`) });
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator(".tabbar").isVisible()).toBe(false);
    const box = await page.locator(".write").boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(width === 390 ? 844 : 900);
  });
});
