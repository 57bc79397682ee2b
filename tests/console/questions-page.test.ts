// full: a real Chromium
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import type { ConsoleParts } from "../../src/console/create-console.ts";
import { findPageFiles } from "../../src/console/page-files.ts";
import type { Readiness } from "../../src/kernel/http/mount-readiness.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import type { NewQuestion } from "../../src/store/queries/questions.ts";
import { chromiumIsThere } from "../support/chromium.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openBrowser, scrollsSideways, type PageLook, type WatchedPage } from "../support/console/open-browser.ts";
import { TestGateway } from "../support/gateway.ts";
import { findSharedData } from "../support/shared-data.ts";

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];
const injections = findSharedData("injections.jsonl");

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(
  words: readonly string[],
  asked: readonly Partial<NewQuestion>[] = [],
  parts: Partial<Pick<ConsoleParts, "readiness" | "streamLimits">> = {},
) {
  kurisu = new TestGateway({ builtin: ["file_write", "file_edit"] });
  await kurisu.start();
  await kurisu.say("你好", { user: "alice" });
  for (const text of words) {
    kurisu.clock.advance(1_000);
    await kurisu.say(text, { user: "alice" });
  }
  for (const question of asked) await insertQuestion(kurisu.store.main, askOf(question));
  const server = await startConsoleBeside(kurisu, { page: findPageFiles(), ...parts });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    server,
    async open(look: PageLook = {}): Promise<WatchedPage> {
      const opened = await openBrowser(origin, look);
      await opened.page.goto(`${origin}/console/`);
      await opened.page.getByRole("textbox").fill(server.makeCode().code);
      await opened.page.keyboard.press("Enter");
      await opened.page.locator(".waiting").waitFor();
      return opened;
    },
  };
}

/** A question that is only looked at: nothing waits for its answer. */
function askOf(changes: Partial<NewQuestion>): NewQuestion {
  const id = changes.id ?? "q_shown";
  return {
    id,
    code: "T4",
    session: "fake:bot:alice",
    turn: `turn_of_${id}`,
    interrupt: "i",
    asker: "fake:alice",
    askerName: "林溯",
    policy: "p",
    deadline: kurisu.clock.now() + 401_000,
    createdAt: kurisu.clock.now() - 199_000,
    calls: [],
    ...changes,
  };
}

const call = (tool: string, given: Record<string, string>, detail: string): NewQuestion["calls"][number] => ({
  call: `1.${tool}`,
  tool,
  arguments: given,
  hash: "h",
  summary: given["path"] ?? given["what"] ?? "",
  detail,
});
const todo = [
  "把周报发给教授（周五前）",
  "重跑 CA1 的 spike 分选，阈值 4.5 σ",
  "图 3 换成色盲友好的配色",
  "问 IRB 续期要不要重签同意书",
  "还苏遥的移液枪",
  "备份 NAS（上次：10/31）",
]
  .map((line) => `- [ ] ${line}\n`)
  .join("");
const writing = {
  ...call("file_write", { path: "todo.md", content: todo, mode: "write" }, todo),
  because: [{ kind: "taint", sources: ["blog.example"] }],
} satisfies NewQuestion["calls"][number];

const cards = (page: Page) => page.locator(".waiting > article");
const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

