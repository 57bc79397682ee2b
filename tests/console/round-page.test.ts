// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { endTurn } from "../../src/store/queries/turns.ts";
import { insertModelCall } from "../../src/store/queries/model-calls.ts";
import type { Store } from "../../src/store/open-store.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { addChat, reply, say } from "../support/console/add-chat.ts";
import { addTurn } from "../support/console/add-turn.ts";
import { startConsoleServer } from "../support/console/console-server.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";
import { readInjections } from "../support/proof/read-injections.ts";

const own = "telegram:bot:7";
const now = Date.UTC(2026, 10, 28, 13, 6);
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const model = "deepseek:deepseek-chat";
const request = { turn: "turn_9", model, isEstimated: false, end: "answered" } as const;

async function openChat(fill: (store: Store) => Promise<void>, look: PageLook = {}) {
  const server = await startConsoleServer({ page: findPageFiles() });
  server.clock.advance(now - server.clock.now());
  await fill(server.store);
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  const opened = await openBrowser(origin, look);
  const { page } = opened;
  await page.context().addCookies([{ name, value, url: origin }]);
  await page.clock.setFixedTime(now);
  const go = async (query = "") => {
    await page.goto(`${origin}/console/chats/${encodeURIComponent(own)}${query}`);
    await page.locator(".row").first().waitFor();
  };
  await go();
  return { ...opened, go, store: server.store };
}

const takePicture = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
};

/** The scene of the pictures in the specification: the second round waits for approval. */
async function fillScene(store: Store): Promise<void> {
  const at = now - 4 * 60_000;
  await addChat(store, { id: own, messages: [say("早"), reply("早。")], turn: "turn_8", at: at - 3_600_000 });
  await addChat(store, {
    id: own,
    turn: "turn_9",
    at,
    messages: [
      say("帮我把 notes.txt 里的 TODO 都列出来，整理成 todo.md"),
      {
        role: "assistant",
        text: "看一下。",
        calls: [
          { id: "1.1", name: "file_read", arguments: { path: "notes.txt" } },
          { id: "1.2", name: "fetch", arguments: { url: "https://blog.example/hippocampus-replay" } },
        ],
      },
      { role: "tool", callId: "1.1", tool: "file_read", ok: true, text: "7 TODO" },
      { role: "tool", callId: "1.2", tool: "fetch", ok: true, text: "a page" },
      { role: "assistant", text: "写之前先给你看：", calls: [], sources: ["blog.example"] },
    ],
  });
  await addTurn(store, { id: "turn_8", session: own, at: at - 3_600_000, endsAt: at - 3_590_000 });
  await addTurn(store, {
    id: "turn_9",
    session: own,
    at,
    taint: "untrusted",
    sources: ["blog.example"],
    requests: [
      { startedAt: at, ms: 1_200, input: 3_100, cached: 2_740, output: 188, cost: 6_000 },
      { round: 2, startedAt: at + 2_100, ms: 1_900, input: 3_112, cached: 2_740, output: 200, cost: 6_000 },
    ],
    calls: [
      { call: "1.1", tool: "file_read", argument: "notes.txt", verdict: "allow", end: { at: at + 1_212, ms: 12 } },
      {
        call: "1.2",
        tool: "fetch",
        argument: "https://blog.example/hippocampus-replay",
        verdict: "allow",
        end: { at: at + 2_052, ms: 840 },
      },
      { call: "1.3", tool: "task", verdict: "allow", end: { at: at + 2_100, ms: 900 } },
      {
        call: "1.4",
        tool: "shell",
        argument: "rm -rf notes",
        verdict: "deny",
        reason: "Only the owner may run commands.",
        end: { at: at + 1_200, ms: 0, how: "denied" },
      },
      { call: "2.1", tool: "file_write", verdict: "ask", reason: "file_write asks by default" },
    ],
    question: {
      code: "T4",
      createdAt: now - 199_000,
      shownAt: now - 199_000,
      call: { call: "2.1", summary: "todo.md" },
    },
  });
  await addTurn(store, {
    id: "task_1",
    session: own,
    at: at + 1_300,
    endsAt: at + 2_000,
    parent: { turn: "turn_9", call: "1.3", agent: "explorer" },
    calls: [{ call: "1.1", tool: "file_search", argument: "*.md", verdict: "allow", end: { at: at + 1_900, ms: 90 } }],
  });
}

