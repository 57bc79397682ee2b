/**
 * Whether a text is base64 of RFC 4648, section 4, with or without its padding. Checked by re-encoding: on megabytes a
 * regular expression may overflow the stack.
 */
export function isBase64(text: string): boolean {
  const written = Buffer.from(text, "base64").toString("base64");
  return written === text || written.replace(/={1,2}$/, "") === text;
}
