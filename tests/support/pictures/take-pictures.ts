// npm run docs:pictures: makes the pictures of docs/console.md anew, from a real run of the program.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { tables } from "../../../src/assembly/features.ts";
import { projectFolder } from "../../../src/core/project-folder.ts";
import { insertReminder } from "../../../src/features/reminders/queries/reminders.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { addUsage } from "../../../src/store/queries/usage.ts";
import { findBrowser } from "../../../src/web/browser/host-browser.ts";
import { addChat, reply, say } from "../console/add-chat.ts";
import { keepWith } from "../keep-until.ts";
import { owner, startTelegramStory, type TelegramStory } from "../kurisu-process/telegram-story.ts";
import { scenes, scriptScene, type Scene } from "./scenes.ts";

const folder = join(projectFolder, "docs", "pictures");
const dayMs = 24 * 3_600_000;
const ownChat = "telegram:987654321:4242";

const looks = {
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
} as const;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly look: keyof typeof looks;
  readonly theme: "light" | "dark";
  /** Is there when the page is complete. */
  readonly shows: string;
  readonly before?: (page: Page, scene: Scene) => Promise<void>;
}

const shots: readonly Shot[] = [
  { name: "today", path: "", look: "desktop", theme: "light", shows: ".ask" },
  { name: "card", path: "", look: "phone", theme: "dark", shows: ".ask", before: toCard },
  { name: "chat", path: `chats/${encodeURIComponent(ownChat)}`, look: "desktop", theme: "light", shows: ".look dl" },
  { name: "talk", path: "chats/console%3Alocal%3Amain", look: "phone", theme: "light", shows: ".write", before: talk },
  { name: "abilities", path: "abilities", look: "desktop", theme: "dark", shows: ".able-table", before: askWhy },
  { name: "system", path: "system", look: "desktop", theme: "light", shows: ".sys-list" },
];

async function toCard(page: Page): Promise<void> {
  await page.locator(".ask").first().scrollIntoViewIfNeeded();
  await page.evaluate("document.querySelector('.waiting').scrollIntoView({ block: 'start' }); scrollBy(0, -60)");
}

async function talk(page: Page, { asked }: Scene): Promise<void> {
  await page.locator(".write textarea").fill(asked);
  await page.keyboard.press("Enter");
  await page.locator(".said:not(.p)").last().waitFor();
  await page.waitForTimeout(1_500);
}

async function askWhy(page: Page): Promise<void> {
  const why = page.locator(".able-lab");
  await why.locator("select").first().selectOption("shell");
  await why.locator("textarea").fill('{"command": "npm test"}');
  await why.locator("button.yes").click();
  await page.waitForTimeout(500);
}

/** What was before today: costs of two weeks, a group, a reminder. */
async function fillHistory(story: TelegramStory, { group, language, owner: name, reminder }: Scene): Promise<void> {
  const store = await openStore({ home: story.folder.home }, tables);
  const now = Date.now();
  const session = "telegram:987654321:-1001";
  await addChat(store, {
    id: session,
    title: group.title,
    at: now - 3 * 3_600_000,
    messages: group.lines.map(([who, text]) => (who === "" ? reply(text) : say(text, who, `telegram:${who}`))),
  });
  for (let ago = 13; ago >= 0; ago -= 1) {
    const day = new Intl.DateTimeFormat("sv", { timeZone: "Asia/Shanghai" }).format(now - ago * dayMs);
    const share = 0.25 + ((ago * 7) % 11) / 10;
    const tokens = { input: Math.round(610_000 * share), output: Math.round(21_000 * share) };
    const used = { calls: 40, estimated: 0, cached: Math.round(430_000 * share), cost: Math.round(900_000 * share) };
    await addUsage(store.main, {
      day,
      person: `telegram:${owner}`,
      session,
      model: "deepseek-chat",
      ...tokens,
      ...used,
    });
  }
  await insertReminder(store.main, {
    id: "reminder_1",
    person: `telegram:${owner}`,
    name,
    session,
    text: reminder,
    task: false,
    schedule: { kind: "once", at: now + 14 * 3_600_000 } as never,
    zone: "Asia/Shanghai",
    language,
    taint: "owner",
    sources: [],
    nextDue: now + 14 * 3_600_000,
    now,
  });
  await store.close();
}

async function takeAll(scene: Scene, browser: Browser): Promise<void> {
  const { language, owner: name } = scene;
  const story = await startTelegramStory({
    script: scriptScene(scene),
    environment: { KURISU_MODEL: "openai:deepseek-chat", KURISU_TIMEZONE: "Asia/Shanghai" },
  });
  await fillHistory(story, scene);
  const kurisu = await story.start();
  const from = { id: owner, name, locale: language };
  story.say(scene.question, { from });
  await story.hear(/尖波|ripple/);
  story.sendFile({ content: Buffer.from(scene.notes), name: "notes.txt", caption: scene.task, from });
  await story.fake.waitForMessage(({ keyboard }) => keyboard.length > 0, 60_000);
  story.fake.sendText({
    chat: 5151,
    text: scene.stranger.says,
    from: { id: 5151, name: scene.stranger.name, locale: language },
  });
  await story.quiet();

  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const [cookieName = "", value = ""] = (entered.headers.getSetCookie()[0]?.split(";")[0] ?? "").split("=");
  for (const shot of shots) {
    const context = await browser.newContext({ ...looks[shot.look], colorScheme: shot.theme });
    await context.addCookies([
      { name: cookieName, value, url: kurisu.url },
      { name: "kurisu_language", value: language, url: kurisu.url },
    ]);
    const page = await context.newPage();
    await page.goto(`${kurisu.url}/console/${shot.path}`);
    await page.locator(shot.shows).first().waitFor();
    await shot.before?.(page, scene);
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `${shot.name}.${language}.png`) });
    await context.close();
  }
  await kurisu.stop();
}

const found = findBrowser();
if (!found.ok) throw new Error(found.reason);
mkdirSync(folder, { recursive: true });
await using stack = new AsyncDisposableStack();
const browser = await chromium.launch({
  executablePath: found.executable,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ["--disable-dev-shm-usage"],
});
stack.defer(() => browser.close());
await keepWith(
  (end) => stack.defer(async () => end()),
  async () => {
    for (const scene of Object.values(scenes)) await takeAll(scene, browser);
  },
);
console.log(`The pictures are in ${folder}.`);
