import { readFileSync } from "node:fs";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { describeError } from "./errors.ts";
import { findJsonFault, type JsonFault } from "./find-json-fault.ts";
import { findParsed, parseYaml } from "./parsed-yaml.ts";
import { explainIssues } from "./schema-issues.ts";
import { stripComments } from "jsonc-parser";

/** Reads configuration files: YAML 1.2, and JSON with comments where the name ends in .json; variables filled in after parsing, checked by a schema, every fault with its place. */

/** A fault in a configuration file. Line and column count from 1. */
export interface ConfigFault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Dotted path of the key, such as `tools.shell.timeout`; "" for the file as a whole. */
  readonly key: string;
  /** The fault; never holds the value of a field marked `.meta({ sensitive: true })`. */
  readonly problem: string;
}

export type YamlResult<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "missing" }
  | { readonly kind: "faulty"; readonly faults: readonly ConfigFault[] };

/** Passed in place of an environment: variables stay in the values unreplaced. */
export const asWritten = Symbol("as written");

type Environment = Record<string, string | undefined> | typeof asWritten;
type Path = readonly (string | number)[];

/** The places of a key and its value in the text, and the node to change when a variable turns out to be a number. */
interface Place {
  readonly keyOffset: number;
  readonly valueOffset: number;
  readonly retype?: () => boolean;
}

/** `file:line:column key: what is wrong`. */
export function formatFault(fault: ConfigFault): string {
  const place = `${fault.file}:${fault.line}:${fault.column}`;
  return fault.key === "" ? `${place} ${fault.problem}` : `${place} ${fault.key}: ${fault.problem}`;
}

export function readYamlFile<T>(file: string, schema: z.ZodType<T>, environment: Environment): YamlResult<T> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    const problem = `cannot be read (${code ?? describeError(error)})`;
    return { kind: "faulty", faults: [{ file, line: 1, column: 1, key: "", problem }] };
  }
  return readYamlText(text, file, schema, environment);
}

/** An empty text counts as an empty mapping, so that every default applies. The schema checks what `prepare` makes of the value. */
export function readYamlText<T>(
  text: string,
  fileName: string,
  schema: z.ZodType<T>,
  environment: Environment,
  prepare: (value: unknown) => unknown = (value) => value,
): Exclude<YamlResult<T>, { kind: "missing" }> {
  // A cached value that the schema rejects is parsed again, because faults need line numbers.
  const kept = fileName.endsWith(".json") ? undefined : findParsed(text);
  const checked = kept && schema.safeParse(prepare(kept.value));
  if (checked?.success) return { kind: "read", value: checked.data };
  const lineCounter = new LineCounter();
  const fault = (offset: number, key: Path, problem: string): ConfigFault => {
    const { line, col } = lineCounter.linePos(offset);
    return { file: fileName, line: Math.max(line, 1), column: Math.max(col, 1), key: key.join("."), problem };
  };
  const json = fileName.endsWith(".json") ? readJsonSource(text) : undefined;
  if (json?.kind === "faulty") return { kind: "faulty", faults: [{ ...json, file: fileName, key: "" }] };
  // JSON is YAML, so the same reader gives places and fills in variables.
  const document = parseYaml(json?.text ?? text, lineCounter);
  // The first one only: behind it the parser has lost its place.
  const syntaxFaults = [...document.errors, ...document.warnings]
    .slice(0, 1)
    .map((error) => fault(error.pos[0], [], describeSyntax(json === undefined ? "YAML" : "JSON", error.message)));
  if (syntaxFaults.length > 0) return { kind: "faulty", faults: syntaxFaults };

  const places = new Map<string, Place>();
  const faults: ConfigFault[] = [];
  walk(document.contents, [], 0);

  function walk(node: unknown, path: Path, keyOffset: number): void {
    const valueOffset = offsetOf(node) ?? keyOffset;
    const retype = isScalar(node) && typeof node.value === "string" ? fillScalar(node, path, valueOffset) : undefined;
    places.set(JSON.stringify(path), { keyOffset, valueOffset, ...(retype === undefined ? {} : { retype }) });
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : String(key);
        walk(value, [...path, name], offsetOf(key) ?? valueOffset);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) walk(item, [...path, index], offsetOf(item) ?? valueOffset);
    }
  }

  function fillScalar(node: { value: unknown; type?: string }, path: Path, offset: number): Place["retype"] {
    if (environment === asWritten) return undefined;
    const filled = fillVariables(String(node.value), environment);
    if (filled.kind === "faulty") {
      faults.push(...filled.problems.map((problem) => fault(offset, path, problem)));
      return undefined;
    }
    node.value = filled.text;
    // A quoted value stays text; a bare ${PORT} may become a number where the schema wants one.
    if (!filled.changed || node.type !== "PLAIN") return undefined;
    return () => {
      const value = readPlainValue(filled.text);
      if (value === undefined) return false;
      node.value = value;
      return true;
    };
  }

  let value: unknown;
  const parse = (): ReturnType<typeof schema.safeParse> => {
    value = prepare(document.toJS({ maxAliasCount: 100 }) ?? {});
    return schema.safeParse(value);
  };
  try {
    let result = parse();
    const retyped = result.success
      ? []
      : result.error.issues.filter(
          (issue) =>
            (issue.code === "invalid_type" || issue.code === "invalid_union") &&
            places.get(JSON.stringify(issue.path))?.retype?.() === true,
        );
    if (retyped.length > 0) result = parse();
    if (result.success && faults.length === 0) return { kind: "read", value: result.data };
    const explained = result.success ? [] : explainIssues(result.error.issues, schema, value);
    const unfilled = new Set(faults.map((item) => item.key));
    for (const { path, problem, at } of explained) {
      if (unfilled.has(path.join("."))) continue;
      const place = nearestPlace(places, path);
      faults.push(fault(at === "key" ? place.keyOffset : place.valueOffset, path, problem));
    }
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    faults.push(fault(0, [], "holds too many aliases"));
  }
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { kind: "faulty", faults };
}

