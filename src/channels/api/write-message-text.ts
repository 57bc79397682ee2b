import { escapeText } from "../markdown/escape-markdown.ts";
import { handOnMarkdown, handOnPlain, writeFence } from "../markdown/hand-on-markdown.ts";
import type { OutboundMessage } from "../types.ts";

/** A message as Markdown, as clients show it. A file is its caption here; its content follows it only once. */
export function writeMessageText({ file, plain, preformatted, text }: OutboundMessage): string {
  if (file)
    return [text, file.name]
      .filter((part) => part !== "")
      .map(handOnPlain)
      .join("\n\n");
  if (preformatted) return writeFence(text);
  return plain ? handOnPlain(text) : handOnMarkdown(text);
}

/**
 * A file in the text itself, as a data: URL of RFC 2397: nothing has to be fetched, and no address of ours is revealed.
 */
export function writeFile(
  { file, text }: OutboundMessage & { readonly file: NonNullable<OutboundMessage["file"]> },
  content: Buffer,
  mimeType: string,
): string {
  const name = escapeText(file.name);
  const address = `data:${mimeType};base64,${content.toString("base64")}`;
  const isPicture = file.picture === true && mimeType.startsWith("image/");
  return [handOnPlain(text), `${isPicture ? "!" : ""}[${name}](${address})`].filter((part) => part !== "").join("\n\n");
}
