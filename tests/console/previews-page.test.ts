// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { noPreviews } from "../../src/kernel/questions/previews.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { Gate } from "../support/gate.ts";
import { TestGateway } from "../support/gateway.ts";

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(words: string, { hasFeature = true, ...look }: PageLook & { readonly hasFeature?: boolean } = {}) {
  kurisu = new TestGateway({ builtin: ["file_write"] });
  await kurisu.start();
  await kurisu.say(words, { user: "alice" });
  const { console: decisions } = kurisu.gateway;
  const server = await startConsoleBeside(kurisu, {
    page: findPageFiles(),
    decisions: hasFeature ? decisions : { ...decisions, supportsPreview: () => noPreviews.supports([]) },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const opened = await openBrowser(origin, look);
  await opened.page.goto(`${origin}/console/`);
  await opened.page.getByRole("textbox").fill(server.makeCode().code);
  await opened.page.keyboard.press("Enter");
  await card(opened.page).waitFor();
  return { origin, ...opened };
}

const card = (page: Page) => page.locator("article.ask");
const button = (page: Page) => card(page).getByRole("button", { name: /预览/ });
const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

describe.runIf(chromiumIsThere())("the preview of a card", () => {
  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  it.each(looks)(
    "a preview is shown as running, then with its result below the calls, at $width, $theme",
    async (look) => {
      const { complaints, findBarriers, page } = await begin("poke 周报", look);
      const gate = new Gate();
      kurisu.onPreview = async (_, { signal }) => {
        await gate.pass(signal);
        return { ok: true, output: { exit_code: 0, stdout: "<b>1</b> file\n", stderr: "", timed_out: false } };
      };
      await button(page).click();
      await card(page).getByText("正在工作区的副本上试……").waitFor();
      await expect.poll(() => button(page).isDisabled()).toBe(true);
      expect(await card(page).getByRole("button", { name: /^确认/ }).isEnabled()).toBe(true);
      await takePicture(page, `preview-runs-${look.width}-${look.theme}`);
      gate.open();
      await card(page).getByText("周报.txt").first().waitFor();
      expect(await card(page).locator(".trial").textContent()).toMatch(/预览的.*<b>1<\/b> file.*\+poked 周报/s);
      expect(await card(page).locator("b").filter({ hasText: "1" }).count()).toBe(0);
      await expect.poll(() => button(page).isEnabled()).toBe(true);
      await takePicture(page, `preview-${look.width}-${look.theme}`);
      expect(await findBarriers()).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      expect(complaints).toEqual([]);
      expect(kurisu.did()).toEqual([]);
    },
  );

  it("a result is found again after the page was loaded anew, in the conversation too, and goes with the question", async () => {
    const { origin, page } = await begin("poke a");
    await card(page).focus();
    await page.waitForTimeout(450);
    await page.keyboard.press("p");
    await card(page).getByText("+poked a").waitFor();
    await page.reload();
    await card(page).getByText("+poked a").waitFor();
    await page.goto(`${origin}/console/chats/${encodeURIComponent("fake:bot:alice")}`);
    await card(page).getByText("+poked a").waitFor();
    await card(page).getByRole("button", { name: /^确认/ }).click();
    await expect.poll(() => page.locator(".trial").count()).toBe(0);
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("a refusal says why and what to do", async () => {
    const { page } = await begin("poke a");
    await page.route("**/preview", (route) =>
      route.fulfill({ status: 409, json: { code: "running", message: "Its preview is still running." } }),
    );
    await button(page).click();
    await card(page).getByText("这件事已经有一次预览在跑。等它的结果，再按。").waitFor();
    await page.unroute("**/preview");
    await button(page).click();
    await card(page).getByText("+poked a").waitFor();
    expect(await card(page).getByRole("alert").textContent()).toBe("");
  });

  it("there is no button and no key where the feature is not there", async () => {
    const { page } = await begin("poke a", { hasFeature: false });
    expect(await button(page).count()).toBe(0);
    await card(page).focus();
    await page.waitForTimeout(450);
    await page.keyboard.press("p");
    await page.waitForTimeout(200);
    expect(await page.locator(".trial").count()).toBe(0);
    expect(kurisu.previews).toEqual([]);
  });
});
