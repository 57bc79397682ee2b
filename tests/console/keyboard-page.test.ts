// full: a real Chromium
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const pathNow = "location.pathname";

async function begin(look: PageLook = {}) {
  const kurisu = new TestGateway();
  untilTestEnds(() => kurisu.dispose());
  await kurisu.start();
  await kurisu.say("你好", { user: "alice" });
  const server = await startConsoleBeside(kurisu, { page: findPageFiles() });
  const origin = `http://127.0.0.1:${server.port}`;
  const opened = await openBrowser(origin, look);
  const { page } = opened;
  const enter = async () => {
    await page.goto(`${origin}/console/`);
    await page.getByRole("textbox").fill(server.makeCode().code);
    await page.keyboard.press("Enter");
    await page.locator(".waiting").waitFor();
  };
  return { ...opened, kurisu, origin, enter };
}

describe.runIf(chromiumIsThere())("the keyboard in the console", () => {
  it("g and a letter open each of the five pages", async () => {
    const { enter, page } = await begin();
    await enter();
    for (const [key, path] of [
      ["c", "/console/chats"],
      ["h", "/console/her"],
      ["a", "/console/abilities"],
      ["s", "/console/system"],
      ["t", "/console/"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(pathNow)).toBe(path);
    }
  });

  it("goes from row to row in the list of chats with j and k", async () => {
    const { enter, page } = await begin();
    await enter();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.locator(".chats li > a").first().waitFor();
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.closest('.chats li') !== null")).toBe(true);
  });

  it("types a letter into a field, where no key is a shortcut", async () => {
    const { enter, page } = await begin();
    await enter();
    await page.goto(new URL("/console/chats", page.url()).href);
    const field = page.getByRole("searchbox");
    await field.fill("");
    await field.press("g");
    await field.press("t");
    expect(await field.inputValue()).toBe("gt");
    expect(await page.evaluate(pathNow)).toBe("/console/chats");
  });

  it.each([
    { width: 390, theme: "light" },
    { width: 1280, theme: "dark" },
  ] as const)("lists every key at $width, $theme", async (look) => {
    const { enter, page, findBarriers } = await begin(look);
    await enter();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "键盘快捷键" }).waitFor();
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `keyboard-${look.width}-${look.theme}.png`) });
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
  });

  it("stays switched off after the page is opened anew", async () => {
    const { enter, page } = await begin();
    await enter();
    await page.getByRole("button", { name: "键盘" }).first().click();
    await page.getByRole("checkbox", { name: "单个字母的键有效" }).uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await page.locator(".waiting").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.keyboard.press("?");
    expect(await page.evaluate(pathNow)).toBe("/console/");
    expect(await page.locator("dialog").count()).toBe(0);
  });
});

describe.runIf(chromiumIsThere())("desktop notices of the console", () => {
  /** Keeps what the browser was asked to show. */
  const record = `
    globalThis.told = [];
    globalThis.Notification = class extends Notification {
      constructor(title, options) {
        super(title, options);
        told.push({ body: options.body, tag: options.tag });
        this.addEventListener("close", () => told.push({ closed: options.tag }));
      }
    };`;

  it("notices, once switched on, announce a question while the page is hidden", async () => {
    const { enter, kurisu, origin, page } = await begin();
    await page.context().grantPermissions(["notifications"], { origin });
    await page.addInitScript(record);
    await enter();
    await page.getByRole("button", { name: "桌面通知：关" }).first().click();
    await page.getByRole("button", { name: "桌面通知：开" }).first().waitFor();

    await kurisu.say("poke first", { user: "alice" });
    await page.locator(".waiting > article").waitFor();
    expect(await page.evaluate("told"), "the owner looks at the page").toEqual([]);

    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setFocusEmulationEnabled", { enabled: false });
    const other = await page.context().newPage();
    await other.bringToFront();
    await expect.poll(() => page.evaluate("document.hasFocus()")).toBe(false);
    await kurisu.say("poke second", { user: "alice" });
    await expect.poll(() => page.evaluate("told.length")).toBe(1);
    expect(await page.evaluate("told[0].body")).toContain("second");
  });

  it("tells nothing while they are off", async () => {
    const { enter, kurisu, origin, page } = await begin();
    await page.context().grantPermissions(["notifications"], { origin });
    await page.addInitScript(record);
    await enter();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setFocusEmulationEnabled", { enabled: false });
    await (await page.context().newPage()).bringToFront();
    await kurisu.say("poke second", { user: "alice" });
    await page.locator(".waiting > article").waitFor();
    expect(await page.evaluate("told")).toEqual([]);
  });
});
