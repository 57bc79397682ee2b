/** A line of a .env, or several if quotes span them. Those that set something have a name. */
interface Piece {
  readonly text: string;
  readonly name?: string;
  /** `  export `, and the comment after the value. */
  readonly before?: string;
  readonly after?: string;
}

/** Undefined removes the variable. */
export type EnvChanges = ReadonlyMap<string, string | undefined>;

/**
 * The same text with these variables set. Every other line stays as it is, byte for byte. A new one goes behind its example
 * (`#NAME=…`), or to the end.
 */
export function editEnvFile(text: string, changes: EnvChanges): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const pieces = splitPieces(text);
  for (const [name, value] of changes) {
    const last = pieces.findLastIndex((piece) => piece.name === name);
    if (value === undefined) {
      pieces.splice(0, pieces.length, ...pieces.filter((piece) => piece.name !== name));
    } else if (last >= 0) {
      const { before = "", after = "", text: old = "" } = pieces[last] ?? {};
      const end = /\r?\n$/.exec(old)?.[0] ?? "";
      pieces[last] = { name, before, after, text: `${before}${name}=${quoteValue(value)}${after}${end}` };
    } else {
      const example = pieces.findLastIndex((piece) => piece.text.startsWith(`#${name}=`));
      const place = example < 0 ? pieces.length : example + 1;
      const above = pieces[place - 1];
      if (above !== undefined && !above.text.endsWith("\n"))
        pieces[place - 1] = { ...above, text: `${above.text}${lineEnd}` };
      pieces.splice(place, 0, { name, text: `${name}=${quoteValue(value)}${lineEnd}` });
    }
  }
  return pieces.map((piece) => piece.text).join("");
}

/** Whether a line of the file can hold it. */
export function isWritable(value: string): boolean {
  return !/\p{Cc}/u.test(value) && (!value.includes("'") || chooseQuote(value) !== undefined);
}

/** Bare where nothing in it means anything to Node or Docker Compose, else in quotes that neither looks into. */
function quoteValue(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  const quote = chooseQuote(value) ?? "'";
  return `${quote}${value}${quote}`;
}

function chooseQuote(value: string): string | undefined {
  if (!value.includes("'")) return "'";
  if (!/["\\$]/.test(value)) return '"';
  return value.includes("`") ? undefined : "`";
}

/** As Node's parser takes a .env apart. */
function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const lineEnd = found < 0 ? text.length : found + 1;
    const line = text.slice(start, lineEnd);
    const [, before = "", name = ""] = /^(\s*(?:export\s+)?)([\w.-]+)[^\S\n]*=/.exec(line) ?? [];
    if (name === "") {
      pieces.push({ text: line });
      start = lineEnd;
      continue;
    }
    const valueStart = start + line.indexOf("=") + 1;
    const gap = /[^\S\n]*/.exec(text.slice(valueStart, lineEnd))?.[0].length ?? 0;
    const quote = text[valueStart + gap] ?? "";
    const closing = /["'`]/.test(quote) ? text.indexOf(quote, valueStart + gap + 1) : -1;
    const next = closing < 0 ? -1 : text.indexOf("\n", closing);
    const end = closing < 0 ? lineEnd : next < 0 ? text.length : next + 1;
    const rest = text.slice(closing < 0 ? valueStart : closing + 1, end);
    const after = /[^\S\n]+#[^\n\r]*/.exec(rest)?.[0] ?? "";
    pieces.push({ text: text.slice(start, end), name, before, after });
    start = end;
  }
  return pieces;
}
