/** The type of a sound by its first bytes; undefined = none that transcription endpoints take. QQ's silk and amr are none. */
export function detectSound(bytes: Buffer): string | undefined {
  if (bytesAt(bytes, 0, "OggS")) return "audio/ogg";
  if (bytesAt(bytes, 0, "RIFF") && bytesAt(bytes, 8, "WAVE")) return "audio/wav";
  if (bytesAt(bytes, 0, "fLaC")) return "audio/flac";
  if (bytesAt(bytes, 4, "ftyp")) return "audio/mp4";
  if (bytesAt(bytes, 0, "\x1a\x45\xdf\xa3")) return "audio/webm";
  const isFrame = bytes.length > 2 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
  return bytesAt(bytes, 0, "ID3") || isFrame ? "audio/mpeg" : undefined;
}

const bytesAt = (bytes: Buffer, at: number, wanted: string): boolean =>
  bytes.toString("latin1", at, at + wanted.length) === wanted;
