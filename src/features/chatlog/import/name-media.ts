import { zh } from "../../../core/words/zh.ts";

/**
 * The placeholder in a text for something that is no text. Always in one language, so that importing an export again
 * yields the same text.
 */
export function nameMedia(kind: keyof typeof zh.attachment.kinds, name = ""): string {
  const what = zh.attachment.kinds[kind];
  const label = name.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return label === "" ? `[${what}]` : `[${what} ${label}]`;
}

/** Media first, followed by their caption. */
export function joinText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
