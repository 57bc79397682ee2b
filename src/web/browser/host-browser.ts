import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserPlace } from "./browser-place.ts";
import { listLaunchArguments } from "./launch-arguments.ts";
import { listenOnLoopback } from "../public-proxy.ts";

/**
 * Chromium as a process of this machine (`tools.browser.host: true`): none of our environment, but a page that breaks out
 * of it is on the host.
 */
export function createHostBrowser(options: { readonly executable?: string } = {}): BrowserPlace {
  const found = findBrowser(options.executable);

  return {
    availability: () => found,
    async openBrowser({ proxy, signal, limitMs }) {
      if (!found.ok) throw new Error(found.reason);
      const { chromium } = await import("playwright-core");
      const folder = await mkdtemp(join(tmpdir(), "kurisu-browser-"));
      const clear = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
      try {
        const port = await listenOnLoopback(proxy);
        // A name that no page can guess, and the only one Chromium can resolve: what slips past the proxy reaches no
        // host.
        const name = `${randomUUID()}.invalid`;
        const server = await chromium.launchServer({
          executablePath: found.executable,
          headless: true,
          host: "127.0.0.1",
          args: listLaunchArguments({
            proxy: `http://${name}:${port}`,
            resolverRules: `MAP ${name} 127.0.0.1, MAP * ~NOTFOUND`,
          }),
          // Chromium's own sandbox is not available to root.
          chromiumSandbox: process.getuid?.() !== 0,
          // None of our secrets, and nothing to write to but its own folder.
          env: {
            HOME: folder,
            TMPDIR: folder,
            XDG_RUNTIME_DIR: folder,
            PATH: "/usr/local/bin:/usr/bin:/bin",
            LANG: "C.UTF-8",
          },
          handleSIGINT: false,
          handleSIGTERM: false,
          handleSIGHUP: false,
          timeout: limitMs,
        });
        // Not closed but killed, the whole group: a page can hold a closing browser up.
        const close = async (): Promise<void> => {
          await server.kill();
          await clear();
        };
        try {
          signal.throwIfAborted();
          return { browser: await chromium.connect(server.wsEndpoint()), close };
        } catch (error) {
          await close();
          throw error;
        }
      } catch (error) {
        await clear();
        throw error;
      }
    },
  };
}

/** Where packages put Chromium and its relatives. */
const defaultPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/usr/local/bin/chromium",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

type FoundBrowser =
  | { readonly ok: true; readonly executable: string }
  /** Why there is none, and what to do about it. */
  | { readonly ok: false; readonly reason: string };

/** The configured browser, and no other in its stead; without a setting one in a common place. */
export function findBrowser(set?: string): FoundBrowser {
  const executable = (set === undefined ? defaultPlaces : [set]).find(isExecutable);
  if (executable !== undefined) return { ok: true, executable };
  const reason =
    set === undefined
      ? "No Chromium is on this machine: install it (Debian: apt install chromium fonts-noto-cjk), or name it in tools.yaml: tools.browser.executable."
      : `tools.yaml: tools.browser.executable is ${set}, which cannot be run.`;
  return { ok: false, reason };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
