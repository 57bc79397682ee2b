// full: a real Chromium
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { budgetOptions } from "../../src/models/budget-options.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { beginTrials, miraBook, miraCard, packPng } from "../support/console/trials.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";

const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const attack = `<img src=x onerror="document.title='run'">`;
const shipped = join(import.meta.dirname, "../../config/personas/default/persona.yaml");
const budget = () => budgetOptions.parse({ prices: { "scripted:one": { input: 10, output: 20 } } });
const hostile = packPng(
  miraCard({
    name: `Mira ${attack}`,
    description: `${attack}\u202E keeps the lighthouse. ${"gulls ".repeat(80)}`,
    system_prompt: `${attack} ${"x".repeat(300)}`,
  }),
);
const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

async function begin(options: TestGatewayOptions = {}) {
  const running = new TestGateway(options);
  // After the browser, which asks until it is closed.
  untilTestEnds(() => running.dispose());
  running.model.script = ({ request }) =>
    request.messages.length === 2 ? { text: `作为一个AI语言模型，我很乐意为您服务。` } : { text: `哼。${attack}` };
  const started = await beginTrials(running, { budget, page: findPageFiles() });
  started.addPersona("keeper", {
    "persona.yaml": readFileSync(shipped, "utf8").replace(/^id: default$/m, "id: keeper"),
    "soul.md": "# Keeper\n\nKeeps the lighthouse.",
    "lorebook.json": JSON.stringify(miraBook),
  });
  const origin = `http://127.0.0.1:${started.server.port}`;
  const [name = "", value = ""] = started.cookie.split("=");
  return {
    ...started,
    running,
    async open(look: PageLook = {}, persona = "keeper") {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/her/persona/${persona}`);
      await opened.page.locator(".trials").waitFor();
      return opened;
    },
  };
}

const drop = (page: Page, buffer: Buffer) =>
  page.locator('.trials input[type="file"]').setInputFiles({ name: "mira.png", mimeType: "image/png", buffer });
const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};
async function fillAll(page: Page): Promise<void> {
  await page.getByLabel("对她说", { exact: true }).fill("你是谁？");
  await page.getByRole("button", { name: "问她" }).click();
  await page.getByText("她会这样回").waitFor();
  await page.getByLabel("她的回复").fill("我是一个AI语言模型。");
  await page.getByRole("button", { name: "查", exact: true }).click();
  await page.getByRole("region", { name: "查一句回复" }).getByText("出戏").waitFor();
  await page.getByLabel("说的话").fill("lamp, gull, boat");
  await page.getByRole("button", { name: "看哪几条会来" }).click();
  await page.getByText("4 条里会来 2 条").waitFor();
  await drop(page, hostile);
  await page.locator(".able-review").waitFor();
}

describe.runIf(chromiumIsThere())("trials on the page", () => {
  it.each(looks)("all panels with answers are free of barriers and foreign scripts at $width, $theme", async (look) => {
    const { open } = await begin();
    const { complaints, findBarriers, page } = await open(look);
    await fillAll(page);
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await takePicture(page, `trials-${look.width}-${look.theme}`);
    const shown = await page.locator("main").innerText();
    expect(shown).toContain(attack);
    expect(shown).not.toContain("\u202E");
    expect(await page.title()).not.toBe("run");
    expect(await page.locator("main img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each(["en", "ja"] as const)("the panels and a card fit into 320 points in %s", async (language) => {
    const { open } = await begin();
    const { page } = await open({ width: 320, language });
    await drop(page, hostile);
    await page.locator(".able-review").waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await takePicture(page, `trials-320-${language}`);
  });

  it("a sentence is tried after its price was shown, and the mended reply says what was wrong", async () => {
    const { open, running } = await begin();
    const { page } = await open();
    await page.getByText(/大约用 .* token，花 0\.\d+/).waitFor();
    expect(await page.getByRole("button", { name: "问她" }).isDisabled()).toBe(true);
    await page.getByLabel("对她说", { exact: true }).fill("你是谁？");
    expect(running.model.asked).toEqual([]);
    await page.getByRole("button", { name: "问她" }).click();
    await page.getByText("第一次写的不能用").waitFor();
    await page.getByText("说自己是 AI、模型或程序").waitFor();
    expect(await page.locator(".trial-reply > blockquote").innerText()).toContain("哼。");
    await page.getByText("模型原来写的").click();
    expect(await page.locator(".trial-reply details blockquote").innerText()).toContain("作为一个AI语言模型");
    expect(running.model.asked).toHaveLength(2);
  });

  it("a reply is checked only when asked, and the old verdict goes with the first changed letter", async () => {
    const { open } = await begin();
    const { page } = await open();
    const panel = page.getByRole("region", { name: "查一句回复" });
    await panel.getByLabel("她的回复").fill("我是一个AI语言模型。");
    expect(await panel.locator(".chip").count()).toBe(0);
    await panel.getByRole("button", { name: "查" }).click();
    await panel.getByText("出戏").waitFor();
    await panel.getByLabel("她的回复").fill("灯塔今天也亮着。");
    expect(await panel.locator(".chip").count()).toBe(0);
    await panel.getByRole("button", { name: "查" }).click();
    await panel.getByText("像她", { exact: true }).waitFor();
  });

  it("the lorebook is there for a persona that has one, with the reasons of its entries", async () => {
    const { open } = await begin();
    const { page } = await open();
    const panel = page.getByRole("region", { name: "世界书" });
    await panel.getByLabel("说的话").fill("lamp, gull");
    await panel.getByRole("button").click();
    await panel.getByText("说到了 lamp").waitFor();
    expect(await panel.getByText("一直都来").count()).toBe(1);
    expect(await panel.getByText("关着").count()).toBe(1);
    const other = await open({}, "default");
    await other.page.getByText(/大约用/).waitFor();
    expect(await other.page.getByRole("region", { name: "世界书" }).count()).toBe(0);
  });

  it("a dropped card is shown with its instructions unticked, and becomes a persona by the button", async () => {
    const { folders, open, own } = await begin();
    const { page } = await open();
    await drop(page, packPng(miraCard()));
    await page.getByText("Answer in rhymes.").waitFor();
    expect(await page.getByLabel("连这些指令一起要").isChecked()).toBe(false);
    expect(existsSync(join(own, "mira"))).toBe(false);
    await page.getByLabel("名字（文件夹）").fill("default");
    await page.getByRole("button", { name: "做成人格" }).click();
    await page.getByText("这个名字是她自带的").waitFor();
    await page.getByLabel("名字（文件夹）").fill("mira");
    await page.getByRole("button", { name: "做成人格" }).click();
    await page.getByText("mira 放好了").waitFor();
    expect(readFileSync(join(folders.own, "mira", "soul.md"), "utf8")).not.toContain("rhymes");
    await page.getByRole("link", { name: "去看 mira" }).click();
    expect(new URL(page.url()).pathname).toBe("/console/her/persona/mira");
  });

  it("an earlier import goes only after a second step", async () => {
    const { open, own } = await begin();
    const { page } = await open();
    const soul = () => readFileSync(join(own, "mira", "soul.md"), "utf8");
    await drop(page, packPng(miraCard()));
    await page.getByRole("button", { name: "做成人格" }).click();
    await page.getByText("mira 放好了").waitFor();
    await drop(page, packPng(miraCard({ description: "{{char}} left." })));
    await page.getByLabel("连这些指令一起要").check();
    await page.getByRole("button", { name: "做成人格" }).click();
    await page.getByText("mira 已经有了").waitFor();
    await takePicture(page, "trials-replace");
    await page.getByRole("button", { name: "算了" }).click();
    expect(soul()).toContain("gull");
    await page.getByRole("button", { name: "做成人格" }).click();
    await page.getByRole("button", { name: "换掉它" }).click();
    await page.getByText("mira 放好了").waitFor();
    expect(soul()).toContain("left.");
    expect(soul()).toContain("Answer in rhymes.");
  });

  it("a file that is no card says so, and without a model the page says that nothing can be tried", async () => {
    const { open } = await begin({ isOffline: true });
    const { page } = await open();
    await page.getByText("没接模型").waitFor();
    await page.getByLabel("对她说", { exact: true }).fill("在吗");
    expect(await page.getByRole("button", { name: "问她" }).isDisabled()).toBe(true);
    await drop(page, Buffer.from("no card"));
    await page.getByText("The card is neither JSON").waitFor();
  });
});
