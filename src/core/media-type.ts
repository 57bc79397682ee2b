/** Media types by extension, for files whose sender names none. Source: IANA's registry. */
const byExtension: Readonly<Record<string, string>> = {
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  xml: "application/xml",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  wav: "audio/wav",
  amr: "audio/amr",
};

const shape = /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,80}$/i;

/** The named type, if it is one; else by the extension; else the type of any bytes. */
export function chooseMediaType(named: string | undefined, fileName: string): string {
  const bare = named?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (shape.test(bare) && bare !== "application/octet-stream") return bare;
  const extension = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase();
  return (Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined) ?? "application/octet-stream";
}

/** `image/jpeg` -> `.jpg`; "" for a type that is not in the table. */
export function extensionOf(mediaType: string): string {
  const [extension] = Object.entries(byExtension).find(([, type]) => type === mediaType) ?? [];
  return extension === undefined ? "" : `.${extension}`;
}

const bytesAt = (bytes: Buffer, at: number, wanted: string): boolean =>
  bytes.subarray(at, at + wanted.length).equals(Buffer.from(wanted, "latin1"));

/** The type of a picture that models can look at, by its first bytes and not by its name. */
export function detectImage(bytes: Buffer): "image/png" | "image/jpeg" | "image/gif" | "image/webp" | undefined {
  if (bytesAt(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytesAt(bytes, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (bytesAt(bytes, 0, "GIF87a") || bytesAt(bytes, 0, "GIF89a")) return "image/gif";
  return bytesAt(bytes, 0, "RIFF") && bytesAt(bytes, 8, "WEBP") ? "image/webp" : undefined;
}
