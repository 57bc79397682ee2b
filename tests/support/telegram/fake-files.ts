import { FakeRefusal, type FakeFile, type FakePayload } from "./fake-bot-types.ts";

/** What Telegram hands over, and what it takes. Source: core.telegram.org/bots/api#getfile, #senddocument, #sendphoto. */
const downloadLimit = 20 * 1024 * 1024;
const uploadLimit = 50 * 1024 * 1024;

export interface FakeFiles {
  /** Answers the fields of a document, voice message … in a message. */
  put(file: FakeFile): Readonly<Record<string, unknown>>;
  getFile(payload: FakePayload): object;
  /** The bytes at a `file_path`, undefined = none. */
  read(path: string): Uint8Array | undefined;
}

export function createFakeFiles(): FakeFiles {
  const files = new Map<string, FakeFile>();
  const paths = new Map<string, FakeFile>();
  let count = 0;

  return {
    put(file) {
      count += 1;
      const id = `AgAC-fake_${count}`;
      files.set(id, file);
      return {
        file_id: id,
        file_unique_id: `unique${count}`,
        file_size: file.claimedBytes ?? file.content.length,
        ...(file.name !== undefined && { file_name: file.name }),
        ...(file.mimeType !== undefined && { mime_type: file.mimeType }),
      };
    },
    getFile({ file_id: id }) {
      const file = files.get(String(id));
      if (file === undefined) throw new FakeRefusal(400, "Bad Request: invalid file_id");
      if (file.content.length > downloadLimit) throw new FakeRefusal(400, "Bad Request: file is too big");
      const path = `documents/file_${paths.size}.dat`;
      paths.set(path, file);
      return { file_id: id, file_unique_id: "u", file_size: file.content.length, file_path: path };
    },
    read: (path) => paths.get(path)?.content,
  };
}

/** A multipart body as the server reads it: flat texts, nested values as JSON, one file. */
export async function readMultipart(body: Buffer, contentType: string): Promise<FakePayload> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  const payload: Record<string, unknown> = {};
  for (const [field, value] of form) {
    if (typeof value === "string") payload[field] = readField(field, value);
    else payload[field] = { name: value.name, content: Buffer.from(await value.arrayBuffer()) };
  }
  return payload;
}

const nested = ["reply_parameters", "reply_markup", "caption_entities"];

function readField(field: string, value: string): unknown {
  if (nested.includes(field)) return JSON.parse(value) as unknown;
  if (value === "true" || value === "false") return value === "true";
  return field.endsWith("_id") ? Number(value) : value;
}

/** The checks of sendDocument and sendPhoto. */
export function checkUpload(
  payload: FakePayload,
  field: "document" | "photo" | "voice",
): { name: string; content: Buffer; caption: string } {
  const document = payload[field] as { name?: unknown; content?: unknown } | undefined;
  if (!Buffer.isBuffer(document?.content) || typeof document.name !== "string") {
    throw new FakeRefusal(400, `Bad Request: there is no ${field} in the request`);
  }
  if (document.content.length === 0) throw new FakeRefusal(400, "Bad Request: file must be non-empty");
  const isPicture = ["89504e47", "ffd8ffe0"].includes(document.content.subarray(0, 4).toString("hex"));
  if (field === "photo" && !isPicture) throw new FakeRefusal(400, "Bad Request: IMAGE_PROCESS_FAILED");
  const isVoice = document.content.subarray(0, 4).toString("latin1") === "OggS";
  if (field === "voice" && !isVoice) throw new FakeRefusal(400, "Bad Request: wrong type of the voice message");
  if (document.content.length > uploadLimit) throw new FakeRefusal(413, "Request Entity Too Large");
  const caption = payload["caption"] ?? "";
  if (typeof caption !== "string" || caption.length > 1_024) {
    throw new FakeRefusal(400, "Bad Request: message caption is too long");
  }
  return { name: document.name, content: document.content, caption };
}
