// full: a real Chromium
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { findPageFiles } from "../../src/console/page-files.ts";
import { createLiveWatch, type WatchedView } from "../../src/kernel/turns/live-watch.ts";
import type { SessionActions } from "../../src/kernel/commands/session-actions.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { insertTurn } from "../../src/store/queries/turns.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { addChat, reply, say } from "../support/console/add-chat.ts";
import { startConsoleServer } from "../support/console/console-server.ts";
import { openBrowser, scrollsSideways, type PageLook } from "../support/console/open-browser.ts";

const id = "qq:10001:private:7";
const other = "telegram:bot:8";
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

const read = {
  id: "c1",
  name: "file_read",
  summary: "lfp_1126.npz",
  phrase: "",
  status: "done",
  timingMs: 31,
} as const;
const search = {
  id: "c2",
  name: "file_search",
  summary: '"artifact" 在 notes/',
  phrase: "",
  status: "started",
} as const;

async function openWatched(look: PageLook = {}) {
  const liveWatch = createLiveWatch(pino({ level: "silent" }));
  const asked: unknown[][] = [];
  const refusing = { isOn: false };
  const actions: SessionActions = {
    stop: async (...given) => (asked.push(["stop", ...given]), "stopped"),
    startOver: async (...given) => (asked.push(["new", ...given]), "done"),
    choose: async (session, choices) => {
      asked.push(["choose", session, choices]);
      return refusing.isOn ? { kind: "refused", text: "没有这个模型。" } : { kind: "done" };
    },
    listModels: () => ["deepseek:deepseek-chat", "openai:gpt"],
    canSteer: () => true,
  };
  const server = await startConsoleServer({ page: findPageFiles(), liveWatch, actions });
  const { store } = server;
  const now = Date.now();
  server.clock.advance(now - server.clock.now());
  await addChat(store, { id: other, at: now - 60_000, messages: [say("早", "苏遥", "telegram:8"), reply("早。")] });
  await addChat(store, {
    id,
    at: now - 50_000,
    turn: "turn_0",
    messages: [
      say("把昨天的 LFP 画成图", "林溯", "qq:7"),
      reply("画好了。"),
      say("theta 那一段为什么突然掉下去？", "林溯", "qq:7"),
    ],
  });
  await insertTurn(store.main, {
    id: "turn_1",
    session: id,
    inbox: "m1",
    input: JSON.stringify({ person: { id: "qq:7" } }),
    policy: "p",
    owner: "a",
    now,
  });
  const state: { text: string; tools: WatchedView["tools"] } = { text: "", tools: [read, search] };
  const turn = liveWatch.begin(id, "turn_1", async () => ({ turn: "turn_1", ...state }));
  const origin = `http://127.0.0.1:${server.port}`;
  const [name = "", value = ""] = (await server.addLogin("owner")).split("=");
  const opened = await openBrowser(origin, look);
  const { page } = opened;
  await page.context().addCookies([{ name, value, url: origin }]);
  await page.goto(`${origin}/console/chats/${encodeURIComponent(id)}`);
  const live = page.locator(".atwork");
  await live.waitFor();
  return {
    ...opened,
    live,
    asked,
    refusing,
    server,
    turn,
    say(text: string, tools: WatchedView["tools"] = state.tools) {
      Object.assign(state, { text, tools });
      turn.changed();
    },
    store: (text: string) =>
      store.main
        .transaction()
        .execute((tx) =>
          appendMessages(tx, { session: id, turn: "turn_1", taint: "user", now: Date.now(), messages: [reply(text)] }),
        ),
    takePicture: async (named: string) => {
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${named}.png`) });
    },
  };
}

const start = "先说结论：多半不是生理现象。";
const end = "掉下去的 1.8 秒里 **50 Hz** 的功率同时翻了四倍，是线没接好。";

describe.runIf(chromiumIsThere())("a running turn in the console", () => {
  it("its steps and its growing words stand below the last message and give way to the stored one, which is there once", async () => {
    const { complaints, findBarriers, live, page, say: speak, store, takePicture, turn } = await openWatched();
    await expect.poll(() => live.innerText()).toMatch(/读[\s\S]*lfp_1126\.npz[\s\S]*31 ms[\s\S]*在做[\s\S]*在想/);
    expect(await live.locator(".steps > .open").count()).toBe(1);
    speak(start);
    await live.getByText("多半不是生理现象").waitFor();
    expect(await live.innerText()).toContain("正在说");
    expect(await page.locator(".flow").getAttribute("aria-busy")).toBe("true");
    await takePicture("live-desktop");
    expect(await findBarriers()).toEqual([]);
    // Rows that are seen for a moment only are counted, too.
    await page.evaluate(`
      window.most = 0;
      window.least = 9;
      new MutationObserver(() => {
        const seen = document.querySelector(".flow").innerText.split("多半不是生理现象").length - 1;
        window.most = Math.max(window.most, seen);
        window.least = Math.min(window.least, seen);
      }).observe(document.querySelector(".flow"), { childList: true, subtree: true, characterData: true });
    `);
    speak(start + end, [read, { ...search, status: "done", timingMs: 8 }]);
    await live.getByText("50 Hz").waitFor();
    turn.end();
    await store(start + end);
    await expect.poll(() => live.count()).toBe(0);
    await page.locator("[data-position='4']").getByText("50 Hz").waitFor();
    expect(await page.evaluate("[window.least, window.most]")).toEqual([1, 1]);
    expect(await page.locator(".flow").getAttribute("aria-busy")).toBe("false");
    expect(
      await page.evaluate<number>(`(() => {
        const flow = document.querySelector(".flow");
        return flow.scrollHeight - flow.clientHeight - flow.scrollTop;
      })()`),
    ).toBeLessThan(2);
    expect(complaints).toEqual([]);
  });

  it("a turn that ends without a message goes after a moment, and another conversation shows nothing of it", async () => {
    const { live, page, say: speak, turn } = await openWatched();
    speak(start);
    await live.getByText("多半不是").waitFor();
    await page.getByRole("link", { name: /苏遥/ }).click();
    await page.getByRole("heading", { name: "苏遥" }).waitFor();
    await expect.poll(() => turn.isWatched()).toBe(false);
    expect(await live.count()).toBe(0);
    await page.getByRole("link", { name: /林溯/ }).first().click();
    await live.getByText("多半不是").waitFor();
    turn.end();
    await expect.poll(() => live.count(), { timeout: 8_000 }).toBe(0);
  });

  it("nothing is shown as running, and nothing can be pressed, while the connection is lost", async () => {
    const { live, page, say: speak, server } = await openWatched();
    speak(start);
    await live.getByText("多半不是").waitFor();
    await server.stop();
    await expect.poll(() => live.count()).toBe(0);
    expect(await page.getByRole("button", { name: "停下这一轮" }).isDisabled()).toBe(true);
  });

  it("the turn is stopped, and the menu chooses, starts over and exports, by keyboard too", async () => {
    const { asked, complaints, findBarriers, page, refusing, takePicture } = await openWatched();
    await page.getByRole("button", { name: "停下这一轮" }).click();
    await expect.poll(() => asked).toEqual([["stop", id, "login_owner"]]);
    const more = page.locator(".menu summary");
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("模型").selectOption("openai:gpt");
    await expect.poll(() => asked.at(-1)).toEqual(["choose", id, { model: "openai:gpt" }]);
    await expect.poll(() => page.locator(".told").innerText()).toBe("好了。");
    refusing.isOn = true;
    await page.getByRole("button", { name: "只计划，不动手" }).click();
    await expect.poll(() => page.locator(".told").innerText()).toBe("没有这个模型。");
    await takePicture("menu-desktop");
    expect(await findBarriers()).toEqual([]);
    const links = await page.locator(".menu a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links).toEqual(
      ["markdown", "json"].map((format) => `/api/sessions/${encodeURIComponent(id)}/export?format=${format}`),
    );
    await page.keyboard.press("Escape");
    expect(await page.locator(".menu .inside").isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "新的对话" }).click();
    await expect.poll(() => asked.at(-1)).toEqual(["new", id, "login_owner"]);
    await expect.poll(() => page.locator(".menu .inside").isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it.each([
    [320, "light", "ja"],
    [390, "dark", "zh"],
    [390, "light", "en"],
  ] as const)(
    "nothing of it is wider than a window of %i, and it has no barriers, %s, %s",
    async (width, theme, language) => {
      const { findBarriers, live, page, say: speak, takePicture } = await openWatched({ width, theme, language });
      speak(start + end);
      await live.getByText("50 Hz").waitFor();
      await takePicture(`live-${width}-${theme}-${language}`);
      expect(await scrollsSideways(page)).toBe(false);
      await page.locator(".menu summary").click();
      await page.locator(".menu select").first().waitFor();
      await takePicture(`menu-${width}-${theme}-${language}`);
      expect(await scrollsSideways(page)).toBe(false);
      expect(await findBarriers()).toEqual([]);
    },
  );
});
