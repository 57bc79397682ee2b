import type { GuardedFetch } from "../web/guarded-fetch.ts";
import type { FetchedFile } from "./attachment.ts";

/** A file at an address that does not come from the operator. */
export async function fetchPublicFile(
  fetchPublic: GuardedFetch,
  url: string,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<FetchedFile> {
  const found = await fetchPublic({ url, ...limits });
  if (found.kind !== "answered")
    return { kind: found.kind === "refused" ? "gone" : "unreachable", reason: found.reason };
  if (found.truncated) return { kind: "tooLarge", limit: limits.maxBytes };
  if (found.status >= 500 || found.status === 429) return { kind: "unreachable", reason: `HTTP ${found.status}` };
  if (found.status !== 200) return { kind: "gone", reason: `HTTP ${found.status}` };
  return { kind: "fetched", content: found.body, mimeType: found.contentType };
}
