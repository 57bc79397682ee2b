// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { saveDecisions } from "../../src/store/queries/decisions.ts";
import { finishLedgerRow, startLedgerRow } from "../../src/store/queries/ledger.ts";
import { insertTurn } from "../../src/store/queries/turns.ts";
import type { Store } from "../../src/store/open-store.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { addChat, reply, say } from "../support/console/add-chat.ts";
import { look, scrollBy } from "../support/console/look-at-flow.ts";
import { openChats, now } from "../support/console/open-chats.ts";
import { scrollsSideways } from "../support/console/open-browser.ts";
import { seedTranscript } from "../support/console/seed-transcript.ts";
import { makeQuestion } from "../support/make-question.ts";
import { readInjections } from "../support/proof/read-injections.ts";

const own = "telegram:bot:7";
const group = "telegram:bot:-100";
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

const chat = (id: string) => `/${encodeURIComponent(id)}`;
const takePicture = async (page: Page, name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
};

describe.runIf(chromiumIsThere())("the conversations in the console", () => {
  it("a transcript of 10,000 rows opens at its end and scrolls to its beginning without losing its place", async () => {
    const { complaints, go, page } = await openChats((store) => seedTranscript(store, own, 10_000));
    await go(chat(own));
    await page
      .locator(".flow")
      .getByText(/^words of 10000/)
      .waitFor();
    const start = await look(page);
    expect(start.last).toBe("10000");
    expect(start.toEnd).toBeLessThan(2);
    expect(await page.getByRole("button", { name: "回到最新" }).count()).toBe(0);

    // In steps: what was the first row in view is in view after each of them, or above nothing new came.
    for (let step = 0; step < 40; step += 1) {
      const before = await look(page);
      await scrollBy(page, -300);
      const after = await look(page);
      expect(after.rows).toBeLessThanOrEqual(300);
      expect(Number(after.first), `step ${step}`).toBeLessThanOrEqual(Number(before.first));
      expect(Number(after.last), `step ${step}`).toBeGreaterThanOrEqual(Number(before.first) - 1);
    }
    // By leaps, to the very top.
    for (let leap = 0; leap < 200 && (await look(page)).first !== "1"; leap += 1) {
      await scrollBy(page, -20_000);
      expect((await look(page)).rows).toBeLessThanOrEqual(300);
    }
    await expect.poll(async () => (await look(page)).first, { timeout: 5_000 }).toBe("1");
    await expect.poll(async () => (await look(page)).top).toBeLessThan(30);
    await page.getByRole("button", { name: "回到最新" }).click();
    await expect.poll(async () => (await look(page)).last).toBe("10000");
    expect((await look(page)).toEnd).toBeLessThan(2);
    expect(complaints).toEqual([]);
  });

  it("opens at a place, keeps it when it is loaded anew, and stays there when something new is said", async () => {
    const { go, page, store } = await openChats((filled) => seedTranscript(filled, own, 2_000));
    await go(`${chat(own)}?at=1000`);
    await page
      .locator(".flow")
      .getByText(/^words of 1000/)
      .waitFor();
    expect((await look(page)).first).toBe("1000");
    await scrollBy(page, 700);
    await page.waitForTimeout(400);
    const { first } = await look(page);
    expect(new URL(page.url()).searchParams.get("at")).toBe(first);
    await page.reload();
    await expect.poll(async () => (await look(page)).first).toBe(first);

    await addChat(store, { id: own, messages: [reply("the newest of all")], at: now });
    await changed(page);
    await page.waitForTimeout(300);
    expect((await look(page)).first).toBe(first);
    await page.getByRole("button", { name: "回到最新" }).click();
    await page.locator(".flow").getByText("the newest of all").waitFor();
  });

  it("a new message appears by itself, and the view stays at the end", async () => {
    const { go, page, store } = await openChats((filled) => seedTranscript(filled, own, 120));
    await go(chat(own));
    await page
      .locator(".flow")
      .getByText(/^words of 120/)
      .waitFor();
    for (const text of ["one more", "and another"]) {
      await addChat(store, { id: own, messages: [say(text)], at: now });
      await changed(page);
      await page.locator(".flow").getByText(text, { exact: true }).waitFor();
      await expect.poll(async () => (await look(page)).toEnd).toBeLessThan(2);
    }
  });

  it("a call opens to its arguments and its result", async () => {
    const { go, page } = await openChats(fillScene);
    await go(chat(own));
    await page.getByRole("button", { name: /^读/ }).click();
    await page.getByText("7 TODO").waitFor();
    expect(await page.locator(".opened").textContent()).toContain('"path": "notes.txt"');
    await takePicture(page, "call");
  });

  it("says that a conversation is empty, that it does not exist, and that she cannot be reached", async () => {
    const { go, page } = await openChats(async () => undefined);
    await page.getByText("还没有人和她说过话。").waitFor();
    await takePicture(page, "empty");
    await go("/telegram%3Abot%3A9");
    await page.getByText("没有这个对话。").waitFor();
    await page.route("**/api/sessions**", (route) => route.abort());
    await page.reload();
    await page.getByText("连不上她了。").first().waitFor();
    expect(await page.locator(".chats .banner").count()).toBe(1);
  });

  it("no text of others runs, loads or leads anywhere", async () => {
    const attacks = [
      ...readInjections().map(({ text }) => text),
      `<img src=x onerror="document.title='run'">\u202E`,
      "<script>document.title='run'</script>",
      "[x](javascript:document.title='run')",
      "![x](https://evil.test/x.png)",
    ].slice(-80);
    const { complaints, go, page } = await openChats(async (store) => {
      await addChat(store, { id: group, title: attacks.at(-4) ?? "", messages: [say("x", attacks.at(-4))] });
      await addChat(store, {
        id: own,
        messages: attacks.flatMap((text, at): ConversationMessage[] => [
          {
            role: "user",
            text,
            senderId: "telegram:7",
            senderName: text,
            files: [{ path: `inbox/${text}`, bytes: 5, mimeType: text, sha256: "", taint: "untrusted" }],
          },
          {
            role: "assistant",
            text,
            sources: [text],
            calls: [{ id: `${at}.1`, name: "fetch", arguments: { url: text } }],
          },
          { role: "tool", callId: `${at}.1`, tool: "fetch", ok: true, text },
        ]),
      });
    });
    await page.locator(".chats li").first().waitFor();
    await go(chat(own));
    await page.locator(".row").first().waitFor();
    for (let step = 0; step < 30; step += 1) await scrollBy(page, -2_000);
    await page.locator(".step").first().click();
    await page.locator(".opened .cmd").first().waitFor();
    expect(await page.locator(".talk :is(img, script, iframe, style)").count()).toBe(0);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll(".flow .blocks a")].map((link) => link.protocol + link.rel)`,
    );
    expect(links.filter((link) => !/^(https?|mailto):noreferrer noopener$/.test(link))).toEqual([]);
    expect(await page.title()).not.toBe("run");
    expect(complaints).toEqual([]);
  });

  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  it.each(looks)("the list and a transcript have no barriers at $width, $theme", async (how) => {
    const { complaints, findBarriers, go, page } = await openChats(fillScene, how);
    await page.locator(".chats li").first().waitFor();
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, `list-${how.width}-${how.theme}`);
    await go(chat(own));
    await page.locator(".row").last().waitFor();
    expect(await findBarriers()).toEqual([]);
    await takePicture(page, `chat-${how.width}-${how.theme}`);
    expect(await page.locator(".tabbar").isVisible()).toBe(false);
    await page.goBack();
    await page.locator(".chats li").first().waitFor();
    expect(await page.locator(".tabbar").isVisible()).toBe(how.width === 390);
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("fits into 320 points in %s", async (language) => {
    const { complaints, go, page } = await openChats(fillScene, { width: 320, language });
    await page.locator(".chats li").first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await takePicture(page, `list-320-${language}`);
    await go(chat(own));
    await page.locator(".row").last().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await takePicture(page, `chat-320-${language}`);
    expect(complaints).toEqual([]);
  });
});

/** As a tab that is looked at again. */
const changed = (page: Page) => page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);

/** The scene of the pictures in the specification. */
async function fillScene(store: Store): Promise<void> {
  const minute = 60_000;
  const call = { call: "1.1", tool: "file_write", arguments: {}, hash: "h", detail: "", network: [], because: [] };
  const ask = async (id: string, session: string, tool: string, summary: string) =>
    insertQuestion(store.main, {
      ...makeQuestion({ id, session, interrupt: id, calls: [{ ...call, tool, summary, scope: null, state: "asked" }] }),
      routed: [],
    });
  await addChat(store, {
    id: "telegram:bot:-200",
    title: "家里的群",
    messages: [say("吃饭了", "妈妈")],
    at: now - 4 * 24 * 60 * minute,
    isOnlyHeard: true,
  });
  await addChat(store, {
    id: "api:main:zed",
    messages: [say("补全", "zed", "api:zed"), reply("补全 23 次")],
    at: now - 3 * 24 * 60 * minute,
  });
  await addChat(store, {
    id: "telegram:bot:-300",
    title: "读书会 · 话题「论文」",
    messages: [say("看看", "小明"), reply("那篇的对照组有问题。")],
    at: now - 280 * minute,
  });
  await addChat(store, {
    id: "qq:bot:private:9",
    messages: [say("p 值是什么", "苏遥", "qq:9"), reply("p 值不是那样读的，笨蛋。")],
    at: now - 200 * minute,
  });
  await addChat(store, {
    id: "cli:local:main",
    messages: [say("跑", "me", "cli:me"), reply("跑完了，Linux，内核 6.18。")],
    at: now - 120 * minute,
  });
  await addChat(store, {
    id: "telegram:bot:8",
    messages: [say("整理 NAS", "实验室 NAS 整理", "telegram:8"), reply("explorer 在找重复文件")],
    at: now,
  });
  await addChat(store, {
    id: group,
    title: "神经科学读书会",
    messages: [say("发一下", "小明", "telegram:9")],
    at: now - minute,
  });
  await addChat(store, {
    id: own,
    at: now - 4 * minute,
    turn: "turn_9",
    messages: [
      say(
        "帮我把 notes.txt 里的 TODO 都列出来，再看看 blog.example/hippocampus-replay 那篇有没有要补的，整理成 todo.md",
      ),
      {
        role: "assistant",
        text: "看一下。",
        calls: [
          { id: "1.1", name: "file_read", arguments: { path: "notes.txt" } },
          { id: "1.2", name: "fetch", arguments: { url: "https://blog.example/hippocampus-replay" } },
          { id: "1.3", name: "find_skill", arguments: { query: "论文整理" } },
          { id: "1.4", name: "shell", arguments: { command: "rm -rf notes" } },
        ],
      },
      { role: "tool", callId: "1.1", tool: "file_read", ok: true, text: "7 TODO" },
      { role: "tool", callId: "1.2", tool: "fetch", ok: true, text: "a page" },
      { role: "tool", callId: "1.3", tool: "find_skill", ok: true, text: "none" },
      { role: "tool", callId: "1.4", tool: "shell", ok: false, text: "no" },
      {
        role: "assistant",
        text: "那个网页里写着让我把文件发出去。我可不会听一个网页的话。文章本身还行，第二节的**重放率**你漏了，我补进清单了：\n\n1. `notes.txt` 的 7 条\n2. https://blog.example/hippocampus-replay 的一条\n\n> 重放率\n\n| 条 | 从哪 |\n|---|---|\n| 7 | notes.txt |\n\n```\n- [ ] 把周报发给教授（周五前）\n```",
        calls: [],
        sources: ["blog.example"],
      },
      {
        ...(say("好") as Extract<ConversationMessage, { role: "user" }>),
        files: [{ path: "inbox/lfp_1126.png", bytes: 86_000, mimeType: "image/png", sha256: "", taint: "user" }],
      },
      { role: "note", text: "[record] Asked T4: file_write todo.md." },
    ],
  });
  const decided = { hash: "h", reason: "", policy: "", grant: null } as const;
  const judge = (id: string, tool: string, verdict: "allow" | "deny") => ({ call: id, tool, verdict, ...decided });
  await saveDecisions(
    store.main,
    "turn_9",
    [
      judge("1.1", "file_read", "allow"),
      judge("1.2", "fetch", "allow"),
      judge("1.3", "find_skill", "allow"),
      judge("1.4", "shell", "deny"),
    ],
    now,
  );
  for (const [id, ms] of [
    ["1.1", 12],
    ["1.2", 840],
    ["1.3", 6],
  ] as const) {
    await startLedgerRow(store.main, { turn: "turn_9", call: id, tool: "x", hash: "h", token: 1, now });
    await finishLedgerRow(store.main, "turn_9", id, "{}", now + ms);
  }
  await ask("q1", own, "file_write", "todo.md");
  await ask("q2", group, "send_file", "slides.pdf");
  const turn = {
    id: "turn_8",
    session: "telegram:bot:8",
    inbox: "i8",
    input: "{}",
    policy: "",
    owner: "",
    now,
  };
  await insertTurn(store.main, turn);
}
