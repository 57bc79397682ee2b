/** No real message, document or schema nests deeper, and every recursive function can walk it. */
const maxDepth = 256;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Parses untrusted JSON. Undefined when it is invalid, or nested more than 256 levels deep. */
export function parseJson(text: string): unknown {
  if (isDeeper(text, maxDepth)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether brackets of the text are nested deeper than `most` levels. JSON.parse accepts any depth, but JSON.stringify and
 * recursive functions overflow the stack on such a value.
 */
export function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = findStringEnd(text, at);
        break;
      case openBracket:
      case openBrace:
        depth += 1;
        if (depth > most) return true;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        break;
      default:
        break;
    }
  }
  return false;
}

/** The quote that ends the string which begins at `start`. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let begin = at;
  while (text.charCodeAt(begin - 1) === backslash) begin -= 1;
  return (at - begin) % 2 === 1;
}
