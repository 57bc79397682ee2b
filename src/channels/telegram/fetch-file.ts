import type { FetchedFile } from "../attachment.ts";
import type { Channel } from "../types.ts";
import { downloadFile } from "../download-file.ts";
import type { ApiFailure } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";

/** The size limit of Telegram's own server. Source: core.telegram.org/bots/api#getfile. */
const serverLimit = 20 * 1024 * 1024;
const callLimitMs = 30_000;
const pathShape = /^[\w-][\w./-]{0,500}$/;

/** Files by their `file_id`, in the two steps of the Bot API: where it is, then the bytes. */
export function createFetchFile(parts: {
  readonly api: BotApi;
  readonly token: string;
  readonly apiRoot: string;
}): NonNullable<Channel["fetchFile"]> {
  const { api, token, apiRoot } = parts;

  return async (_address, { fileId }, { maxBytes, signal }) => {
    if (fileId === undefined) return { kind: "gone", reason: "it has no file_id" };
    const answer = await api.call("getFile", { file_id: fileId }, { timeoutMs: callLimitMs, signal });
    if (answer.kind !== "ok") return toFetched(answer);
    const { file_path: path, file_size: size = 0 } = answer.value;
    if (size > maxBytes) return { kind: "tooLarge", limit: maxBytes };
    // A server in local mode answers a path on its own disk, where we do not look.
    if (path === undefined || !pathShape.test(path) || path.includes("..")) {
      return { kind: "gone", reason: "the Bot API server gives no path to fetch it by" };
    }
    const root = apiRoot.replace(/\/+$/, "");
    const fetched = await downloadFile(new URL(`${root}/file/bot${token}/${path}`), { maxBytes, signal });
    if (fetched.kind !== "fetched") return fetched;
    // Its server calls everything application/octet-stream.
    return { kind: "fetched", content: fetched.content, name: path.slice(path.lastIndexOf("/") + 1) };
  };
}

function toFetched(failure: ApiFailure): FetchedFile {
  switch (failure.kind) {
    case "refused":
      return /too big/i.test(failure.reason)
        ? { kind: "tooLarge", limit: serverLimit }
        : { kind: "gone", reason: failure.reason };
    case "stopped":
      return { kind: "unreachable", reason: "it was stopped" };
    case "unauthorized":
    case "conflict":
    case "flood":
    case "migrated":
    case "unreachable":
      return { kind: "unreachable", reason: failure.reason };
  }
}
