/** Follows a JSON object while it is written. */
export interface JsonScanner {
  add(text: string): void;
  /** Every bracket that was opened is closed. Says nothing of whether the text is valid. */
  readonly whole: boolean;
}

/** Looks at each character once. */
export function createJsonScanner(): JsonScanner {
  let depth = 0;
  let opened = false;
  let inString = false;
  let escaped = false;
  return {
    add(text) {
      for (const character of text) {
        if (inString) {
          if (escaped) escaped = false;
          else if (character === "\\") escaped = true;
          else if (character === '"') inString = false;
        } else if (character === '"') inString = true;
        else if (character === "{" || character === "[") {
          depth += 1;
          opened = true;
        } else if (character === "}" || character === "]") depth -= 1;
      }
    },
    get whole() {
      return opened && depth === 0;
    },
  };
}
