import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { checkUrl } from "../../../web/check-url.ts";
import { openGuardedAgent } from "../../../web/guarded-agent.ts";
import { createGuardedDial, RefusedByGuard } from "../../../web/guarded-dial.ts";
import type { LookupOptions } from "../../../web/guarded-lookup.ts";
import { openOutboundAgent } from "../../../web/outbound-proxy.ts";
import { readCapped } from "../../../web/read-capped.ts";

/** Logging in led to where we do not go. */
export class LoginRefused extends Error {
  override readonly name = "LoginRefused";
}

export interface LoginFetch {
  readonly fetch: FetchLike;
  /** The first refusal: the SDK takes some of them for an absent document and goes on. */
  refusal(): LoginRefused | undefined;
}

const timeoutMs = 15_000;
const maxAnswerLength = 1_000_000;

/**
 * Fetches metadata and tokens. The origin of the server in mcp.json and those that the operator lists may be private; any
 * other was named by the server, so it must be public and https. Redirects are left to the caller, nothing of the
 * configured headers goes along.
 */
export function createLoginFetch(server: URL, trusted: readonly string[], lookup: LookupOptions = {}): LoginFetch {
  const own = new Set([server.origin, ...trusted.map((one) => new URL(one).origin)]);
  let refused: LoginRefused | undefined;
  const refuse = (url: URL, reason: string): LoginRefused =>
    (refused ??= new LoginRefused(`logging in leads to ${url.origin}: ${reason}`));

  function check(url: URL): void {
    if (own.has(url.origin)) return;
    if (url.protocol !== "https:") throw refuse(url, "an address that the server names must be https.");
    const checked = checkUrl(url.href);
    if (!checked.ok) throw refuse(url, checked.reason);
  }

  const ask: FetchLike = async (address, init) => {
    const url = new URL(address);
    check(url);
    const undici = await import("undici");
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])]);
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connectTimeout: timeoutMs };
    const agent = own.has(url.origin)
      ? await openOutboundAgent(limits)
      : await openGuardedAgent(createGuardedDial(lookup), { timeoutMs, signal });
    try {
      const request = { ...init, signal, redirect: "manual", dispatcher: agent };
      const response = await undici.fetch(url, request as unknown as Parameters<typeof undici.fetch>[1]);
      const { body } = await readCapped(response.body, maxAnswerLength);
      const { status, statusText } = response;
      const bare = [204, 205, 304].includes(status);
      return new Response(bare ? null : new Uint8Array(body), { status, statusText, headers: [...response.headers] });
    } catch (error) {
      const guarded = findRefusal(error);
      throw guarded === undefined ? error : refuse(url, guarded);
    } finally {
      await agent.destroy();
    }
  };
  return { fetch: ask, refusal: () => refused };
}

/** undici wraps the cause in "fetch failed". */
function findRefusal(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedByGuard) return cause.message;
  return undefined;
}
