import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, join } from "node:path";
import { describeError } from "../../core/errors.ts";
import type { ConfigFault } from "../../core/yaml-file.ts";
import { builtinNames } from "../builtin-tools.ts";

/** One file of config/tools, read but not run. */
export interface OwnToolFile {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly source: string;
  /** The same without types, every token where it was. */
  readonly code: string;
  /** SHA-256 of the source: what a yes is for. */
  readonly digest: string;
}

/** Characters of a file; people are shown all of it before their yes. */
const longest = 16_000;

/** The tools of a folder, which may not exist. Nothing of them is run: only their syntax is looked at. */
export function readOwnTools(folder: string, onFault: (fault: ConfigFault) => void): readonly OwnToolFile[] {
  return listFiles(folder).flatMap((file) => {
    const name = basename(file, ".ts");
    const fault = (problem: string, line = 1, column = 1) => {
      onFault({ file, line, column, key: "", problem });
      return [];
    };
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) return fault("must have a snake_case name, which is the tool's");
    if (builtinNames.some((known) => known === name)) return fault(`${name} is a built-in tool; take another name`);
    const source = readFileSync(file, "utf8");
    if (source.length > longest) return fault(`is longer than ${longest} characters`);
    const stripped = stripTypes(source, file);
    if (!stripped.ok) return fault(stripped.problem, stripped.line, stripped.column);
    const digest = createHash("sha256").update(source).digest("hex");
    return [{ name, file, source, code: stripped.code, digest }];
  });
}

function listFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.startsWith("."));
    const paths = names.sort().map((name) => join(folder, name));
    return paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function stripTypes(
  source: string,
  file: string,
):
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: string; readonly line: number; readonly column: number } {
  const { emitWarning } = process;
  // It would say once that the function is new.
  process.emitWarning = () => undefined;
  try {
    return { ok: true, code: stripTypeScriptTypes(source, { sourceUrl: file }) };
  } catch (error) {
    return { ok: false, problem: `is no TypeScript: ${describeError(error)}`, ...findPlace(error) };
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Node writes `file:line`, the line, and a mark below the column. */
function findPlace(error: unknown): { readonly line: number; readonly column: number } {
  const [head = "", ...below] = (error instanceof Error ? (error.stack ?? "") : "").split("\n");
  const mark = below.find((line) => /^\s*\^/.test(line)) ?? "^";
  return { line: Number(/:(\d+)$/.exec(head)?.[1] ?? 1), column: mark.indexOf("^") + 1 };
}
