import type { Browser as PlaywrightBrowser, Page } from "playwright-core";
import { describeError } from "../../core/errors.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import { checkUrl, type CheckedUrl } from "../check-url.ts";
import type { LookupOptions } from "../guarded-lookup.ts";
import { createPublicProxy } from "../public-proxy.ts";
import type { BrowserAvailability, BrowserPlace, OpenedBrowser } from "./browser-place.ts";

export interface OpenedPage {
  readonly page: Page;
  /** Hosts that the page wanted and did not get. */
  readonly refused: () => readonly string[];
  /** Judges an address before the proxy is asked for it. */
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
  /** A sentence: the fault, or that it was stopped. */
  | { readonly ok: false; readonly reason: string };

export interface Browser {
  availability(): BrowserAvailability;
  /** Does something with a fresh page. One browser at a time: it needs more memory than all the rest of us. */
  withPage<T>(request: PageRequest, work: (opened: OpenedPage) => Promise<T>): Promise<PageOutcome<T>>;
}

/** The most that a page may load. */
const traffic = { bytes: 64 * 1024 * 1024, requests: 5_000 };
/** Hosts that are named as refused. */
const shownRefusals = 20;

/** Chromium for one call, with a proxy of its own; nothing of it is left when the call has ended, however it ended. */
export function createBrowser({ place, ...lookup }: LookupOptions & { readonly place: BrowserPlace }): Browser {
  const turns = createSemaphore(1);
  const anyPort = lookup.allowAddress !== undefined;
  const check = (address: string): CheckedUrl => checkUrl(address, { anyPort });

  return {
    availability: () => place.availability(),
    async withPage({ width, height, signal, limitMs }, work) {
      const available = place.availability();
      if (!available.ok) return available;
      const release = await turns.acquire(signal);
      if (release === undefined) return { ok: false, reason: "Stopped." };
      const expired = AbortSignal.timeout(limitMs);
      const ending = AbortSignal.any([signal, expired]);
      const refused = new Set<string>();
      const proxy = createPublicProxy({
        ...lookup,
        limits: traffic,
        record({ shown, verdict }) {
          if (verdict === "refused" && refused.size < shownRefusals) refused.add(shown.replace(/:(?:80|443)$/, ""));
        },
      });
      const listRefused = (): readonly string[] => [...refused];
      let opened: OpenedBrowser | undefined;
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => (closing ??= opened?.close());
      const kill = (): void => void close().catch(() => undefined);
      ending.addEventListener("abort", kill, { once: true });
      try {
        opened = await place.openBrowser({ proxy, signal: ending, limitMs });
        ending.throwIfAborted();
        const page = await openFreshPage(opened.browser, { width, height });
        return { ok: true, value: await work({ page, refused: listRefused, check }) };
      } catch (error) {
        if (expired.aborted) return { ok: false, reason: `The page took longer than ${limitMs / 1000} s.` };
        if (signal.aborted) return { ok: false, reason: "Stopped." };
        return { ok: false, reason: describePageFault(error, listRefused()) };
      } finally {
        ending.removeEventListener("abort", kill);
        try {
          await close();
        } finally {
          await proxy.close();
          release();
        }
      }
    },
  };

  async function openFreshPage(browser: PlaywrightBrowser, viewport: { width: number; height: number }): Promise<Page> {
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
