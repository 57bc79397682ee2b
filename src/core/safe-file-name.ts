import { trimEnd } from "./trim-edges.ts";

/** Longest name in bytes: file systems take 255, and a number or a suffix must still fit. */
const maxNameLength = 200;
const maxExtensionLength = 20;
const maxRead = 4_000;

/** Characters that are drawn as nothing, turn the text around, or break the line. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}|\u034F|[\u115F\u1160\u2800\u3164\uFFA0]|[\u17B4\u17B5]/gu;
/** Separators of any system and what shells and other systems take for signs. */
const signs = /[/\\:*?"<>|%]/g;
/** Windows opens devices by these names, whatever the extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A name that strangers chose, as the name of one file: readable in any script, one line, no path, no hidden file, at
 * most 200 bytes with its extension kept. `fallback` where nothing is left.
 */
export function toSafeFileName(given: string, fallback: string): string {
  // Nobody needs more of a name than its beginning and its extension.
  const bounded = given.length <= maxRead ? given : `${given.slice(0, maxRead / 2)}${given.slice(-maxRead / 2)}`;
  const folded = bounded.toWellFormed().replace(unseen, "").normalize("NFC");
  // Characters that only look like dots and slashes become what they look like.
  const looks = Array.from(folded, (sign) =>
    /[./\\:~%]/.test(sign.normalize("NFKC")) ? sign.normalize("NFKC") : sign,
  );
  const looked = looks
    .join("")
    .replaceAll(signs, "_")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^[\s.~-]+/, "");
  const name = trimEnd(looked, /^[\s.]$/);
  if (!/[\p{L}\p{N}\p{S}]/u.test(name)) return fallback;
  return cutName(name.replace(devices, "_$&"));
}

/** `notes.txt`, 2 -> `notes (2).txt`. */
export function numberFileName(name: string, number: number): string {
  const { stem, extension } = splitName(name);
  return number === 1 ? name : `${stem} (${number})${extension}`;
}

function cutName(name: string): string {
  if (Buffer.byteLength(name) <= maxNameLength) return name;
  const { stem, extension } = splitName(name);
  let kept = "";
  for (const { segment } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(stem)) {
    if (Buffer.byteLength(kept + segment + extension) > maxNameLength) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${extension}`;
}

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot) : "";
  if (extension.length < 2 || Buffer.byteLength(extension) > maxExtensionLength) return { stem: name, extension: "" };
  return { stem: name.slice(0, dot), extension };
}
