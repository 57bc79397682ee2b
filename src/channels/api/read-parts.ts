import { createHash } from "node:crypto";
import { z } from "zod";
import { readLabel } from "../json-view.ts";
import type { Attachment } from "../attachment.ts";

/** Characters of files in a message, as base64: 8 MiB. They are kept until it is answered. */
export const maxFilesLength = 8 * 1024 * 1024;
/** Its parameters are looked at; the rest is the content. */
const maxHeadLength = 200;
const maxAddressLength = 4_000;

/** The contents of a person's message. */
export type ReadParts =
  | { readonly kind: "read"; readonly text: string; readonly attachments: readonly Attachment[] }
  | { readonly kind: "refused"; readonly reason: string };

const partShape = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
  z.object({ type: z.literal("input_audio"), input_audio: z.object({ data: z.string(), format: z.string().max(20) }) }),
  z.object({ type: z.literal("file"), file: z.object({ file_data: z.string(), filename: z.string().optional() }) }),
]);

type Part = z.output<typeof partShape>;

const audioTypes: Readonly<Record<string, string>> = { wav: "audio/wav", mp3: "audio/mpeg" };

/** The content of a message: a text, or parts. A part of a kind that is not known refuses it. */
export function readParts(content: unknown): ReadParts {
  if (content === null || content === undefined) return { kind: "read", text: "", attachments: [] };
  if (typeof content === "string") return { kind: "read", text: content, attachments: [] };
  const parts = z.array(partShape).safeParse(content);
  if (!parts.success)
    return refuse("content must be a text, or parts of type text, image_url, input_audio or file with file_data");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of parts.data) {
    if (part.type === "text") texts.push(part.text);
    else {
      const file = readFile(part);
      if (file === undefined) return refuse(`${part.type} must be a data: URL in base64, or an image at https://…`);
      attachments.push(file);
    }
  }
  return { kind: "read", text: texts.join("\n\n"), attachments };
}

function refuse(reason: string): ReadParts {
  return { kind: "refused", reason };
}

function readFile(part: Exclude<Part, { type: "text" }>): Attachment | undefined {
  switch (part.type) {
    case "image_url":
      return readImage(part.image_url.url);
    case "input_audio": {
      const { data, format } = part.input_audio;
      const mimeType = audioTypes[format];
      return mimeType === undefined ? undefined : { kind: "voice", mimeType, ...hold(data) };
    }
    case "file": {
      const data = readDataUrl(part.file.file_data);
      const name = readLabel(part.file.filename, 300);
      return data && { kind: "file", ...(name !== "" && { name }), ...data };
    }
  }
}

function readImage(url: string): Attachment | undefined {
  if (!/^https?:/i.test(url)) {
    const data = readDataUrl(url);
    return data && { kind: "image", ...data };
  }
  const address = url.length > maxAddressLength ? null : URL.parse(url);
  return address === null ? undefined : { kind: "image", source: { url: address.href } };
}

/** `data:image/png;base64,…` of RFC 2397. */
function readDataUrl(url: string) {
  const head = url.slice(0, maxHeadLength);
  const comma = head.indexOf(",");
  if (!/^data:/i.test(head) || comma < 0 || !/;base64$/i.test(head.slice(0, comma))) return undefined;
  const mimeType = readLabel(head.slice("data:".length, comma).split(";")[0]);
  return { ...(mimeType !== "" && { mimeType }), ...hold(url.slice(comma + 1)) };
}

/** The hash tells whether a message that comes again has the same files. */
function hold(data: string) {
  const sha256 = createHash("sha256").update(data).digest("hex");
  return { bytes: Math.floor((data.length * 3) / 4), source: { data, sha256 } };
}

/** Characters that the files of a message take. */
export function measureFiles(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, one) => sum + ("source" in one ? (one.source?.["data"]?.length ?? 0) : 0), 0);
}
