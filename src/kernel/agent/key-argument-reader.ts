/** Characters of a key argument that are stored; a progress line shows 50 of them. */
const maxKept = 400;
const maxNameLength = 64;

/** Reads one text from the arguments of a call while the model writes them. For display only. */
export interface KeyArgumentReader {
  add(piece: string): void;
  /**
   * The part that may be shown. Until the text is complete it omits the last word, since scrubbing cannot detect half a
   * secret.
   */
  shown(): string;
}

/**
 * Reads the top-level member `name` of a JSON object if its value is a text. Visits each character once, keeps a
 * bounded prefix, and validates nothing: text that is not JSON, or has the member twice, shows nothing or too little.
 */
export function createKeyArgumentReader(name: string): KeyArgumentReader {
  let depth = 0;
  let state: "outside" | "name" | "value" | "other" = "outside";
  let isNameNext = false;
  let found = "";
  let value = "";
  let lastSpace = 0;
  let whole = false;
  let dropped = false;
  /** Members of that name so far. With two of them it is unclear which one counts. */
  let members = 0;
  /** The characters after a backslash so far. */
  let escape: string | undefined;

  function put(text: string): void {
    if (state === "name" && found.length <= maxNameLength) found += text;
    if (state !== "value") return;
    if (value.length >= maxKept) dropped = true;
    else {
      if (text.trim() === "") lastSpace = value.length;
      value += text;
    }
  }

  function readEscape(character: string): void {
    escape += character;
    if (escape?.startsWith("u") && escape.length < 5) return;
    put(readEscaped(escape ?? ""));
    escape = undefined;
  }

  function readText(character: string): void {
    if (escape !== undefined) return readEscape(character);
    if (character === "\\") escape = "";
    else if (character !== '"') put(character);
    else {
      if (state === "value") whole = !dropped;
      if (state === "name" && found === name) members += 1;
      else found = "";
      state = "outside";
    }
  }

  function readMark(character: string): void {
    switch (character) {
      case "{":
      case "[":
        depth += 1;
        isNameNext = character === "{" && depth === 1;
        break;
      case "}":
      case "]":
        depth -= 1;
        break;
      case ",":
        isNameNext = depth === 1;
        break;
      case '"':
        if (isNameNext) {
          state = "name";
          found = "";
        } else state = depth === 1 && found === name ? "value" : "other";
        isNameNext = false;
        break;
    }
  }

  return {
    add(piece) {
      for (const character of piece) {
        if (state === "outside") readMark(character);
        else readText(character);
      }
    },
    shown: () => (members === 1 ? (whole ? value : value.slice(0, lastSpace)).toWellFormed().trim() : ""),
  };
}

const shortEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function readEscaped(escape: string): string {
  if (!escape.startsWith("u")) return shortEscapes[escape] ?? escape;
  const code = Number.parseInt(escape.slice(1), 16);
  return Number.isNaN(code) ? "" : String.fromCharCode(code);
}
