import { findPageFiles } from "../../../src/console/page-files.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { startConsoleServer } from "./console-server.ts";
import { openBrowser, type PageLook } from "./open-browser.ts";

/** The time that the page of `openChats` has. */
export const now = Date.UTC(2026, 10, 28, 13, 6);

/** The conversations in a browser, with its owner signed in. */
export async function openChats(fill: (store: Store) => Promise<void>, look: PageLook = {}) {
  const server = await startConsoleServer({ page: findPageFiles() });
  server.clock.advance(now - server.clock.now());
  await fill(server.store);
  const origin = `http://127.0.0.1:${server.port}`;
  const cookie = await server.addLogin("owner");
  const [name = "", value = ""] = cookie.split("=");
  const opened = await openBrowser(origin, look);
  const { page } = opened;
  await page.context().addCookies([{ name, value, url: origin }]);
  await page.clock.setFixedTime(now);
  const go = async (path: string) => {
    await page.goto(`${origin}/console/chats${path}`);
    await page.locator(".talk").waitFor();
  };
  await go("");
  return { ...opened, go, store: server.store, origin };
}
