/** `8QJ4-M2XT`; after `/pair` the hyphen may be a space or missing. Eight letters alone are a word, not a code. */
export function readPairingCode(text: string): string | undefined {
  const bare = /^([a-z0-9]{4})-([a-z0-9]{4})$/i.exec(text.trim());
  const match = bare ?? /^\/(?:pair|start)\s+([a-z0-9]{4})[-\s]?([a-z0-9]{4})$/i.exec(text.trim());
  return match ? `${match[1]}-${match[2]}`.toUpperCase() : undefined;
}

/** Longer texts are not searched for a code. */
const maxSentenceLength = 100;
const pair = /(?<![A-Za-z0-9])([A-Za-z0-9]{4})([-‐‑–—−_]| ?)([A-Za-z0-9]{4})(?![A-Za-z0-9])/g;
/** The alphabet of codes: see core/ids.ts. */
const readable = /^[2-9A-HJKMNP-Z]{8}$/i;

/**
 * Reads a code as people type it from a screen: without the hyphen, in full width, or in a short sentence. Returns at
 * most one, the last, so that a message is one attempt. Other words stay words.
 */
export function readTypedCode(text: string): string | undefined {
  const strict = readPairingCode(text);
  if (strict !== undefined || text.length > maxSentenceLength) return strict;
  const sentence = text.normalize("NFKC").trim();
  const found = [...sentence.matchAll(pair)].filter(([all, first = "", joint = "", last = ""]) => {
    const letters = `${first}${last}`;
    if (/[-‐‑–—−_]/.test(joint) || /\d/.test(letters)) return /[a-z]/i.test(letters) || all === sentence;
    return readable.test(letters) && (all === sentence || letters === letters.toUpperCase());
  });
  const [, first, , last] = found.at(-1) ?? [];
  return first === undefined || last === undefined ? undefined : `${first}-${last}`.toUpperCase();
}
