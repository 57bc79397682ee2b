// full: a real Chromium
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConsoleParts } from "../../src/console/create-console.ts";
import { findPageFiles } from "../../src/console/page-files.ts";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";
import { deleteLogin, listLogins } from "../../src/store/queries/console-sessions.ts";
import { insertPause } from "../../src/store/queries/pause.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleServer, type ConsoleServer } from "../support/console/console-server.ts";
import { patienceMs } from "../support/patience.ts";
import { openBrowser, scrollsSideways, type PageLook, type WatchedPage } from "../support/console/open-browser.ts";

const since = Date.UTC(2026, 10, 22, 3);
const part = (state: Readiness["state"], detail: string): Readiness => ({ state, since, detail });
const well = {
  telegram: part("ready", "connected as @kurisu_bot"),
  model: part("ready", "openai:gpt-5 ready"),
  store: part("ready", "sqlite"),
  sandbox: part("off", "switched off in sandbox.yaml"),
};
const attack = `<img src=x onerror="document.title='run'">\u202E`;

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

async function openPage(
  look: PageLook = {},
  parts: Readonly<Record<string, Readiness>> = well,
  streamLimits: ConsoleParts["streamLimits"] = {},
): Promise<WatchedPage & { readonly server: ConsoleServer }> {
  const server = await startConsoleServer({ page: findPageFiles(), readiness: async () => parts, streamLimits });
  const origin = `http://127.0.0.1:${server.port}`;
  const opened = await openBrowser(origin, look);
  await opened.page.goto(`${origin}/console/`);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  return { ...opened, server };
}

async function signIn({ page, server }: { readonly page: WatchedPage["page"]; readonly server: ConsoleServer }) {
  await page.getByRole("textbox").fill(server.makeCode().code);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").or(page.locator(".topbar")).first().waitFor();
  await page.locator(".glance").waitFor();
}

