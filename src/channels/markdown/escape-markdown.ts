/** Escapes for Markdown that any reader may read: entities where some readers know no backslash. */

const webAddress = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"'`]+/giu;

/** Takes the meaning from every character that may have one in Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** Words of a paragraph without any style; addresses in them stay what they are. */
export function escapeText(text: string): string {
  let escaped = "";
  let end = 0;
  for (const match of text.matchAll(webAddress)) {
    const address = match[0].slice(0, match[0].length - countClosing(match[0]));
    escaped += escapeWords(text.slice(end, match.index)) + writeAddress(address);
    end = match.index + address.length;
  }
  return escapeLineStarts(escaped + escapeWords(text.slice(end)));
}

/** Lines of a plain text. Two spaces at the end of a line are its break in every reader. */
export function escapeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const body = line.trim();
      const space = line.slice(0, line.length - line.trimStart().length).replaceAll("\t", "    ");
      return "\u00A0".repeat(body === "" ? 0 : space.length) + escapeText(body);
    })
    .join("\n")
    .replaceAll(/(?<=[^\n])\n(?=[^\n])/g, "  \n");
}

/** An address in the form that Markdown leaves unchanged. */
export function writeAddress(address: string): string {
  return address
    .replaceAll(/[*[\]<>`\\|~"\s]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|&(?=#|\w+(?:;|$))/gu, encode)
    .replaceAll(/[^\P{C}]/gu, encode);
}

const closing = ")]}.,:!?*_~。，、；：！？）」』】";

/** Marks behind an address that belong to its sentence. */
function countClosing(address: string): number {
  let count = 0;
  while (count < address.length && closing.includes(address.charAt(address.length - 1 - count))) count += 1;
  return count;
}

function encode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function escapeWords(text: string): string {
  return text
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll(/[\\`*~[\]|]/g, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/<(?![\s\d=])/g, "&lt;");
}

function escapeLineStarts(text: string): string {
  return text
    .replaceAll(/^([ \t]*)(?=[#>=]|[-+](?:[\s-]|$))/gm, "$1\\")
    .replaceAll(/^([ \t]*\d{1,9})(?=[.)](?:\s|$))/gm, "$1\\");
}
