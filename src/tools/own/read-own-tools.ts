import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { ConfigFault } from "../../core/yaml-file.ts";
import { isOurName } from "../builtin-tools.ts";

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

/**
 * The tools of a folder, which may not exist. Nothing of them is run: only their syntax is looked at. `known` = those of the
 * last time, whose syntax is not looked at once more.
 */
export function readOwnTools(
  folder: string,
  onFault: (fault: ConfigFault) => void,
  known: readonly OwnToolFile[] = [],
): readonly OwnToolFile[] {
  return listFiles(folder).flatMap((file) => {
    const name = basename(file, ".ts");
    const fault = (problem: string, line = 1, column = 1) => {
      onFault({ file, line, column, key: "", problem });
      return [];
    };
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) return fault("must have a snake_case name, which is the tool's");
    if (isOurName(name))
      return fault(`${name} is the name of a tool of Kurisu's or of an MCP server; take another name`);
    const source = readFileSync(file, "utf8");
    if (source.length > longest) return fault(`is longer than ${longest} characters`);
    const digest = createHash("sha256").update(source).digest("hex");
    const same = known.find((one) => one.file === file && one.digest === digest);
    if (same) return [same];
    const stripped = stripTypes(source, file);
    if (!stripped.ok) return fault(stripped.problem, stripped.line, stripped.column);
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

type Stripped =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: string; readonly line: number; readonly column: number };

const answerSchema = z.union([
  z.object({ code: z.string() }),
  z.object({ fault: z.string(), message: z.string(), stack: z.string() }),
]);

const program = `
  import { stripTypeScriptTypes } from "node:module";
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  const { source, file } = JSON.parse(text);
  const strip = () => {
    try {
      return { code: stripTypeScriptTypes(source, { sourceUrl: file }) };
    } catch (error) {
      const { code = "", message = "", stack = "" } = error;
      return { fault: String(code), message: String(message), stack: String(stack) };
    }
  };
  process.stdout.write(JSON.stringify(strip()));
`;

/**
 * In a process of its own: a text that is nested too deep breaks Node's reader of TypeScript for the rest of a process, and
 * with it every import that still comes.
 */
function stripTypes(source: string, file: string): Stripped {
  const given = ["--permission", "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const input = JSON.stringify({ source, file });
  const { stdout } = spawnSync(process.execPath, given, {
    env: {},
    cwd: "/",
    input,
    timeout: 10_000,
    encoding: "utf8",
  });
  const answer = answerSchema.safeParse(parseJson(stdout)).data;
  if (answer === undefined || ("fault" in answer && answer.fault === "ERR_INTERNAL_ASSERTION"))
    return { ok: false, problem: "cannot be read as TypeScript: it may be nested too deep", line: 1, column: 1 };
  if ("code" in answer) return { ok: true, code: answer.code };
  return { ok: false, problem: `is no TypeScript: ${answer.message}`, ...findPlace(answer.stack) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node writes `file:line`, the line, and a mark below the column. */
function findPlace(stack: string): { readonly line: number; readonly column: number } {
  const [head = "", ...below] = stack.split("\n");
  const mark = below.find((line) => /^\s*\^/.test(line)) ?? "^";
  return { line: Number(/:(\d+)$/.exec(head)?.[1] ?? 1), column: mark.indexOf("^") + 1 };
}
