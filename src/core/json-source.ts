import { parse, printParseErrorCode, stripComments, type ParseError } from "jsonc-parser";

type JsonSource =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "faulty"; readonly line: number; readonly column: number; readonly problem: string };

/** JSON with comments and trailing commas, the comments blanked out so that all places stay; or its first fault, counted from 1. */
export function readJsonSource(written: string): JsonSource {
  const text = written.replace(/^\uFEFF/, " ");
  const errors: ParseError[] = [];
  if (text.trim() !== "") parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  // A tab is white space in JSON, and in YAML it is not everywhere.
  if (first === undefined) return { kind: "read", text: stripComments(text, " ").replaceAll("\t", " ") };
  const before = text.slice(0, first.offset).split("\n");
  const found = { kind: "faulty", line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } as const;
  return { ...found, problem: `is no valid JSON: ${describeError(printParseErrorCode(first.error))}` };
}

function describeError(code: string): string {
  if (code === "InvalidEscapeCharacter")
    return String.raw`a backslash in a text is written twice ("C:\\Program Files\\nodejs")`;
  const words = code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.replace("comma expected", "a comma is missing").replace("colon expected", "a colon is missing");
}
