import { zh } from "../../../core/words/zh.ts";

/** The words that stand in a text for something that is no text. Always in one language: the same export is the same text again. */
export function nameMedia(kind: keyof typeof zh.attachment.kinds, name = ""): string {
  const what = zh.attachment.kinds[kind];
  const label = name.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return label === "" ? `[${what}]` : `[${what} ${label}]`;
}

/** Media first, and behind it what was written beside. */
export function joinText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
