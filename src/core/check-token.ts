import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The token of `Authorization: Bearer …`. "" = none. */
export function readBearer(request: Pick<IncomingMessage, "headers">): string {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

/** The token of a request: `Authorization: Bearer …`, else `?access_token=`. "" = none. */
export function readToken(request: Pick<IncomingMessage, "headers" | "url">): string {
  const bearer = readBearer(request);
  return bearer !== ""
    ? bearer
    : (URL.parse(request.url ?? "", "http://localhost")?.searchParams.get("access_token") ?? "");
}

/** In constant time, whatever their lengths. Nothing equals an empty token. */
export function isSameToken(given: string, ours: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return ours !== "" && timingSafeEqual(digest(given), digest(ours));
}
