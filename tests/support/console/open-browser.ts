import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page, Request } from "playwright-core";
import { untilTestEnds } from "../keep-until.ts";
import { waitUntil } from "../wait-until.ts";
import { openSharedChromium } from "./shared-chromium.ts";

export interface WatchedPage {
  readonly page: Page;
  /** Reports of the content security policy, errors of scripts, and requests to other origins: nothing is right. */
  readonly complaints: readonly string[];
  /** Serious faults of accessibility on the page as it is. */
  readonly findBarriers: () => Promise<readonly string[]>;
  /** Waits until the page has read everything it asked for, has drawn it, and no transition of it runs. */
  readonly settle: () => Promise<void>;
}

export interface PageLook {
  readonly width?: 320 | 390 | 1280;
  readonly theme?: "light" | "dark";
  readonly language?: "zh" | "en" | "ja";
}

/** Two frames, and then the end of whatever moves; a spinner has no end. */
const drawn = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
      .map(({ finished }) => finished),
  ).then(() => undefined))`;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page of a real Chromium in a context of its own, closed with the test. */
export async function openBrowser(
  origin: string,
  { language = "zh", theme = "light", width = 1280 }: PageLook = {},
): Promise<WatchedPage> {
  const browser = await openSharedChromium();
  const height = width === 1280 ? 900 : 844;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  untilTestEnds(() => context.close());
  await context.addCookies([{ name: "kurisu_language", value: language, url: origin }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|trusted ?(?:types|html|script)/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const pending = new Set<Request>();
  const end = (request: Request) => void pending.delete(request);
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  page.on("request", (request) => {
    // The stream of events ends only with the page.
    if (request.isNavigationRequest()) pending.clear();
    if (request.resourceType() !== "eventsource") pending.add(request);
    if (new URL(request.url()).origin !== origin) complaints.push(`asks ${request.url()}`);
  });
  return {
    page,
    complaints,
    async settle() {
      await page.waitForLoadState("load");
      do {
        await waitUntil("the end of what the page reads", () => pending.size === 0);
        await page.evaluate(drawn);
      } while (pending.size > 0);
    },
    async findBarriers() {
      await page.evaluate(axe);
      const { violations } = await page.evaluate<{
        violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
      }>(`axe.run({ resultTypes: ["violations"] })`);
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
        );
    },
  };
}

/** Whether the page is wider than its window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
