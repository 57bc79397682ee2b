import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserServer, Page } from "playwright-core";
import { describeError } from "../../core/errors.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import { checkUrl, type CheckedUrl } from "../check-url.ts";
import type { LookupOptions } from "../guarded-lookup.ts";
import { openGuardedProxy } from "../guarded-proxy.ts";
import { findBrowser, type FoundBrowser } from "./find-browser.ts";
import { listLaunchArguments } from "./launch-arguments.ts";

export interface OpenedPage {
  readonly page: Page;
  /** Hosts that the page wanted and did not get. */
  readonly refused: () => readonly string[];
  /** What can be said of an address before the proxy is asked for it. */
  readonly check: (address: string) => CheckedUrl;
}

interface PageRequest {
  readonly width: number;
  readonly height: number;
  /** Ends the browser at once. */
  readonly signal: AbortSignal;
  /** Milliseconds for everything, the start included, once it is our turn. */
  readonly limitMs: number;
}

type PageOutcome<T> =
  | { readonly ok: true; readonly value: T }
  /** One sentence: what went wrong, or that it was stopped. */
  | { readonly ok: false; readonly reason: string };

export interface Browser {
  readonly found: FoundBrowser;
  /** Does something with a fresh page. One browser at a time: it needs more memory than all the rest of us. */
  withPage<T>(request: PageRequest, work: (opened: OpenedPage) => Promise<T>): Promise<PageOutcome<T>>;
}

interface BrowserOptions extends LookupOptions {
  /** tools.browser.executable. */
  readonly executable?: string;
}

/** Bytes a page may load before it gets no more. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Chromium for one call: a profile of its own, a proxy of its own, none of our environment, and no process of it left
 * when the call has ended, however it ended.
 */
export function createBrowser({ executable, ...lookup }: BrowserOptions = {}): Browser {
  const found = findBrowser(executable);
  const turns = createSemaphore(1);
  const anyPort = lookup.allowAddress !== undefined;
  const check = (address: string): CheckedUrl => checkUrl(address, { anyPort });

  return {
    found,
    async withPage({ width, height, signal, limitMs }, work) {
      if (!found.ok) return { ok: false, reason: found.reason };
      const release = await turns.acquire(signal);
      if (release === undefined) return { ok: false, reason: "Stopped." };
      const expired = AbortSignal.timeout(limitMs);
      const ending = AbortSignal.any([signal, expired]);
      const folder = await mkdtemp(join(tmpdir(), "kurisu-browser-"));
      const proxy = await openGuardedProxy({ ...lookup, maxBytes: mostBytes });
      const running: { server?: BrowserServer } = {};
      const kill = (): void => void running.server?.kill();
      ending.addEventListener("abort", kill, { once: true });
      try {
        const { chromium } = await import("playwright-core");
        running.server = await chromium.launchServer({
          executablePath: found.executable,
          headless: true,
          host: "127.0.0.1",
          args: listLaunchArguments(proxy.port),
          // Chromium's own sandbox cannot be had as root.
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
        ending.throwIfAborted();
        const page = await openFreshPage(running.server.wsEndpoint(), { width, height });
        return { ok: true, value: await work({ page, refused: proxy.refused, check }) };
      } catch (error) {
        if (expired.aborted) return { ok: false, reason: `The page took longer than ${limitMs / 1000} s.` };
        if (signal.aborted) return { ok: false, reason: "Stopped." };
        return { ok: false, reason: describePageFault(error, proxy.refused()) };
      } finally {
        ending.removeEventListener("abort", kill);
        // Not closed but killed, the whole group: a page can hold a closing browser up.
        await running.server?.kill();
        await proxy.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        release();
      }
    },
  };

  async function openFreshPage(endpoint: string, viewport: { width: number; height: number }): Promise<Page> {
    const { chromium } = await import("playwright-core");
    const browser = await chromium.connect(endpoint);
    const context = await browser.newContext({
      viewport,
      acceptDownloads: false,
      permissions: [],
      serviceWorkers: "block",
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(10_000);
    context.setDefaultNavigationTimeout(20_000);
    // The proxy decides; this spares the page the attempt, and keeps ports and schemes out that never get to a proxy.
    await context.route("**/*", (route) =>
      check(route.request().url()).ok ? route.continue() : route.abort("blockedbyclient"),
    );
    const page = await context.newPage();
    context.on("page", (other) => {
      if (other !== page) void other.close().catch(() => undefined);
    });
    return page;
  }
}

/** Playwright's messages have a call log and colours after the first line. */
export function describePageFault(error: unknown, refused: readonly string[]): string {
  const [line = ""] = describeError(error).split("\n");
  const fault = line.replace(/^\w+(?:\.\w+)*: /, "").replace(/ at https?:\/\/\S+$/, "");
  const hosts = refused.length === 0 ? "" : ` Not public, so not opened: ${refused.join(", ")}.`;
  return `The page could not be used: ${fault}.${hosts}`;
}
