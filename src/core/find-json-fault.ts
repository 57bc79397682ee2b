import { parse, printParseErrorCode, type ParseError, type ParseOptions } from "jsonc-parser";

export interface JsonFault {
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** The first fault of the syntax; comments are one unless they are allowed. */
export function findJsonFault(text: string, options: ParseOptions): JsonFault | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, options);
  } catch (error) {
    // The parser walks the levels by recursion, and has no place to tell then.
    if (error instanceof RangeError) return { line: 1, column: 1, problem: "is nested too deeply" };
    throw error;
  }
  const [first] = errors;
  if (first === undefined) return undefined;
  const before = text.slice(0, first.offset).split("\n");
  const problem = `is no valid JSON: ${describe(printParseErrorCode(first.error))}`;
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem };
}

function describe(code: string): string {
  if (code === "InvalidEscapeCharacter")
    return String.raw`a backslash in a text is written twice ("C:\\Program Files\\nodejs")`;
  const words = code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.replace("comma expected", "a comma is missing").replace("colon expected", "a colon is missing");
}
