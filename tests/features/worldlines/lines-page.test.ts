// full: a real Chromium
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findPageFiles } from "../../../src/console/page-files.ts";
import { chromiumIsThere } from "../../support/chromium.ts";
import { startConsoleBeside } from "../../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../../support/console/open-browser.ts";
import { TestGateway } from "../../support/gateway.ts";

const path = "/console/chats/fake%3Abot%3Aalice";
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function openForked(look: PageLook = {}) {
  kurisu = new TestGateway();
  await kurisu.start();
  for (const text of [
    "帮我选毕业论文题目",
    "就选海马体那个",
    "写提纲",
    "再加一节方法",
    "/dmail 1 换成视觉皮层那个",
    "数据从哪里来",
    "/dmail 0 <img src=x onerror=alert(1)>",
    "poke 甲",
  ]) {
    kurisu.clock.advance(60_000);
    await kurisu.say(text, { user: "alice" });
  }
  const server = await startConsoleBeside(kurisu, { page: findPageFiles() });
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  const opened = await openBrowser(origin, look);
  await opened.page.context().addCookies([{ name, value, url: origin }]);
  await opened.page.goto(`${origin}${path}`);
  await opened.page.locator(".row").first().waitFor();
  return { ...opened, worlds: opened.page.locator(".worlds") };
}

describe.runIf(chromiumIsThere())("the world lines of a conversation in the page", () => {
  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  it.each(looks)("a fork below the round shows them without barriers, at $width, $theme", async (look) => {
    const { complaints, findBarriers, page, worlds } = await openForked(look);
    if (look.width === 390) await page.getByRole("link", { name: "这一轮", exact: true }).click();
    await worlds.scrollIntoViewIfNeeded();
    const rows = await worlds.locator("li").allInnerTexts();
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/β\s+从第 1 点分出来[\s\S]*第 3 点\s+数据从哪里来/);
    expect(rows[2]).toMatch(/γ\s+从第 0 点分出来\s+现在这条[\s\S]*poke 甲/);
    expect(await worlds.locator("svg circle").count()).toBe(3);
    expect(await worlds.locator("svg .here text:not(.number)").textContent()).toBe("γ");
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `worlds-${look.width}-${look.theme}.png`) });
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("the owner moves to another after a word about what waits, and the conversation is that of the line", async () => {
    const { page, worlds } = await openForked();
    await worlds.getByRole("button", { name: "换过去 α" }).click();
    await worlds.getByText("换了，这里在等的 1 件确认就作废。").waitFor();
    expect(await kurisu.questions()).toHaveLength(1);
    await worlds.getByRole("button", { name: "还是换 α" }).click();
    await page.getByRole("log").getByText("再加一节方法", { exact: true }).waitFor();
    await expect.poll(() => worlds.locator("svg .here text:not(.number)").textContent()).toBe("α");
    await worlds.getByRole("button", { name: "换过去 β" }).click();
    await page.getByRole("log").getByText("数据从哪里来", { exact: true }).waitFor();
    await kurisu.settle();
    expect(kurisu.did()).toEqual([]);
  });
});
