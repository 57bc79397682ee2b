import { describeError } from "../../core/errors.ts";
import { checkUrl } from "../../web/check-url.ts";
import { openGuardedAgent } from "../../web/guarded-agent.ts";
import { createGuardedDial } from "../../web/guarded-dial.ts";
import { openOutboundAgent } from "../../web/outbound-proxy.ts";

type PutAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export type PutBytes = (url: string, content: Buffer) => Promise<PutAnswer>;

/** A piece of some megabytes on a slow line. */
const timeoutMs = 60_000;

/**
 * Hands bytes to an address that Tencent's server names: a public one with https, through the guard. Only a server at
 * the very place of `QQ_API_ROOT` may have any address. Redirects are not followed.
 */
export function createPutBytes(apiRoot: string, signal: AbortSignal): PutBytes {
  const own = new URL(apiRoot).origin;
  return async (address, content) => {
    const url = URL.parse(address);
    const isOwn = url?.origin === own;
    const checked = checkUrl(address);
    if (url === null || (!isOwn && (!checked.ok || url.protocol !== "https:")))
      return { kind: "refused", reason: "QQ names an address for the file that is not a public one with https" };
    const undici = await import("undici");
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const agent = isOwn
      ? await openOutboundAgent({ connectTimeout: timeoutMs })
      : await openGuardedAgent(createGuardedDial(), { timeoutMs, signal: limited });
    try {
      const request = { method: "PUT", dispatcher: agent, body: content, signal: limited } as const;
      const { statusCode, body } = await undici.request(url, request);
      await body.dump();
      if (statusCode >= 200 && statusCode < 300) return { kind: "done" };
      return { kind: "failed", reason: `the server for files answered HTTP ${statusCode}` };
    } catch (error) {
      return { kind: "failed", reason: `the server for files cannot be reached: ${describeError(error)}` };
    } finally {
      await agent.destroy();
    }
  };
}
