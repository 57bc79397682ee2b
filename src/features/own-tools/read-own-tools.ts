import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { ConfigFault } from "../../core/yaml-file.ts";

/** One file of config/tools, read but not run. */
export interface OwnToolFile {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly source: string;
  /** SHA-256 of the source, which an approval is for. */
  readonly digest: string;
}

/** Maximum characters of a file; people are shown all of it before they approve. */
const maxSourceLength = 16_000;

/**
 * The tools of a folder, which may not exist. Nothing of them is run: only their syntax is looked at, in one process for all.
 * `isRead` = a content whose syntax was found good before.
 */
export function readOwnTools(
  folder: string,
  isOurName: (name: string) => boolean,
  onFault: (fault: ConfigFault) => void,
  isRead: (file: Pick<OwnToolFile, "name" | "digest">) => boolean = () => false,
): readonly OwnToolFile[] {
  const fault = (file: string, problem: string, line = 1, column = 1) => {
    onFault({ file, line, column, key: "", problem });
    return [];
  };
  const files = listFiles(folder).flatMap((file): readonly OwnToolFile[] => {
    const name = basename(file, ".ts");
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) return fault(file, "must have a snake_case name, which is the tool's");
    if (isOurName(name))
      return fault(file, `${name} is the name of a tool of Kurisu's or of an MCP server; take another name`);
    const source = readFileSync(file, "utf8");
    if (source.length > maxSourceLength) return fault(file, `is longer than ${maxSourceLength} characters`);
    return [{ name, file, source, digest: createHash("sha256").update(source).digest("hex") }];
  });
  const problems = findSyntaxFaults(files.filter((file) => !isRead(file)));
  return files.filter((file) => {
    const problem = problems.get(file);
    if (problem) fault(file.file, problem.problem, problem.line, problem.column);
    return !problem;
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

interface SyntaxFault {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
}

/** One line per file that was read; `fault` = the problem with it. */
const lineSchema = z.object({
  index: z.int(),
  fault: z.object({ code: z.string(), message: z.string(), stack: z.string() }).optional(),
});

const program = `
  import { stripTypeScriptTypes } from "node:module";
  import { writeSync } from "node:fs";
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
  for (const [index, { source, file }] of JSON.parse(text).entries()) {
    let line = { index };
    try {
      stripTypeScriptTypes(source, { sourceUrl: file });
    } catch (error) {
      const { code = "", message = "", stack = "" } = error;
      line = { index, fault: { code: String(code), message: String(message), stack: String(stack) } };
    }
    writeSync(1, JSON.stringify(line) + "\\n");
    if (line.fault?.code === "ERR_INTERNAL_ASSERTION") break;
  }
`;

const tooDeep = "cannot be read as TypeScript: it may be nested too deep";

/**
 * In a separate process: a text that is nested too deep breaks Node's reader of TypeScript for the rest of a process,
 * and with it every later import. The files after such a text are read in the next process.
 */
function findSyntaxFaults(files: readonly OwnToolFile[]): ReadonlyMap<OwnToolFile, SyntaxFault> {
  const faults = new Map<OwnToolFile, SyntaxFault>();
  let rest = files;
  while (rest.length > 0) {
    const given = ["--permission", "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
    const input = JSON.stringify(rest.map(({ source, file }) => ({ source, file })));
    const options = { env: {}, cwd: "/", input, timeout: 10_000, maxBuffer: 16 * 1024 * 1024 } as const;
    const { stdout } = spawnSync(process.execPath, given, { ...options, encoding: "utf8" });
    let read = 0;
    for (const text of (stdout ?? "").split("\n")) {
      const line = lineSchema.safeParse(parseJson(text)).data;
      const file = rest[read];
      if (line?.index !== read || !file || line.fault?.code === "ERR_INTERNAL_ASSERTION") break;
      if (line.fault)
        faults.set(file, { problem: `is no TypeScript: ${line.fault.message}`, ...findPlace(line.fault.stack) });
      read += 1;
    }
    const broken = rest[read];
    if (broken) faults.set(broken, { problem: tooDeep, line: 1, column: 1 });
    rest = rest.slice(read + 1);
  }
  return faults;
}

/** Node writes `file:line`, the line, and a mark below the column. */
function findPlace(stack: string): { readonly line: number; readonly column: number } {
  const [head = "", ...below] = stack.split("\n");
  const mark = below.find((line) => /^\s*\^/.test(line)) ?? "^";
  return { line: Number(/:(\d+)$/.exec(head)?.[1] ?? 1), column: mark.indexOf("^") + 1 };
}
