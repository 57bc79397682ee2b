// full: a real Chromium
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { chromiumIsThere } from "../support/chromium.ts";
import { openBrowser, scrollsSideways } from "../support/console/open-browser.ts";
import { ownChat, playScene, type PlayedScene } from "../support/pictures/play-scene.ts";
import { scenes } from "../support/pictures/scenes.ts";
import { keepWith } from "../support/keep-until.ts";

/** The folder for screenshots, when one is set. */
const pictures = process.env["KURISU_CONSOLE_PICTURES"];

/** Every page, and what is there once it is complete. */
const pages = {
  today: ["", ".ask"],
  chats: ["chats", ".chats li"],
  chat: [`chats/${encodeURIComponent(ownChat)}`, ".thread"],
  talk: ["chats/console%3Alocal%3Amain", ".write"],
  persona: ["her/persona", ".trials"],
  memory: ["her/memory", "main h2, main .empty"],
  reminders: ["her/reminders", "main h2, main li"],
  tools: ["abilities/tools", ".able-table"],
  grants: ["abilities/grants", "main h1"],
  servers: ["abilities/mcp", "main h1"],
  skills: ["abilities/skills", "main h2, main li"],
  agents: ["abilities/agents", "main h1"],
  parts: ["system/parts", ".sys-list"],
  log: ["system/log", "main h1"],
  cost: ["system/cost", "main h1"],
  audit: ["system/audit", "main h1"],
  people: ["system/people", "main h1"],
  config: ["system/config", ".editor, main h1"],
} as const;

/**
 * Every language at every width. A theme only has other colours, and barriers, which know colours, are looked for in Chinese:
 * so the dark theme is in Chinese, and KURISU_TEST_FULL=1 adds it in the others.
 */
const isFull = process.env["KURISU_TEST_FULL"] === "1";
const looks = (["zh", "en", "ja"] as const).flatMap((language) =>
  ([390, 1280] as const).flatMap((width) =>
    (language === "zh" || isFull ? (["light", "dark"] as const) : (["light"] as const)).map((theme) => ({
      language,
      width,
      theme,
    })),
  ),
);

/** Words of controls and headings that their box cuts, and words that a dictionary lacks. */
const findFaultyWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const isCut = (box) =>
      box.offsetParent !== null && !box.matches(".sr, .skip") && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 &&
      getComputedStyle(box).overflowX !== "visible" && getComputedStyle(box).overflowX !== "auto";
    const cut = [...document.querySelectorAll("main :is(button, h1, h2, h3, th, dt, label, summary, .chip), nav a")]
      .filter(isCut)
      .map((box) => "cut: " + box.textContent);
    const beyond = [...document.querySelectorAll("main :is(a, button), nav a")]
      .filter((box) => box.checkVisibility() && box.getBoundingClientRect().right > innerWidth + 1)
      .map((box) => "beyond the window: " + box.textContent);
    const signs = ["undefined", "NaN", "[object", "=>"];
    const lacking = document.body.innerText.split("\\n").filter((line) => signs.some((sign) => line.includes(sign)));
    return [...cut, ...beyond, ...lacking.map((line) => "lacking: " + line)];
  })()`);

describe.runIf(chromiumIsThere())("every page of the console", () => {
  let scene: PlayedScene;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    scene = await keepWith(
      (end) => void ends.push(end),
      () => playScene(scenes.zh),
    );
    return async () => {
      await scene.stop();
      for (const end of ends.toReversed()) await end();
    };
  });

  it.each(looks)("fits its window at $width, $theme, in $language, and cuts and lacks no word", async (look) => {
    const { complaints, findBarriers, page } = await openBrowser(scene.url, look);
    await page.context().addCookies([scene.cookie]);
    const faults: string[] = [];
    for (const [name, [path, shows]] of Object.entries(pages)) {
      await page.goto(`${scene.url}/console/${path}`);
      await page.locator(shows).first().waitFor();
      // The rest of what the page reads.
      await page.waitForLoadState("load");
      await page.waitForTimeout(250);
      if (await scrollsSideways(page)) faults.push(`${name}: scrolls sideways`);
      faults.push(...(await findFaultyWords(page)).map((fault) => `${name}: ${fault}`));
      if (look.language === "zh") faults.push(...(await findBarriers()).map((fault) => `${name}: ${fault}`));
      if (pictures !== undefined)
        await page.screenshot({
          path: join(pictures, `matrix-${name}-${look.language}-${look.width}-${look.theme}.png`),
          fullPage: look.width === 1280,
        });
    }
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
