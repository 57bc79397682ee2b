import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "../../../src/web/browser/host-browser.ts";

let running: Promise<Browser> | undefined;

/**
 * One Chromium for a whole worker, since its start costs more than most tests with a page. Each test has a context of its own,
 * with its own cookies, cache and connections. Chromium ends with the process.
 */
export function openSharedChromium(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** For a process that ends only once nothing is left to do. */
export async function closeSharedChromium(): Promise<void> {
  await (await running)?.close();
}

async function launch(): Promise<Browser> {
  const forget = () => (running = undefined);
  try {
    const found = findBrowser();
    if (!found.ok) throw new Error(found.reason);
    const browser = await chromium.launch({
      executablePath: found.executable,
      chromiumSandbox: process.getuid?.() !== 0,
      args: ["--disable-dev-shm-usage"],
    });
    browser.on("disconnected", forget);
    return browser;
  } catch (error) {
    forget();
    throw error;
  }
}
