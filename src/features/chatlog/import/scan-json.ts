/** The treatment of a value: go into it, answer its text, or pass over it. */
export type JsonStep = "enter" | "take" | "skip";

/** Keys from the root on; `*` matches every element of a list. */
export type JsonPath = readonly string[];

export interface JsonScanner {
  push(text: string): void;
  /** Returns whether the text was one whole JSON value. */
  end(): boolean;
}

/** A value longer than this is reported as too long, and not returned. */
const maxValueLength = 4_000_000;
const maxKeyLength = 1_000;

type Mode =
  | "value"
  | "key"
  | "inKey"
  | "colon"
  | "after"
  /** Within a value that is taken or skipped. */
  | "inside"
  | "done"
  | "broken";

const [quote, backslash, comma, colon, lineEnd] = [34, 92, 44, 58, 10];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/**
 * Cuts the wanted values out of a JSON text of any size that comes in parts, in one pass and with the memory of one value. Only the
 * structure is looked at: a wanted value that is faulty within spoils nothing but itself. `line` is counted from 1.
 */
export function createJsonScanner(parts: {
  readonly choose: (path: JsonPath) => JsonStep;
  /** text undefined = it is too long. */
  readonly onValue: (path: JsonPath, text: string | undefined, line: number) => void;
  /** An entered object or list is at its end. */
  readonly onClose?: (path: JsonPath) => void;
  /** Called when nothing more can be read. */
  readonly onBroken: (line: number) => void;
}): JsonScanner {
  let mode: Mode = "value";
  let line = 1;
  const path: string[] = [];
  /** The entered containers. */
  const open: ("object" | "list")[] = [];
  let key = "";
  let isEscaped = false;
  /** An entered container may end here at once. */
  let isFirst = false;
  // State of the value that is taken or skipped:
  let isTaken = false;
  let isString = false;
  let depth = 0;
  let beganOn = 0;
  let taken: string[] = [];
  let takenLength = 0;

  function breakOff(): void {
    mode = "broken";
    taken = [];
    parts.onBroken(line);
  }

  function close(kind: "object" | "list"): void {
    if (open.pop() !== kind) return breakOff();
    parts.onClose?.(path);
    path.pop();
    mode = open.length === 0 ? "done" : "after";
  }

  function beginValue(code: number): void {
    if (open.at(-1) === "list") path.push("*");
    const container = code === openList ? "list" : code === openObject ? "object" : undefined;
    const step = parts.choose(path);
    if (step === "enter" && container !== undefined) {
      open.push(container);
      isFirst = true;
      mode = container === "list" ? "value" : "key";
      return;
    }
    isTaken = step === "take";
    isString = code === quote;
    isEscaped = false;
    depth = container === undefined ? 0 : 1;
    beganOn = line;
    taken = [];
    takenLength = 0;
    mode = "inside";
  }

  function keep(text: string): void {
    if (!isTaken) return;
    takenLength += text.length;
    if (takenLength <= maxValueLength) taken.push(text);
    else taken = [];
  }

  function endValue(): void {
    if (isTaken) parts.onValue(path, takenLength > maxValueLength ? undefined : taken.join(""), beganOn);
    taken = [];
    path.pop();
    mode = open.length === 0 ? "done" : "after";
  }

  /** Reads on within the value from `start`. Returns the index behind what it took. */
  function goThrough(text: string, start: number, isBegun: boolean): number {
    const isScalar = depth === 0 && !isString;
    let at = isBegun ? start : start + 1;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) {
          isString = false;
          if (depth > 0) continue;
          keep(text.slice(start, at + 1));
          endValue();
          return at + 1;
        }
      } else if (isScalar) {
        if (code !== comma && code !== closeList && code !== closeObject && code > 32) continue;
        keep(text.slice(start, at));
        endValue();
        return at;
      } else if (code === quote) isString = true;
      else if (code === openObject || code === openList) depth += 1;
      else if (code === closeObject || code === closeList) {
        depth -= 1;
        if (depth > 0) continue;
        keep(text.slice(start, at + 1));
        endValue();
        return at + 1;
      } else if (code === lineEnd) line += 1;
    }
    keep(text.slice(start));
    return at;
  }

  /** One character outside of values. */
  function step(code: number): void {
    switch (mode) {
      case "key":
        if (code === quote) {
          key = '"';
          isEscaped = false;
          mode = "inKey";
        } else if (code === closeObject && isFirst) close("object");
        else breakOff();
        return;
      case "inKey":
        if (key.length < maxKeyLength) key += String.fromCharCode(code);
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) {
          path.push(readKey(key));
          mode = "colon";
        }
        return;
      case "colon":
        if (code === colon) mode = "value";
        else breakOff();
        return;
      case "after":
        isFirst = false;
        if (code === comma) mode = open.at(-1) === "list" ? "value" : "key";
        else if (code === closeList) close("list");
        else if (code === closeObject) close("object");
        else breakOff();
        return;
      case "done":
      case "value":
      case "inside":
      case "broken":
        // Behind the end there is nothing but space; the others are never asked here.
        breakOff();
    }
  }

  return {
    push(text) {
      let at = 0;
      if (mode === "inside") at = goThrough(text, 0, true);
      while (at < text.length && mode !== "broken") {
        const code = text.charCodeAt(at);
        if (code === lineEnd) line += 1;
        if (code <= 32 && mode !== "inKey") at += 1;
        else if (mode === "value") {
          if (code === closeList && isFirst && open.at(-1) === "list") {
            close("list");
            at += 1;
          } else if (code === comma || code === closeList || code === closeObject || code === colon) breakOff();
          else {
            isFirst = false;
            beginValue(code);
            at = modeNow() === "inside" ? goThrough(text, at, false) : at + 1;
          }
        } else {
          step(code);
          at += 1;
        }
      }
    },
    end() {
      if (mode === "inside" && depth === 0 && !isString) endValue();
      if (mode !== "done" && mode !== "broken") breakOff();
      return modeNow() === "done";
    },
  };

  /** It changes within the calls above, which the type checker cannot see. */
  function modeNow(): Mode {
    return mode;
  }
}

function readKey(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    // Cut, or faulty: it cannot be a key that callers look for.
    if (error instanceof SyntaxError) return "";
    throw error;
  }
}
