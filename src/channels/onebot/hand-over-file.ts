import { randomUUID } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { z } from "zod";
import { formatByteSize } from "../../core/byte-size.ts";
import type { Account } from "./account.ts";
import type { FileLinks } from "./file-links.ts";

/** A file on its way out, on our disk. */
export interface OutgoingFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The content as a call may name it. Never a path of ours: the QQ side may run on another machine. */
export type HandedOver =
  | { readonly kind: "ready"; readonly reference: string; readonly done: () => void }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "tooLarge"; readonly reason: string };

/** As base64 it must fit into one frame of NapCat's (socketLimits). */
export const base64Limit = 32 * 1024 * 1024;
/** Up to here a frame costs less than a second way. */
const smallLimit = 8 * 1024 * 1024;
const pieceBytes = 512 * 1024;
const pieceLimitMs = 60_000;
/** How long NapCat keeps what it was given, milliseconds. */
const keptMs = 5 * 60_000;

/**
 * Small files go as base64, large ones by a link for one fetch, or in pieces where the implementation takes them.
 * `plainly` = another way has failed, so base64 if at all.
 */
export async function handOverFile(
  file: OutgoingFile,
  to: {
    readonly account: Account;
    readonly links: FileLinks | undefined;
    readonly plainly: boolean;
    readonly signal: AbortSignal;
  },
): Promise<HandedOver> {
  const { account, links, plainly } = to;
  const fits = file.bytes <= base64Limit;
  if (file.bytes <= smallLimit || (plainly && fits)) return asBase64(file);
  const link = plainly ? undefined : links?.offer(file);
  if (link !== undefined) return { kind: "ready", reference: link.url, done: link.revoke };
  if (account.dialect.streams) {
    const sent = await sendInPieces(file, account, to.signal);
    if (sent.kind === "ready" || !fits) return sent;
  }
  if (fits) return asBase64(file);
  const limit = formatByteSize(base64Limit);
  return { kind: "tooLarge", reason: `files above ${limit} need onebot.filesUrl in channels.yaml` };
}

async function asBase64({ path }: OutgoingFile): Promise<HandedOver> {
  return { kind: "ready", reference: `base64://${await readFile(path, "base64")}`, done: () => undefined };
}

const complete = z.object({ file_path: z.string().min(1).max(4_096) });

/** Onto NapCat's own disk; the path that it answers is one of its machine, and goes back to it as it is. */
async function sendInPieces(file: OutgoingFile, account: Account, signal: AbortSignal): Promise<HandedOver> {
  const id = randomUUID();
  const count = Math.ceil(file.bytes / pieceBytes);
  const content = await open(file.path);
  const call = async (params: object) =>
    account.link?.call("upload_file_stream", { stream_id: id, ...params }, pieceLimitMs, signal);
  try {
    for (let index = 0; index < count; index += 1) {
      const piece = Buffer.alloc(Math.min(pieceBytes, file.bytes - index * pieceBytes));
      await content.read(piece, 0, piece.length, index * pieceBytes);
      const answer = await call({
        chunk_data: piece.toString("base64"),
        chunk_index: index,
        total_chunks: count,
        file_size: file.bytes,
        expected_sha256: file.sha256,
        filename: `${id}${extname(file.name).replaceAll(/[^.\w]/g, "")}`,
        file_retention: keptMs,
      });
      if (answer?.kind !== "ok") return { kind: "failed", reason: answer?.reason ?? "there is no connection" };
    }
    const answer = await call({ is_complete: true });
    const path = answer?.kind === "ok" ? complete.safeParse(answer.data).data?.file_path : undefined;
    if (path !== undefined) return { kind: "ready", reference: path, done: () => undefined };
    return { kind: "failed", reason: "its parts were not put together there" };
  } finally {
    await content.close();
  }
}