async function takePicture(page: WatchedPage["page"], name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

describe.runIf(chromiumIsThere())("the page of the console", () => {
  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  it.each(looks)("the sign-in and Today have no barriers at $width, $theme", async (look) => {
    const opened = await openPage(look, { ...well, qqbot: part("degraded", "connects again for 3 minutes") });
    const { page, complaints } = opened;
    expect(await opened.findBarriers()).toEqual([]);
    await takePicture(page, `sign-in-${look.width}-${look.theme}`);
    await page.getByRole("button", { name: "用密码登录" }).click();
    await page.getByLabel("密码").waitFor();
    expect(await opened.findBarriers()).toEqual([]);
    await takePicture(page, `password-${look.width}-${look.theme}`);
    await page.getByRole("button", { name: "用一次性的码登录" }).click();
    await signIn(opened);
    expect(await opened.findBarriers()).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("她在，有 1 处要看一眼。");
    await takePicture(page, `today-${look.width}-${look.theme}`);
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("fits into 320 points in %s", async (language) => {
    const opened = await openPage({ width: 320, language });
    expect(await scrollsSideways(opened.page)).toBe(false);
    await takePicture(opened.page, `sign-in-320-${language}`);
    await signIn(opened);
    expect(await scrollsSideways(opened.page)).toBe(false);
    await takePicture(opened.page, `today-320-${language}`);
    expect(await opened.page.evaluate("document.documentElement.lang")).toMatch(language);
    expect(opened.complaints).toEqual([]);
  });

  it("a wrong code, an old one and too many are told apart", async () => {
    const { page, server } = await openPage({ width: 390 });
    const told = page.getByRole("alert");
    await page.getByRole("textbox").fill("wrong-234");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => told.textContent())
      .toBe("这个码已经没用了：用过了、过期了，或者错得太多。要一个新的，运行下面那行。");
    server.makeCode();
    for (let at = 0; at < 2; at += 1) {
      await page.getByRole("textbox").fill("wrong-234");
      await page.keyboard.press("Enter");
      await expect.poll(() => told.textContent()).toBe("不是这个码。");
    }
    for (let at = 0; at < 5; at += 1) await server.logIn({ code: "WRONG234" });
    await page.getByRole("textbox").fill("wrong-234");
    await page.keyboard.press("Enter");
    await expect.poll(() => told.textContent()).toMatch(/^错得太多，再等 \d+ 秒。$/);
    expect(await page.getByRole("button", { name: "进去" }).isDisabled()).toBe(true);
    await takePicture(page, "sign-in-wait");
  });

  it("a refusal of the request is told in the server's own words, as text", async () => {
    const { page, complaints } = await openPage();
    await page.route("**/api/login", (route) =>
      route.fulfill({ status: 403, json: { code: "forbidden", message: `Not from here ${attack}` } }),
    );
    await page.getByRole("textbox").fill("wrong-234");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Not from here <img");
    expect(complaints).toEqual([]);
  });

  it("where a password is set the sign-in asks for it first, and does not say that the terminal shows a code", async () => {
    const server = await startConsoleServer({ page: findPageFiles(), password: "a long phrase" });
    const origin = `http://127.0.0.1:${server.port}`;
    const { page } = await openBrowser(origin);
    await page.goto(`${origin}/console/`);
    await page.getByLabel("密码").waitFor();
    await page.getByRole("button", { name: "用一次性的码登录" }).click();
    expect(await page.locator("#hint").textContent()).toContain("运行下面那行");
  });

  it("a sign-out or the end of another device's session that fails says so", async () => {
    const opened = await openPage();
    const { page, server } = opened;
    await server.addLogin("owner", "login_other");
    await signIn(opened);
    await page.route("**/api/log*/**", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.getByRole("button", { name: /^让它退出/ }).click();
    await page.getByText("没能让它退出，再试一次。").waitFor();
    await page.route("**/api/logout", (route) => route.abort());
    await page.getByRole("button", { name: "退出", exact: true }).first().click();
    await page.getByText("没退出成，再试一次。").waitFor();
    expect(await opened.findBarriers()).toEqual([]);
  });

  it("no text of others becomes anything but text", async () => {
    const opened = await openPage({}, { ...well, [attack]: part("failed", attack) });
    await signIn(opened);
    expect(await opened.page.locator(".glance img").count()).toBe(0);
    expect(await opened.page.locator(".glance").textContent()).toContain("<img src=x onerror=");
    expect(await opened.page.title()).not.toBe("run");
    expect(opened.complaints).toEqual([]);
  });

  it("no address of the page opens a connection elsewhere", async () => {
    const opened = await openPage();
    const { origin } = new URL(opened.page.url());
    await opened.page.goto(
      `${origin}/console/any/path?gatewayUrl=ws://evil.example&api=http://evil.example#//evil.example`,
    );
    await opened.page.getByRole("heading", { level: 1 }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it("the page shows within a moment that she was paused, that a part broke, and that another browser signed in", async () => {
    const parts = { ...well };
    const opened = await openPage({ width: 390, theme: "dark" }, parts, { healthMs: 50 });
    const { page, server } = opened;
    await signIn(opened);
    const heading = () => page.getByRole("heading", { level: 1 }).textContent();
    await page.locator(".topbar").getByText("实时").waitFor();
    await server.addLogin("owner", "login_other");
    await page.getByRole("button", { name: /^让它退出/ }).waitFor();
    parts.model = part("failed", "no answer");
    await expect.poll(heading).toBe("模型连不上。");
    await insertPause(server.store.main, { since, person: "telegram:1", name: "林溯" });
    await expect.poll(heading).toMatch(/^全部停着（林溯 按的，.*11:00）。$/);
    await takePicture(page, "paused-390-dark");
  });

  it.each([390, 1280] as const)(
    "at a width of %d the page says that the connection is lost, tries again by itself, and shows what happened in between",
    async (width) => {
      const opened = await openPage({ width, theme: "light" });
      const { page, server } = opened;
      await signIn(opened);
      const state = page.locator(width === 390 ? ".topbar .live" : ".nav .live");
      await expect.poll(() => state.textContent()).toBe("实时");
      await server.stop();
      await expect.poll(() => state.textContent()).toBe("断线");
      expect(await page.locator(".banner").textContent()).toMatch(/^连不上她了，(?:\d 秒后再试。|正在再试。)现在试$/);
      expect(await page.locator(".when").textContent()).toContain("的样子");
      expect(await opened.findBarriers()).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await takePicture(page, `lost-${width}`);
      await insertPause(server.store.main, { since, person: "telegram:1", name: "林溯" });
      await startConsoleServer({
        page: findPageFiles(),
        store: server.store,
        port: server.port,
        version: "0.0.1-next",
      });
      await expect.poll(() => state.textContent(), { timeout: patienceMs }).toBe("实时");
      await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("全部停着");
      expect(await page.locator(".banner").count()).toBe(0);
      await page.getByRole("button", { name: "换了新版本，刷新" }).first().waitFor();
      expect(opened.complaints).toEqual([]);
    },
  );

  it("the page goes back to the door when its session is ended elsewhere", async () => {
    const opened = await openPage();
    const { page, server } = opened;
    await signIn(opened);
    await page.locator(".nav .live").getByText("实时").waitFor();
    const [own] = await listLogins(server.store.main, server.clock.now());
    await deleteLogin(server.store.main, own?.id ?? "");
    await page.getByRole("heading", { name: "先证明你是你" }).waitFor();
    expect(await page.locator(".nav").count()).toBe(0);
  });

  it("the fifth page of a browser puts the first to rest until it is looked at", async () => {
    const opened = await openPage();
    await signIn(opened);
    const state = (page: WatchedPage["page"]) => page.locator(".nav .live");
    await state(opened.page).getByText("实时").waitFor();
    for (let at = 0; at < 4; at += 1) {
      const page = await opened.page.context().newPage();
      await page.goto(opened.page.url());
      await state(page).getByText("实时").waitFor();
    }
    await state(opened.page).getByText("连接中").waitFor();
    await opened.page.bringToFront();
    await opened.page.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => state(opened.page).textContent()).toBe("实时");
  });
});

describe("the files of the page", () => {
  const files = findPageFiles();

  it("the files are small, and every one is there in three forms", async () => {
    if (files === undefined) throw new Error("the page is not built");
    const { list } = files;
    const size = async (name: string) => gzipSync((await files.read(name, ""))?.body ?? "").byteLength;
    const first = (await size(list.script)) + (await size(list.words.zh));
    expect(first).toBeLessThan(60_000);
    expect(await size(list.style)).toBeLessThan(15_000);
    expect((await files.read(list.script, "br;q=0, gzip;q=0.5"))?.encoding).toBe("gzip");
    expect((await files.read(list.script, "br; Q=0.00, gzip;q=0, *"))?.encoding).toBeUndefined();
    for (const name of list.files) {
      const [plain, gzip, brotli] = await Promise.all(
        ["", "gzip, deflate", "gzip, br"].map((one) => files.read(name, one)),
      );
      expect([plain?.encoding, gzip?.encoding, brotli?.encoding]).toEqual([undefined, "gzip", "br"]);
    }
  });

  it.runIf(chromiumIsThere())("a phone may put the page on its home screen, with an icon of its own", async () => {
    const { complaints, page } = await openPage();
    const browser = await page.context().newCDPSession(page);
    const { data = "", errors } = await browser.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { icons, start_url: start } = JSON.parse(data) as { icons: { src: string }[]; start_url: string };
    expect(start).toBe("/console/");
    const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
    // A browser without a window has no place to install to.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
    const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
    expect(icons.map(({ src }) => src)).toContain(touchIcon);
    const image = await page.request.get(new URL(touchIcon ?? "", page.url()).href);
    expect(image.headers()["content-type"]).toBe("image/png");
    expect((await image.body()).subarray(1, 4).toString()).toBe("PNG");
    expect(complaints).toEqual([]);
  });

  it("the files are kept for a year by their hash; no other file of the machine is given out", async () => {
    const server = await startConsoleServer({ page: files });
    const { script = "" } = files?.list ?? {};
    const path = `/console/assets/${script}`;
    const answer = await server.send({ path, headers: { host: "localhost", "accept-encoding": "br" } });
    expect(answer.status).toBe(403);
    const own = { host: `127.0.0.1:${server.port}` };
    const { headers, status } = await server.send({ path, headers: { ...own, "accept-encoding": "br" } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "content-encoding": "br", "cache-control": "public, max-age=31536000, immutable" });
    for (const name of ["page.json", "..%2f..%2fpackage.json", `${script}.br`])
      expect((await server.send({ path: `/console/assets/${name}`, headers: own })).status, `the file ${name}`).toBe(
        404,
      );
  });

  it("when they are missing, the document says so without a script", async () => {
    const server = await startConsoleServer();
    const { status, text } = await server.send({ path: "/console/", headers: { host: `127.0.0.1:${server.port}` } });
    expect(status).toBe(503);
    expect(text).toContain("npm start");
  });
});