describe.runIf(chromiumIsThere())("one turn in the console", () => {
  it("at full width the newest turn stands beside the conversation, and the time of a message leads to its own", async () => {
    const { page } = await openChat(fillScene);
    const look = page.getByRole("complementary", { name: /^这一轮/ });
    await look.getByText("想第 2 次").waitFor();
    const shown = await look.innerText();
    for (const text of [
      "deepseek-chat",
      "0.012",
      "6,212（缓存 5,480）",
      "388",
      "3 分 19 秒",
      "放行 3 个调用",
      "拦下 1 个调用",
      "840 ms",
      "turn_9",
    ])
      expect(shown).toContain(text);
    expect(await page.getByRole("link", { name: "这一轮", exact: true }).isVisible()).toBe(false);
    await page
      .getByRole("link", { name: /看这一轮$/ })
      .first()
      .click();
    await look.getByText("turn_8").waitFor();
    expect(new URL(page.url()).searchParams.get("turn")).toBe("turn_8");
    await page.goBack();
    await look.getByText("turn_9").waitFor();
  });

  it("a turn that runs is followed to its end", async () => {
    const { page, store } = await openChat(async (filled) => {
      await addChat(filled, { id: own, messages: [say("写")], at: now });
      await addTurn(filled, { id: "turn_9", session: own, at: now, requests: [{ ms: 1_000, input: 11 }] });
    });
    const look = page.locator(".look");
    await look.getByText("正在做").waitFor();
    await insertModelCall(store.main, {
      ...request,
      round: 2,
      startedAt: now,
      ms: 2_500,
      input: 31,
      output: 5,
      cached: 0,
      cost: 0,
    });
    await addChat(store, { id: own, messages: [reply("快了")], turn: "turn_9", at: now });
    await look.getByText("想第 2 次").waitFor();
    await endTurn(store.main, { turn: "turn_9", token: 1 }, "stopped", now + 5_000);
    await look.getByText("叫停了").waitFor();
    expect(await look.innerText()).toContain("42");
  });

  it("on a phone the turn is a sheet that a button opens, that Esc and Back close, and that gives the focus back", async () => {
    const { complaints, findBarriers, go, page } = await openChat(fillScene, { width: 390 });
    expect(await page.locator(".look").count()).toBe(0);
    const button = page.getByRole("link", { name: "这一轮", exact: true });
    await button.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: /^这一轮/ });
    await sheet.getByText("想第 2 次").waitFor();
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, "sheet-390");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await button.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    expect(new URL(page.url()).searchParams.has("turn")).toBe(false);

    await go();
    await page
      .getByRole("link", { name: /看这一轮$/ })
      .last()
      .click();
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: "detached" });
    expect(await page.locator(".row").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it("says that a turn is not there, and that nothing was answered yet", async () => {
    const { go, page } = await openChat((store) => addChat(store, { id: own, messages: [say("在吗")] }));
    await page.getByText("这里她还没有答过话。").waitFor();
    await go("?turn=turn_404");
    await page.getByText("没有这一轮了。").waitFor();
    expect(await page.locator(".look .tree").count()).toBe(0);
  });

  it("no word of others in a turn is more than text", async () => {
    const attacks = [
      "<script>document.title='run'</script>",
      "[x](javascript:document.title='run')",
      `${"long".repeat(200)}\u202E`,
      ...readInjections().map(({ text }) => text),
      `<img src=x onerror="document.title='run'">`,
    ].slice(0, 40);
    const { complaints, page } = await openChat(async (store) => {
      await addChat(store, { id: own, messages: [say("x")] });
      await addTurn(store, {
        id: "turn_9",
        session: own,
        at: now,
        person: attacks.at(-1) ?? "",
        sources: attacks.slice(-5),
        requests: [{ model: attacks.at(-1) ?? "" }],
        calls: attacks.map((text, at) => ({
          call: `1.${at + 1}`,
          tool: text,
          argument: text,
          verdict: "deny",
          reason: text,
          end: { at: now, ms: 0, how: "denied" },
        })),
      });
    });
    await page
      .locator(".tree .because")
      .nth(attacks.length - 1)
      .waitFor();
    expect(await page.locator(".look :is(img, script, iframe, style, a)").count()).toBe(0);
    expect(await page.title()).not.toBe("run");
    expect(
      await page.evaluate(`document.querySelector(".look").scrollWidth > document.querySelector(".look").clientWidth`),
    ).toBe(false);
    await takePicture(page, "attacks");
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)("the column has no barriers in %s", async (theme) => {
    const { findBarriers, page } = await openChat(fillScene, { theme });
    await page.locator(".tree").getByText("想第 2 次").waitFor();
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, `round-1280-${theme}`);
  });

  it.each(["zh", "en", "ja"] as const)("the sheet fits into 320 points in %s", async (language) => {
    const { complaints, go, page } = await openChat(fillScene, { width: 320, language, theme: "dark" });
    await go("?turn=turn_9");
    await page.locator(".bottom-sheet .tree li").first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(
      await page.evaluate(
        `document.querySelector(".bottom-sheet").scrollWidth > document.querySelector(".bottom-sheet").clientWidth`,
      ),
    ).toBe(false);
    await takePicture(page, `sheet-320-${language}`);
    expect(complaints).toEqual([]);
  });
});
