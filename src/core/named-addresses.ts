import { trimEnd } from "./trim-edges.ts";

/**
 * The web addresses in a text, as a URL parser writes them. An address that a person wrote out is theirs, so each way
 * to read where it ends counts: with and without closing marks, and up to the first letter of a language that is
 * written without spaces. Every one of them is, letter by letter, something they wrote.
 */
export function listAddresses(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(addressPattern)) {
    for (const candidate of readEnds(written)) {
      const full = /^https?:/i.test(candidate) ? [candidate] : [`https://${candidate}`, `http://${candidate}`];
      for (const one of full) {
        const address = normalizeAddress(one);
        if (address !== undefined) found.add(address);
      }
    }
  }
  return [...found].slice(0, maxAddresses);
}

/** The form in which two addresses are compared, as a whole; undefined when it is not a web address. */
export function normalizeAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined;
}

const maxAddresses = 100;

/** With a scheme, or a name with a dot such as example.com/page without one. */
const addressPattern =
  /https?:\/\/[^\s<>"'`「」『』《》【】]+|(?<![\p{L}\p{N}@._/:-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?(?:[/?#][^\s<>"'`「」『』《》【】]*)?/giu;

const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;
const closingMark = /^[.,;:!?)\]}*_~。，；：！？）］｝、…]$/u;

function readEnds(written: string): readonly string[] {
  const before = written.slice(0, Math.max(0, written.search(spaceless)));
  return [written, before].flatMap((text) => [text, trimEnd(text, closingMark)]);
}
