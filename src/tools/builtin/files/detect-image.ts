const bytesAt = (bytes: Buffer, at: number, wanted: string): boolean =>
  bytes.subarray(at, at + wanted.length).equals(Buffer.from(wanted, "latin1"));

/** The type of a picture that models can look at, by its first bytes and not by its name. */
export function detectImage(bytes: Buffer): "image/png" | "image/jpeg" | "image/gif" | "image/webp" | undefined {
  if (bytesAt(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytesAt(bytes, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (bytesAt(bytes, 0, "GIF87a") || bytesAt(bytes, 0, "GIF89a")) return "image/gif";
  return bytesAt(bytes, 0, "RIFF") && bytesAt(bytes, 8, "WEBP") ? "image/webp" : undefined;
}
