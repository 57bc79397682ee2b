import type { OutboundMessage } from "../types.ts";

/** A message as Markdown, as clients show it. A file is its caption here; its content follows it only once. */
export function writeMessageText({ file, preformatted, text }: OutboundMessage): string {
  if (file) return [text, file.name].filter((part) => part !== "").join("\n\n");
  if (!preformatted) return text;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A file in the text itself, as a data: URL of RFC 2397: nothing has to be fetched, and no address of ours is told. */
export function writeFile(
  { file, text }: OutboundMessage & { readonly file: NonNullable<OutboundMessage["file"]> },
  content: Buffer,
  mimeType: string,
): string {
  const name = file.name.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  const address = `data:${mimeType};base64,${content.toString("base64")}`;
  const isPicture = file.picture === true && mimeType.startsWith("image/");
  return [text, `${isPicture ? "!" : ""}[${name}](${address})`].filter((part) => part !== "").join("\n\n");
}
