import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import { downloadFile } from "../download-file.ts";
import type { Channel } from "../types.ts";

/** Files by the address in the event: a public one, or one at the very place of `QQ_API_ROOT`. */
export function createFetchFile(parts: {
  readonly apiRoot: string;
  readonly fetchPublic: GuardedFetch;
}): NonNullable<Channel["fetchFile"]> {
  const own = new URL(parts.apiRoot).origin;
  return async (_address, { url: address }, limits) => {
    const url = address === undefined ? null : URL.parse(address);
    if (url === null) return { kind: "gone", reason: "it has no address" };
    if (url.origin === own) return downloadFile(url, limits);
    const found = await parts.fetchPublic({ url: url.href, ...limits });
    if (found.kind !== "answered")
      return { kind: found.kind === "refused" ? "gone" : "unreachable", reason: found.reason };
    if (found.truncated) return { kind: "tooLarge", limit: limits.maxBytes };
    if (found.status >= 500 || found.status === 429) return { kind: "unreachable", reason: `HTTP ${found.status}` };
    if (found.status !== 200) return { kind: "gone", reason: `HTTP ${found.status}` };
    return { kind: "fetched", content: found.body, mimeType: found.contentType };
  };
}
