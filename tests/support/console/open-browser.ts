import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { findBrowser } from "../../../src/web/browser/host-browser.ts";
import { untilTestEnds } from "../keep-until.ts";

export interface WatchedPage {
  readonly page: Page;
  /** Reports of the content security policy, errors of scripts, and requests to other origins: nothing is right. */
  readonly complaints: readonly string[];
  /** Serious faults of accessibility on the page as it is. */
  readonly findBarriers: () => Promise<readonly string[]>;
}

export interface PageLook {
  readonly width?: 320 | 390 | 1280;
  readonly theme?: "light" | "dark";
  readonly language?: "zh" | "en" | "ja";
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page of a real Chromium, closed with the test. */
export async function openBrowser(
  origin: string,
  { language = "zh", theme = "light", width = 1280 }: PageLook = {},
): Promise<WatchedPage> {
  const found = findBrowser();
  if (!found.ok) throw new Error(found.reason);
  const browser = await chromium.launch({
    executablePath: found.executable,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-dev-shm-usage"],
  });
  untilTestEnds(() => browser.close());
  const height = width === 1280 ? 900 : 844;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  await context.addCookies([{ name: "kurisu_language", value: language, url: origin }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|trusted ?(?:types|html|script)/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asks ${request.url()}`);
  });
  return {
    page,
    complaints,
    async findBarriers() {
      await page.evaluate(axe);
      const { violations } = await page.evaluate<{
        violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
      }>("axe.run()");
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
