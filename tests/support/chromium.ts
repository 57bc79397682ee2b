import { findBrowser } from "../../src/web/browser/host-browser.ts";

/** For `describe.runIf(chromiumIsThere())`: the run has said so once, loudly, where it is not. */
export function chromiumIsThere(): boolean {
  return findBrowser().ok;
}
