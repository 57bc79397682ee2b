// npm run docs:pictures takes the pictures of the docs again, from a real run of the program. `-- approval` or `-- console` takes only those.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { projectFolder } from "../../../src/core/project-folder.ts";
import { findBrowser } from "../../../src/web/browser/host-browser.ts";
import { keepWith } from "../keep-until.ts";
import { approvalScenes, playApproval } from "./play-approval.ts";
import { ownChat, playScene } from "./play-scene.ts";
import { renderChat } from "./render-chat.ts";
import { scenes, type Scene } from "./scenes.ts";

const folder = join(projectFolder, "docs", "pictures");

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

async function takeAll(scene: Scene, browser: Browser): Promise<void> {
  const { language } = scene;
  const { cookie, stop, url } = await playScene(scene);
  for (const shot of shots) {
    const context = await browser.newContext({ ...looks[shot.look], colorScheme: shot.theme });
    await context.addCookies([cookie, { name: "kurisu_language", value: language, url }]);
    const page = await context.newPage();
    await page.goto(`${url}/console/${shot.path}`);
    await page.locator(shot.shows).first().waitFor();
    await shot.before?.(page, scene);
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `${shot.name}.${language}.png`) });
    await context.close();
  }
  await stop();
}

/** The picture of README: a question in Telegram, its press and the answer, by the messages that the bot really sent. */
async function takeApproval(language: "zh" | "en", browser: Browser): Promise<void> {
  const moments = await playApproval(language);
  const { title, under } = approvalScenes[language];
  for (const theme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await page.setContent(renderChat(moments, { theme, title, under }));
    const path = join(folder, `approval.${language}.${theme}.png`);
    await page.locator("body").screenshot({ path, omitBackground: true });
    await context.close();
  }
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
    const only = process.argv[2];
    for (const scene of Object.values(scenes)) {
      if (only === undefined || only === "approval") await takeApproval(scene.language, browser);
      if (only === undefined || only === "console") await takeAll(scene, browser);
    }
  },
);
console.log(`The pictures are in ${folder}.`);
