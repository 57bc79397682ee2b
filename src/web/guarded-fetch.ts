import type { Response } from "undici";
import { describeError } from "../core/errors.ts";
import { checkUrl } from "./check-url.ts";
import { openGuardedAgent } from "./guarded-agent.ts";
import { createGuardedDial, RefusedByGuard } from "./guarded-dial.ts";
import type { LookupOptions } from "./guarded-lookup.ts";
import { readCapped } from "./read-capped.ts";

interface FetchRequest {
  readonly url: string;
  /** Lost for good when a redirect leads to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes after decompression; what is over them is cut off. */
  readonly maxBytes: number;
  /** Judges each address before it is asked, redirects as well; a sentence refuses it. Default: every public one. */
  readonly refuseAddress?: (url: URL) => string | undefined;
  /** Judges the Content-Type before the body is read; a sentence refuses it. Default: every type. */
  readonly refuseType?: (contentType: string) => string | undefined;
  readonly signal?: AbortSignal;
}

export type FetchOutcome =
  | {
      readonly kind: "answered";
      /** After redirects, without the fragment. */
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
      readonly truncated: boolean;
    }
  /**
   * refused = we do not go there, or do not take that; failed = the site or the network did not answer as it should.
   * `reached`: the reason may carry a word that a site chose (the host of a redirect, a type, the names of a certificate).
   */
  | { readonly kind: "refused" | "failed"; readonly reason: string; readonly reached?: boolean };

/** Never throws for what an address, a site or the network can do. */
export type GuardedFetch = (request: FetchRequest) => Promise<FetchOutcome>;

interface GuardedFetchOptions extends LookupOptions {
  /** For all hops together. */
  readonly timeoutMs?: number;
}

const userAgent = "Mozilla/5.0 (compatible; Kurisu; self-hosted assistant)";
const maxRedirects = 5;

/**
 * The one way to an address that a model, a page or a stranger named. GET only; nothing of ours goes along, and no
 * connection outlives its call.
 */
export function createGuardedFetch({ timeoutMs = 10_000, ...lookup }: GuardedFetchOptions = {}): GuardedFetch {
  const dial = createGuardedDial(lookup);
  const anyPort = lookup.allowAddress !== undefined;

  return async (request) => {
    const first = checkUrl(request.url, { anyPort });
    if (!first.ok) return { kind: "refused", reason: first.reason };
    const undici = await import("undici");
    const expired = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([expired, request.signal]) : expired;
    let reached = false;
    const agent = await openGuardedAgent(
      async (...place) => {
        const socket = await dial(...place);
        reached = true;
        return socket;
      },
      { timeoutMs, signal },
    );
    try {
      const outcome = await follow(first.url, request, (url, headers) =>
        undici.fetch(url, { dispatcher: agent, headers, redirect: "manual", signal }),
      );
      return outcome.kind === "answered" ? outcome : { ...outcome, reached };
    } catch (error) {
      return { ...describeFault(error, { request, expired, timeoutMs }), reached };
    } finally {
      await agent.destroy();
    }
  };

  async function follow(
    start: URL,
    request: FetchRequest,
    get: (url: URL, headers: Record<string, string>) => Promise<Response>,
  ): Promise<FetchOutcome> {
    let url = start;
    let given = request.headers ?? {};
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const refused = request.refuseAddress?.(url);
      if (refused !== undefined) return { kind: "refused", reason: refused };
      const response = await get(url, { "user-agent": userAgent, ...given });
      const location = redirectOf(response);
      if (location === undefined) return read(url, response, request);
      await response.body?.cancel();
      const next = checkUrl(location, { base: url, anyPort });
      if (!next.ok) return { kind: "refused", reason: `The page redirects to another address. ${next.reason}` };
      if (next.url.origin !== url.origin) given = {};
      url = next.url;
    }
    return { kind: "failed", reason: `The address redirects more than ${maxRedirects} times.` };
  }
}

const redirectStatuses = [301, 302, 303, 307, 308];

function redirectOf({ status, headers }: Response): string | undefined {
  return redirectStatuses.includes(status) ? (headers.get("location") ?? undefined) : undefined;
}

async function read(url: URL, response: Response, request: FetchRequest): Promise<FetchOutcome> {
  const contentType = response.headers.get("content-type") ?? "";
  const unwanted = request.refuseType?.(contentType);
  if (unwanted !== undefined) {
    await response.body?.cancel();
    return { kind: "refused", reason: unwanted };
  }
  const { body, truncated } = await readCapped(response.body, request.maxBytes);
  const shown = new URL(url);
  shown.hash = "";
  return { kind: "answered", url: shown.href, status: response.status, contentType, body, truncated };
}

function describeFault(
  error: unknown,
  {
    request,
    expired,
    timeoutMs,
  }: { readonly request: FetchRequest; readonly expired: AbortSignal; readonly timeoutMs: number },
): Exclude<FetchOutcome, { readonly kind: "answered" }> {
  const causes = listCauses(error);
  const refusal = causes.find((cause) => cause instanceof RefusedByGuard);
  if (refusal) return { kind: "refused", reason: refusal.message };
  if (request.signal?.aborted === true) return { kind: "failed", reason: "Stopped." };
  if (expired.aborted) {
    return {
      kind: "failed",
      reason: `The site did not answer within ${timeoutMs / 1000} s; try again or another one.`,
    };
  }
  const deepest = causes.at(-1);
  return { kind: "failed", reason: `The site could not be read: ${describeError(deepest)}.` };
}

/** undici wraps what went wrong in "fetch failed". */
function listCauses(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && causes.length < 8;) {
    causes.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
