import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import { downloadFile } from "../download-file.ts";
import { fetchPublicFile } from "../fetch-public-file.ts";
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
    return fetchPublicFile(parts.fetchPublic, url.href, limits);
  };
}
