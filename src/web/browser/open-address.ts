import type { Page } from "playwright-core";
import { failureHeader } from "../forward-request.ts";
import { describePageFault, type OpenedPage } from "./open-page.ts";

export type OpenedAddress =
  | { readonly ok: true; readonly url: string; readonly title: string; readonly status: number }
  | { readonly ok: false; readonly reason: string };

/** How long a page may go on loading after it can be read. */
const settleMs = 4_000;

/** Goes to an address, and waits until the page has come to rest or long enough. */
export async function openAddress({ page, refused, check }: OpenedPage, address: string): Promise<OpenedAddress> {
  const checked = check(address);
  if (!checked.ok) return checked;
  try {
    const response = await page.goto(checked.url.href, { waitUntil: "domcontentloaded" });
    if (response?.headers()[failureHeader] !== undefined) {
      return { ok: false, reason: `The page could not be opened: ${readAnswer(await response.text())}` };
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

/** The proxy's own sentence. */
function readAnswer(text: string): string {
  return text.replace(/^kurisu: /, "").trim();
}
