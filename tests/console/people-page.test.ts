// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { saveLink } from "../../src/store/queries/account-links.ts";
import { savePairing, savePerson } from "../../src/store/queries/people.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";

const attack = `<img src=x onerror="document.title='run'">\u202E`;
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

let kurisu: TestGateway | undefined;
afterEach(async () => {
  await kurisu?.dispose();
  kurisu = undefined;
});

async function begin() {
  const running = (kurisu = new TestGateway({ members: ["carol"], groups: ["listed", "*"], admins: "member" }));
  running.trusted = ["tess"];
  running.model.script = () => ({ text: "知道了。" });
  await running.start();
  const { main } = running.store;
  const now = running.clock.now();
  await savePerson(main, { id: "fake:eve", name: "Eve", role: "member", now });
  await savePerson(main, { id: "fake:eve-2", name: `Eve ${attack}`, role: "trusted", now });
  await savePerson(main, { id: "fake:mallory", name: attack, role: "member", now });
  await savePerson(main, { id: "fake:group:lab", name: "lab", role: "member", now });
  for (const [account, acts] of [
    ["fake:eve", true],
    ["fake:eve-2", false],
  ] as const)
    await saveLink(main, { account, human: "human_1", acts, now });
  const waiting = { person: "fake:zoe", name: `Zoe ${attack}`, code: "8QJ4-M2XT", session: "fake:bot:zoe" };
  await savePairing(main, { ...waiting, created_at: now, expires_at: now + 3_600_000 }, 3);
  const server = await startConsoleBeside(running, { page: findPageFiles() });
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  return {
    running,
    async open(look: PageLook = {}) {
      const opened = await openBrowser(origin, look);
      await opened.page.context().addCookies([{ name, value, url: origin }]);
      await opened.page.goto(`${origin}/console/system/people`);
      await opened.page.locator(".folk li").first().waitFor();
      return opened;
    },
  };
}

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

const looks = ([390, 1280] as const).flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme })),
);

describe.runIf(chromiumIsThere())("the page of the people", () => {
  it.each(looks)("the people are shown without barriers and foreign scripts at $width, $theme", async (look) => {
    const { open } = await begin();
    const { complaints, findBarriers, page } = await open(look);
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByRole("button", { name: "请出去… Eve", exact: true }).click();
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, `people-${look.width}-${look.theme}`);
    expect(await page.title()).toBe("人 · Kurisu");
    expect(await page.locator("main").innerText()).not.toContain("\u202E");
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("the people fit into 320 points in %s", async (language) => {
    const { open } = await begin();
    const { page } = await open({ width: 320, language });
    expect(await scrollsSideways(page)).toBe(false);
  });

  it("the owner takes a role in two steps, after which she does not answer that person", async () => {
    const { open, running } = await begin();
    const { page } = await open();
    await page.getByRole("button", { name: "请出去… Eve", exact: true }).click();
    await page.getByRole("button", { name: "算了" }).click();
    await page.getByRole("button", { name: "请出去… Eve", exact: true }).click();
    await page.getByRole("button", { name: "请出去", exact: true }).click();
    await page.getByText("Eve 出去了。").waitFor();
    await expect.poll(() => page.locator(".folk").getByText("fake:eve", { exact: true }).count()).toBe(0);
    await running.channel.deliver(makeMessage("在吗", { user: "eve" }));
    await running.settle();
    expect(running.channel.sent).toEqual([]);
  });

  it("the owner trusts a person whom the configuration let in, parts a link, and lets a stranger in", async () => {
    const { open } = await begin();
    const { page } = await open();
    await page.getByRole("button", { name: "信任 fake:carol" }).click();
    await page.getByText("fake:carol 现在是信任的人。").waitFor();
    await page.getByRole("button", { name: "断开 fake:eve-2" }).click();
    await page.getByText("fake:eve-2 断开了，各有各的身份。").waitFor();
    await page.getByRole("button", { name: "放进来" }).click();
    await expect.poll(() => page.locator(".folk").getByText("fake:zoe").count()).toBe(1);
  });
});
