import { z } from "zod";
import type { GuardedFetch } from "../../web/guarded-fetch.ts";
import type { FetchedFile, FileSource } from "../attachment.ts";
import type { Channel } from "../types.ts";
import { downloadFile } from "../download-file.ts";
import { fetchPublicFile } from "../fetch-public-file.ts";
import { readLabel } from "../json-view.ts";
import type { Accounts } from "./account.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { isBase64 } from "../../core/is-base64.ts";

interface Limits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Base64 of many megabytes takes its time over a socket. */
const callLimitMs = 60_000;
const inline = "base64://";

/** The actions that know the file: get_record may change its format, so the others come first where they can. */
const actionsByKind: Readonly<Record<string, readonly string[]>> = {
  image: ["get_image", "get_file"],
  voice: ["get_file", "get_record"],
};

const answerShape = z.object({
  file: z.unknown().optional(),
  url: z.unknown().optional(),
  base64: z.unknown().optional(),
  file_name: z.unknown().optional(),
});

/**
 * Files of QQ messages: from the segment itself, from its address, or from the implementation's actions. Paths of the
 * implementation's disk are never opened. `endpoint` is what the operator named: only that very host and port may be private.
 */
export function createFetchFile(parts: {
  readonly accounts: Accounts;
  readonly endpoint: string | undefined;
  readonly fetchPublic: GuardedFetch;
}): NonNullable<Channel["fetchFile"]> {
  const { accounts, fetchPublic } = parts;
  const own = parts.endpoint === undefined ? undefined : new URL(parts.endpoint);

  async function fetchAddress(address: string, limits: Limits): Promise<FetchedFile> {
    const url = URL.parse(address);
    if (url !== null && own !== undefined && isSamePlace(url, own)) return downloadFile(url, limits);
    return fetchPublicFile(fetchPublic, address, limits);
  }

  async function ask(link: OneBotLink, action: string, source: FileSource, limits: Limits): Promise<FetchedFile> {
    const { file, fileId } = source;
    const names = {
      ...(file !== undefined && { file }),
      ...(fileId !== undefined && { file_id: fileId }),
      ...(action === "get_record" && { out_format: "mp3" }),
    };
    const answer = await link.call(action, names, callLimitMs, limits.signal);
    if (answer.kind === "failed") return { kind: "gone", reason: answer.reason };
    if (answer.kind !== "ok") return { kind: "unreachable", reason: answer.reason };
    const data = answerShape.safeParse(answer.data).data ?? {};
    const texts = [data.url, data.file].filter((text) => typeof text === "string");
    const bytes = typeof data.base64 === "string" && data.base64 !== "" ? `${inline}${data.base64}` : undefined;
    const name = readLabel(data.file_name);
    const fetched = await openFirst([bytes, ...texts], limits);
    return fetched.kind === "fetched" && name !== "" ? { ...fetched, name } : fetched;
  }

  /** The first of them that says where the bytes are. */
  async function openFirst(references: readonly (string | undefined)[], limits: Limits): Promise<FetchedFile> {
    const reference = references.find((text) => text !== undefined && /^(?:base64:\/\/|https?:\/\/)/i.test(text));
    if (reference === undefined) return { kind: "gone", reason: noWay };
    return reference.startsWith(inline)
      ? decode(reference.slice(inline.length), limits.maxBytes)
      : fetchAddress(reference, limits);
  }

  async function fetchOnce(account: string, source: FileSource, limits: Limits): Promise<FetchedFile> {
    const { url, file, type = "" } = source;
    const given = [file?.startsWith(inline) ? file : undefined, url];
    let found = await openFirst(given, limits);
    if (found.kind === "fetched" || found.kind === "tooLarge") return found;
    if (file?.startsWith(inline)) return found;
    const link = accounts.find(account)?.link;
    if (link === undefined) return { kind: "unreachable", reason: `QQ account ${account} is not connected` };
    for (const action of actionsByKind[type] ?? ["get_file"]) {
      const asked = await ask(link, action, source, limits);
      if (asked.kind === "fetched" || asked.kind === "tooLarge") return asked;
      // A failure that can be tried again goes before one that cannot.
      if (found.kind !== "unreachable") found = asked;
    }
    return found;
  }

  return async ({ account }, source, limits) => {
    const found = await fetchOnce(account, source, limits);
    const link = accounts.find(account)?.link;
    if (found.kind !== "fetched" || !isPhoneSound(found.content) || link === undefined) return found;
    // Only QQ plays its silk; an implementation with ffmpeg installed turns it into mp3.
    const turned = await ask(link, "get_record", source, limits);
    return turned.kind === "fetched" && !isPhoneSound(turned.content) ? turned : found;
  };
}

/** Silk and amr, by their first bytes. */
function isPhoneSound(content: Buffer): boolean {
  const start = content.subarray(0, 10).toString("latin1");
  return ["#!AMR", "#!SILK", "\u0002#!SILK"].some((mark) => start.startsWith(mark));
}

/** Other ports of the host may be anything. */
function isSamePlace(url: URL, endpoint: URL): boolean {
  const isSecure = endpoint.protocol === "wss:";
  return url.protocol === (isSecure ? "https:" : "http:") && url.host === endpoint.host;
}

const noWay = "it is only on the disk of the QQ side, which gives no address of it";

function decode(text: string, maxBytes: number): FetchedFile {
  if (text.length > Math.ceil(maxBytes / 3) * 4) return { kind: "tooLarge", limit: maxBytes };
  if (text === "" || !isBase64(text)) return { kind: "gone", reason: "its base64 is broken" };
  return { kind: "fetched", content: Buffer.from(text, "base64") };
}
