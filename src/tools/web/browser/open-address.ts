import type { Page } from "playwright-core";
import { checkUrl } from "../check-url.ts";
import { failureHeader } from "../guarded-proxy.ts";
import { describePageFault } from "./open-page.ts";

export type OpenedAddress =
  | { readonly ok: true; readonly url: string; readonly title: string; readonly status: number }
  | { readonly ok: false; readonly reason: string };

/** How long a page may go on loading after it can be read. */
const settleMs = 4_000;

/** Goes to an address, and waits until the page has come to rest or long enough. */
export async function openAddress(
  page: Page,
  address: string,
  refused: () => readonly string[],
): Promise<OpenedAddress> {
  // Ports are left to the proxy, which knows what may be reached; scheme, user and name are checked here.
  const checked = checkUrl(address, { anyPort: true });
  if (!checked.ok) return checked;
  try {
    const response = await page.goto(checked.url.href, { waitUntil: "domcontentloaded" });
    if (response?.headers()[failureHeader] !== undefined) {
      return { ok: false, reason: `The page could not be opened: ${await response.text()}` };
    }
    await settle(page);
    return { ok: true, url: page.url(), title: await page.title(), status: response?.status() ?? 0 };
  } catch (error) {
    return { ok: false, reason: describePageFault(error, refused()) };
  }
}

/** Pages that never rest are taken as they are. */
export async function settle(page: Page): Promise<void> {
  try {
    await page.waitForLoadState("networkidle", { timeout: settleMs });
  } catch (error) {
    if (page.isClosed() || !(error instanceof Error && error.name === "TimeoutError")) throw error;
  }
}
