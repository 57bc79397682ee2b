import { findBrowser } from "../../src/tools/web/browser/find-browser.ts";

/** Whether tests can use a real browser. Where one is required its absence is a failure, not a reason to leave out. */
export function chromiumIsThere(): boolean {
  const found = findBrowser();
  if (!found.ok && process.env["KURISU_REQUIRE_CHROMIUM"] === "1") throw new Error(found.reason);
  return found.ok;
}
