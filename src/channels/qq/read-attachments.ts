import { z } from "zod";
import type { Attachment, FileKind } from "../attachment.ts";
import { readLabel } from "../json-view.ts";

const attachment = z.object({
  content_type: z.string().max(200).catch(""),
  filename: z.unknown().optional(),
  size: z.int().nonnegative().optional().catch(undefined),
  url: z.string().max(4_000).optional().catch(undefined),
  voice_wav_url: z.string().max(4_000).optional().catch(undefined),
});
const maxAttachments = 50;
/** Its extension is at the end. */
const maxNameLength = 300;
/** A message of cards only: message_type 3. */
const cardType = 3;

/** The attachments of a message. Files are fetched by their address, which Tencent keeps for a while. */
export function readAttachments(value: unknown, messageType: unknown): readonly Attachment[] {
  const given = Array.isArray(value) ? (value as readonly unknown[]).slice(0, maxAttachments) : [];
  const files = given.map((one): Attachment => {
    const read = attachment.safeParse(one);
    return read.success ? readFile(read.data) : { kind: "other" };
  });
  return files.length === 0 && messageType === cardType ? [{ kind: "card" }] : files;
}

function readFile({ content_type: type, filename, size, url, voice_wav_url: wave }: z.output<typeof attachment>) {
  const kind = readKind(type);
  const address = readAddress(kind === "voice" ? (wave ?? url) : url);
  const name = readLabel(filename, maxNameLength);
  return {
    kind,
    ...(name !== "" && { name }),
    ...(type.includes("/") && { mimeType: readLabel(type) }),
    ...(size !== undefined && { bytes: size }),
    ...(address !== undefined && { source: { url: address } }),
  };
}

function readKind(type: string): FileKind {
  if (type.startsWith("image/")) return "image";
  if (type === "voice" || type.startsWith("audio/")) return "voice";
  return type.startsWith("video/") ? "video" : "file";
}

/** Guilds leave the scheme out. */
function readAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const whole = /^https?:\/\//i.test(url) ? url : `https://${url.startsWith("//") ? url.slice(2) : url}`;
  return URL.parse(whole)?.href;
}
