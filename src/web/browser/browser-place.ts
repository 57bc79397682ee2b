import type { Browser } from "playwright-core";
import type { ForwardProxy } from "../forward-proxy.ts";

export type BrowserAvailability =
  | { readonly ok: true }
  /** Why there is none, and what to do about it. */
  | { readonly ok: false; readonly reason: string };

interface BrowserRequest {
  /** The browser's only way out. It does not listen yet. */
  readonly proxy: ForwardProxy;
  /** Ends the start; what was opened is ended by its `close`. */
  readonly signal: AbortSignal;
  /** Milliseconds for the start. */
  readonly limitMs: number;
}

export interface OpenedBrowser {
  readonly browser: Browser;
  /** Kills it. No process, file or listener of it is left afterwards. */
  close(): Promise<void>;
}

/** Where Chromium runs: in a container of its own, or on this machine. */
export interface BrowserPlace {
  /** As it was last seen. */
  availability(): BrowserAvailability;
  /** A Chromium with a fresh profile. Rejects with what went wrong; then nothing of it is left but the proxy. */
  openBrowser(request: BrowserRequest): Promise<OpenedBrowser>;
}
