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

/** A multipart body as the server reads it: flat texts, nested values as JSON, files by their own field or as attach://NAME. */
export function readMultipart(body: Buffer, contentType: string): FakePayload {
  const payload: Record<string, unknown> = {};
  const files = new Map<string, { readonly name: string; readonly content: Buffer }>();
  for (const { header, content } of splitParts(body, contentType)) {
    const name = /[; ]name="?([^";]*)/i.exec(header)?.[1] ?? "";
    // Clients differ in whether they put the name of a file in quotation marks.
    const fileName = /filename=(?:"([^"]*)"|([^;\r\n]*))/i.exec(header);
    if (fileName) files.set(name, { name: fileName[1] ?? fileName[2] ?? "", content });
    else payload[name] = readField(name, content.toString());
  }
  const attached = new Set<string>();
  for (const [field, value] of Object.entries(payload)) {
    const [, part] = /^attach:\/\/(.+)$/.exec(typeof value === "string" ? value : "") ?? [];
    if (part === undefined) continue;
    attached.add(part);
    payload[field] = files.get(part);
  }
  for (const [name, file] of files) if (!attached.has(name)) payload[name] = file;
  return payload;
}

/** RFC 7578, as far as bots use it. */
function splitParts(body: Buffer, contentType: string): { readonly header: string; readonly content: Buffer }[] {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new FakeRefusal(400, "Bad Request: boundary is not found");
  const text = body.toString("latin1");
  return text
    .split(new RegExp(`(?:^|\\r\\n)--${boundary.replaceAll(/[^\w]/g, String.raw`\$&`)}(?:\\r\\n|--)`))
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      const [header, content] = [part.slice(0, end), part.slice(end + 4)];
      return { header: Buffer.from(header, "latin1").toString(), content: Buffer.from(content, "latin1") };
    });
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