describe.runIf(chromiumIsThere())("the cards of the console", () => {
  const looks = ([390, 1280] as const).flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({ width, theme })),
  );

  it.each(looks)("show what would be done and why, without barriers, at $width, $theme", async (look) => {
    const { open } = await begin(
      ["poke a; poke b"],
      [
        { calls: [writing] },
        {
          id: "q_edit",
          code: "B3",
          calls: [call("file_edit", { path: "notes/plan.md", old: "一", new: "二\n三" }, "x")],
        },
      ],
    );
    const { complaints, findBarriers, page } = await open(look);
    await expect.poll(() => cards(page).count()).toBe(3);
    const card = page.locator("#q_shown");
    expect(await card.textContent()).toContain("blog.example");
    expect(await card.locator(".diff .l").count()).toBe(5);
    await card.focus();
    await takePicture(page, `cards-${look.width}-${look.theme}`);
    expect(await findBarriers()).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await card.getByRole("button", { name: "展开其余 1 行" }).click();
    expect(await card.locator(".diff .l").count()).toBe(6);
    expect(await page.title()).toBe("(3) 她很好。有 3 件事等你。 · Kurisu");
    expect(await page.locator(".count:visible").first().textContent()).toBe("3");
    await page.getByText("改成…").first().click();
    expect(await findBarriers()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each(["zh", "en", "ja"] as const)("fit into 320 points in %s", async (language) => {
    const { open } = await begin(["poke a; poke b"], [{ calls: [writing] }]);
    const { page } = await open({ width: 320, language });
    await expect.poll(() => cards(page).count()).toBe(2);
    await page.locator("details.more > summary").first().click();
    expect(await scrollsSideways(page)).toBe(false);
    await takePicture(page, `cards-320-${language}`);
  });

  it("a click on the button runs the call; its card becomes one line, which goes to those answered today", async () => {
    const { open } = await begin(["poke a"]);
    const { findBarriers, page } = await open();
    await page.getByRole("button", { name: /^确认/ }).click();
    await expect.poll(() => cards(page).textContent()).toMatch(/已确认poke a你 .* 在控制台答的/);
    expect(await page.locator(".waiting > article").evaluate((card) => card === card.ownerDocument.activeElement)).toBe(
      true,
    );
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a"]);
    expect(await page.title()).toBe("她很好。没有等你的事。 · Kurisu");
    await takePicture(page, "answered-1280-light");
    expect(await findBarriers()).toEqual([]);
    kurisu.clock.advance(61_000);
    await page.getByRole("heading", { level: 1 }).click();
    await page.evaluate("document.activeElement.blur()");
    await page.getByText("没有要你点头的事").waitFor();
    await page.getByText("今天答过的 1 件").click();
    expect(await page.locator(".answered .ended").textContent()).toContain("poke a");
    await takePicture(page, "empty-1280-light");
  });

  it("a key decides on the card that has the focus, and none does right after the focus came", async () => {
    const { open } = await begin(["poke a", "poke b"]);
    const { page } = await open();
    await expect.poll(() => cards(page).count()).toBe(2);
    await page.keyboard.press("y");
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await page.keyboard.press("j");
    await page.keyboard.press("n");
    await page.waitForTimeout(500);
    expect((await kurisu.questions()).length).toBe(2);
    await page.keyboard.press("n");
    await expect.poll(() => cards(page).nth(1).textContent()).toContain("已拒绝");
    await page.keyboard.press("k");
    await page.waitForTimeout(450);
    await page.keyboard.press("y");
    await expect.poll(() => cards(page).nth(0).textContent()).toContain("已确认");
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("a part of the calls is confirmed by their boxes, where a key does nothing", async () => {
    const { open } = await begin(["poke a; poke b"]);
    const { page } = await open();
    await page.getByRole("checkbox", { name: /1\. poke a/ }).uncheck();
    await page.waitForTimeout(450);
    await page.keyboard.press("y");
    await page.getByRole("button", { name: "确认 2" }).click();
    await expect.poll(() => cards(page).textContent()).toContain("已确认 2");
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["b"]);
  });

  it("one of two pages wins, and both show who did what", async () => {
    const { open } = await begin(["poke a"]);
    const [one, other] = [await open(), await open({ width: 390 })];
    await cards(other.page).waitFor();
    // The other page does not hear of it before its own answer.
    await other.page.route("**/api/questions", () => undefined);
    await one.page.getByRole("button", { name: /^拒绝/ }).click();
    await expect.poll(() => cards(one.page).textContent()).toContain("已拒绝");
    await other.page.getByRole("button", { name: /^确认/ }).click();
    await expect.poll(() => cards(other.page).textContent()).toContain("已拒绝");
    await kurisu.settle();
    expect(kurisu.did()).toEqual([]);
  });

  it("a new question comes below the others, and one that is answered in its chat keeps its place", async () => {
    const { open } = await begin(["poke a"], [{ id: "q_later", calls: [writing] }]);
    const { page } = await open();
    await expect.poll(() => cards(page).count()).toBe(2);
    const before = await cards(page).evaluateAll((all) => all.map(({ id }) => id));
    await page.locator(`[id="${before[0] ?? ""}"]`).focus();
    const prompt = kurisu.lastPrompt();
    await insertQuestion(
      kurisu.store.main,
      askOf({ id: "q_soon", deadline: kurisu.clock.now() + 30_000, calls: [writing] }),
    );
    await kurisu.press(prompt, "reject", { user: "alice" });
    await expect.poll(() => cards(page).count()).toBe(3);
    expect(await cards(page).evaluateAll((all) => all.map(({ id }) => id))).toEqual([...before, "q_soon"]);
    expect(await page.locator(".waiting .done").textContent()).toMatch(/已拒绝poke aalice .* 在 fake 点的/);
    await expect.poll(() => page.locator(".waiting > [aria-live]").textContent()).toContain("新的确认：T4 写 todo.md");
  });

  it("the card under the pointer or with the focus stays where it is, whatever comes and goes above it", async () => {
    const parts: Record<string, Readiness> = { store: { state: "ready", since: 1, detail: "" } };
    const { open } = await begin(["poke a"], [{ calls: [writing] }], {
      readiness: async () => parts,
      streamLimits: { healthMs: 50 },
    });
    const { page } = await open();
    const card = page.locator("#q_shown");
    const topOf = async () => Math.round((await card.boundingBox())?.y ?? -1);
    await card.getByRole("button", { name: /^确认/ }).hover();
    const before = await topOf();
    parts["qqbot"] = { state: "failed", since: 1, detail: "connects again" };
    await page.locator(".odd").waitFor();
    expect(await topOf()).toBe(before);
    delete parts["qqbot"];
    await page.locator(".odd").waitFor({ state: "detached" });
    expect(await topOf()).toBe(before);
    await page.mouse.move(5, 5);
    await card.focus();
    const focused = await topOf();
    await kurisu.press(kurisu.lastPrompt(), "reject", { user: "alice" });
    await page.locator(".waiting .done").waitFor();
    expect(await topOf()).toBe(focused);
  });

  it("Today is old while it cannot be read although the stream lives, and is read again by itself, once a second at most", async () => {
    const { open } = await begin([]);
    const { page } = await open();
    let reads = 0;
    let isBroken = true;
    await page.route("**/api/today", (route) => {
      reads += 1;
      return isBroken ? route.abort() : route.continue();
    });
    for (let at = 0; at < 20; at += 1) {
      await kurisu.say(`你好 ${at}`, { user: "alice" });
      await page.waitForTimeout(50);
    }
    await page.locator(".state.stale").waitFor();
    expect(await page.locator(".when").textContent()).toContain("的样子");
    expect(await page.locator(".nav .live").textContent()).toBe("实时");
    expect(reads).toBeLessThan(5);
    isBroken = false;
    await page.locator(".state:not(.stale)").waitFor();
  });

  it("nothing can be decided without a connection, and the deadline is a time of day", async () => {
    const { open } = await begin(["poke a"]);
    const { findBarriers, page } = await open({ width: 390 });
    await cards(page).waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("button", { name: /^确认/ }).click();
    await page.getByText("没送到，再试一次。").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^确认/ }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /^拒绝/ }).isDisabled()).toBe(true);
    expect(await page.locator(".ask .left").textContent()).toMatch(/\d\d:\d\d 到期$/);
    await takePicture(page, "cut-off-390-light");
    expect(await findBarriers()).toEqual([]);
    await page.unroute("**/api/**");
    await expect.poll(() => page.getByRole("button", { name: /^确认/ }).isEnabled(), { timeout: 10_000 }).toBe(true);
    expect(kurisu.did()).toEqual([]);
  });

  it("texts of others are text wherever the card shows them", async () => {
    const collected = injections.isThere ? injections.readRows().map((row) => (row as { text: string }).text) : [];
    const texts = [
      `<img src=x onerror="document.title='run'">\u202E`,
      `</code></pre><script>document.title='run'</script>`,
      `javascript:alert(1) ![x](http://evil.example/x.png) <a href="http://evil.example">y</a>`,
      ...collected.slice(0, 60),
    ];
    const { open } = await begin(
      [],
      texts.map((text, index) => ({
        id: `q_${index}`,
        turn: `turn_${index}`,
        askerName: text,
        agent: text,
        calls: [
          { ...writing, arguments: { path: "a.md", content: text, mode: "write" }, summary: text },
          {
            ...call("nothing", {}, text),
            summary: text,
            network: [text],
            because: [{ kind: "taint", sources: [text] }],
          },
        ],
      })),
    );
    const { complaints, page } = await open();
    await expect.poll(() => cards(page).count()).toBe(texts.length);
    while ((await page.locator(".fold").count()) > 0) await page.locator(".fold").first().click();
    expect(await page.locator(".waiting").locator("img, script, a, iframe").count()).toBe(0);
    expect(await page.locator("#q_0").textContent()).toContain("<img src=x onerror=");
    expect(await page.title()).toContain("她很好");
    expect(complaints).toEqual([]);
  });
});
