import { createHash } from "node:crypto";
import { open, readFile, type FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { FileMessage } from "../types.ts";
import type { ApiAnswer } from "./api-answer.ts";
import { pathOf, type QqChat } from "./chat.ts";
import type { PutBytes } from "./put-bytes.ts";
import type { QqApi } from "./qq-api.ts";

/** `info` goes into the message that shows the file. */
type UploadedFile =
  | { readonly kind: "uploaded"; readonly info: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly answer: Exclude<ApiAnswer, { kind: "ok" | "refused" }> };

export type UploadFile = (chat: QqChat, path: string, file: FileMessage["file"]) => Promise<UploadedFile>;

/** As base64 the whole of it must fit into memory more than once. */
export const uploadLimit = 100 * 1024 * 1024;
const fileTypes = { picture: 1, file: 4 };
/** A larger one becomes a file anyway. */
const pictureLimit = 20 * 1024 * 1024;
/** Source: bot.q.qq.com/wiki, upload_prepare: the number of bytes that the server looks at first. */
const headBytes = 10_002_432;
const maxParts = 1_000;

const count = z.union([z.number(), z.string().regex(/^\d{1,12}$/)]).transform(Number);
const prepared = z.object({
  upload_id: z.string().min(1).max(2_000),
  block_size: count.pipe(z.int().positive()),
  parts: z
    .array(z.object({ index: z.int().nonnegative(), presigned_url: z.string().max(8_000) }))
    .min(1)
    .max(maxParts),
});
const uploaded = z.object({ file_info: z.string().min(1).max(20_000) });

/**
 * Hands a file to Tencent in pieces, each to the address that it names for it, and answers what a message shows it by.
 * Source: bot.q.qq.com/wiki, message/rich-media. Guilds have no such way.
 */
export function createUploadFile(parts: { readonly api: QqApi; readonly putBytes: PutBytes }): UploadFile {
  const { api, putBytes } = parts;

  return async (chat, path, file) => {
    if (chat.scene === "channel" || chat.scene === "direct")
      return { kind: "refused", reason: "QQ takes no files from a bot in a guild" };
    const base = pathOf(chat);
    const type = isPicture(file) ? fileTypes.picture : fileTypes.file;
    const asked = await api.call("POST", `${base}/upload_prepare`, {
      file_type: type,
      file_size: String(file.bytes),
      file_name: file.name,
      ...(await hashFile(path)),
    });
    if (asked.kind !== "ok") return toFailure(asked);
    const plan = prepared.safeParse(asked.value);
    if (!plan.success) return { kind: "refused", reason: "the answer of upload_prepare is not the API's" };
    const { upload_id: uploadId, block_size: blockSize } = plan.data;

    const content = await open(path);
    try {
      for (const { index, presigned_url: url } of plan.data.parts) {
        const block = await readBlock(content, index * blockSize, blockSize);
        const put = await putBytes(url, block);
        if (put.kind === "refused") return put;
        if (put.kind === "failed")
          return { kind: "failed", answer: { kind: "unreachable", reason: put.reason, isUnsent: true } };
        const finished = await api.call("POST", `${base}/upload_part_finish`, {
          upload_id: uploadId,
          part_index: index,
          block_size: String(block.length),
          md5: createHash("md5").update(block).digest("hex"),
        });
        if (finished.kind !== "ok") return toFailure(finished);
      }
    } finally {
      await content.close();
    }
    const merged = await api.call("POST", `${base}/files`, {
      file_type: type,
      file_name: file.name,
      upload_id: uploadId,
      srv_send_msg: false,
    });
    if (merged.kind !== "ok") return toFailure(merged);
    const read = uploaded.safeParse(merged.value);
    if (!read.success) return { kind: "refused", reason: "the answer of the upload names no file" };
    return { kind: "uploaded", info: read.data.file_info };
  };
}

function isPicture({ name, bytes }: FileMessage["file"]): boolean {
  return /\.(?:png|jpe?g)$/i.test(name) && bytes <= pictureLimit;
}

async function hashFile(path: string): Promise<{ md5: string; sha1: string; md5_10m: string }> {
  const content = await readFile(path);
  const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");
  return {
    md5: digest("md5", content),
    sha1: digest("sha1", content),
    md5_10m: digest("md5", content.subarray(0, headBytes)),
  };
}

async function readBlock(file: FileHandle, start: number, length: number): Promise<Buffer> {
  // The server names the length; what is read is not more than the file has.
  const { size } = await file.stat();
  const block = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
  const { bytesRead } = await file.read(block, 0, block.length, start);
  return block.subarray(0, bytesRead);
}

/** No message is out yet, so nothing is in doubt. */
function toFailure(answer: Exclude<ApiAnswer, { kind: "ok" }>): UploadedFile {
  if (answer.kind === "refused") return { kind: "refused", reason: answer.reason };
  return { kind: "failed", answer: answer.kind === "unreachable" ? { ...answer, isUnsent: true } : answer };
}
