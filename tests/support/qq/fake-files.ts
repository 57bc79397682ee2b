import { createHash, randomUUID } from "node:crypto";
import { refuse, type FakeAnswer, type FakeChatName } from "./qq-types.ts";

interface Upload {
  readonly chat: FakeChatName;
  readonly plan: Readonly<Record<string, unknown>>;
  readonly blocks: Map<number, Buffer>;
  readonly finished: Set<number>;
}

interface FakeFile {
  readonly name: string;
  readonly content: Buffer;
  readonly type: number;
}

export interface FakeFiles {
  /** Handles the calls of an upload; undefined = it is none of them. */
  take(chat: FakeChatName, call: string, body: Readonly<Record<string, unknown>>): FakeAnswer | undefined;
  /** The PUT of one block. */
  put(path: string, content: Buffer): FakeAnswer;
  find(info: unknown, chat: FakeChatName): FakeFile | undefined;
}

const blockSize = 100_000;
const headBytes = 10_002_432;
const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");

/** Uploads in blocks, checked as strictly as its documentation asks for. `url` is where blocks are put. */
export function createFakeFiles(url: () => string): FakeFiles {
  const uploads = new Map<string, Upload>();
  const files = new Map<string, { readonly scene: string; readonly file: FakeFile }>();

  function prepare(chat: FakeChatName, plan: Readonly<Record<string, unknown>>): FakeAnswer {
    const size = Number(plan["file_size"]);
    const isWhole = ["file_type", "file_size", "file_name", "md5", "sha1", "md5_10m"].every((name) => plan[name]);
    if (!isWhole || ![1, 2, 3, 4].includes(Number(plan["file_type"])) || typeof plan["file_size"] !== "string")
      return refuse(10000);
    const id = `upload_${randomUUID()}`;
    uploads.set(id, { chat, plan, blocks: new Map(), finished: new Set() });
    const count = Math.max(1, Math.ceil(size / blockSize));
    const parts = Array.from({ length: count }, (_, index) => ({
      index,
      presigned_url: `${url()}/cos/${id}/${index}?sign=x`,
      block_size: String(blockSize),
    }));
    return { status: 200, body: { upload_id: id, block_size: String(blockSize), parts } };
  }

  function finishPart(chat: FakeChatName, body: Readonly<Record<string, unknown>>): FakeAnswer {
    const upload = uploads.get(String(body["upload_id"]));
    const block = upload?.blocks.get(Number(body["part_index"]));
    if (upload?.chat !== chat || block === undefined) return refuse(40093001);
    if (body["md5"] !== digest("md5", block) || body["block_size"] !== String(block.length)) return refuse(40093001);
    upload.finished.add(Number(body["part_index"]));
    return { status: 200, body: {} };
  }

  function merge(chat: FakeChatName, body: Readonly<Record<string, unknown>>): FakeAnswer {
    const upload = uploads.get(String(body["upload_id"]));
    if (upload?.chat !== chat || body["srv_send_msg"] !== false) return refuse(10000);
    if (upload.finished.size !== upload.blocks.size) return refuse(40093001);
    const content = Buffer.concat([...upload.blocks].toSorted(([a], [b]) => a - b).map(([, block]) => block));
    const { plan } = upload;
    const isSame =
      String(content.length) === plan["file_size"] &&
      digest("md5", content) === plan["md5"] &&
      digest("sha1", content) === plan["sha1"] &&
      digest("md5", content.subarray(0, headBytes)) === plan["md5_10m"];
    if (!isSame) return refuse(40093001);
    const info = `info_${randomUUID()}`;
    const file = { name: String(plan["file_name"]), content, type: Number(plan["file_type"]) };
    files.set(info, { scene: sceneOf(chat), file });
    return { status: 200, body: { file_uuid: randomUUID(), file_info: info, ttl: 300 } };
  }

  return {
    take(chat, call, body) {
      if (call === "upload_prepare") return prepare(chat, body);
      if (call === "upload_part_finish") return finishPart(chat, body);
      return call === "files" ? merge(chat, body) : undefined;
    },
    put(path, content) {
      const [, , id = "", index = ""] = path.split("/");
      const upload = uploads.get(id);
      if (upload === undefined || content.length > blockSize) return { status: 403, body: {} };
      upload.blocks.set(Number(index), content);
      return { status: 200, body: {} };
    },
    find(info, chat) {
      const found = files.get(String(info));
      // What was uploaded for a private chat is unknown in a group.
      return found?.scene === sceneOf(chat) ? found.file : undefined;
    },
  };
}

function sceneOf(chat: FakeChatName): string {
  return chat.startsWith("private:") ? "user" : "group";
}