/** The parser's messages quote the text after a colon, which may be a secret. */
function describeSyntax(language: "YAML" | "JSON", message: string): string {
  return `is no valid ${language}: ${message.split(/: |\n/)[0] ?? ""}`;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0];
}

/** A missing key has no place of its own; the place of its nearest ancestor in the text is used. */
function nearestPlace(places: ReadonlyMap<string, Place>, path: readonly PropertyKey[]): Place {
  const own = places.get(JSON.stringify(path));
  if (own !== undefined) return own;
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const place = places.get(JSON.stringify(path.slice(0, length)));
    if (place !== undefined) return { keyOffset: place.keyOffset, valueOffset: place.keyOffset };
  }
  return { keyOffset: 0, valueOffset: 0 };
}

/** Reads a plain scalar as YAML would, numbers and truth values only. */
function readPlainValue(text: string): number | boolean | undefined {
  if (text === "true" || text === "false") return text === "true";
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined;
}

type FilledText =
  | { readonly kind: "filled"; readonly text: string; readonly changed: boolean }
  | { readonly kind: "faulty"; readonly problems: readonly string[] };

const variablePattern = /\$\$|\$\{([^}]*)\}|\$\{/g;
const namePattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/**
 * Fills `${VAR}` and `${VAR:-default}` in one text value; `$$` is a dollar sign. The default applies when the variable is unset or empty; a
 * variable without a default must be set.
 */
function fillVariables(text: string, environment: Record<string, string | undefined>): FilledText {
  const problems: string[] = [];
  const filled = text.replace(variablePattern, (whole, inside: string | undefined) => {
    if (whole === "$$") return "$";
    const parts = inside === undefined ? null : namePattern.exec(inside);
    if (parts === null) {
      problems.push("a variable is written ${NAME} or ${NAME:-default}; a dollar sign is $$");
      return "";
    }
    const [, name = "", fallback] = parts;
    const value = environment[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    problems.push(`the environment variable ${name} is not set`);
    return "";
  });
  if (problems.length > 0) return { kind: "faulty", problems };
  return { kind: "filled", text: filled, changed: filled !== text };
}

interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

/** The places of values in a YAML file, counted from 1. Undefined when there is no such file, or no such key. */
export function readYamlPlaces(file: string): (path: readonly (string | number)[]) => YamlPlace | undefined {
  try {
    return findYamlPlaces(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return () => undefined;
    throw error;
  }
}

/** The same in a text. */
export function findYamlPlaces(text: string): (path: readonly (string | number)[]) => YamlPlace | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  return (path) => {
    const node: unknown = document.getIn(path, true);
    if (!isNode(node) || !node.range) return undefined;
    const { line, col } = lineCounter.linePos(node.range[0]);
    return { line, column: col };
  };
}

type JsonSource = { readonly kind: "read"; readonly text: string } | ({ readonly kind: "faulty" } & JsonFault);

/** JSON with comments and trailing commas, the comments blanked out so that all places stay; or its first fault, counted from 1. */
function readJsonSource(written: string): JsonSource {
  const text = written.replace(/^\uFEFF/, " ");
  const fault = text.trim() === "" ? undefined : findJsonFault(text, { allowTrailingComma: true });
  if (fault !== undefined) return { kind: "faulty", ...fault };
  // A tab is white space in JSON, and in YAML it is not everywhere.
  return { kind: "read", text: stripComments(text, " ").replaceAll("\t", " ") };
}
