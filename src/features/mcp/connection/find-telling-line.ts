import { stripVTControlCharacters } from "node:util";

const maxLine = 500;

/** Frames, carets and versions below an error, and the other output of installers. */
const noise =
  /^(?:at |Node\.js v\d|\^+$|~+$|[{}[\]();,]+$|npm (?:warn|notice|verb|info|http)\b|npm (?:error|ERR!)?$|\(node:\d+\)|\(Use `?node |node:internal|file:\/\/|throw |requireStack|Require stack:|- \/|File "|The above exception|During handling|note: |[A-Za-z]+Warning:|code: '|npm (?:error|ERR!) (?:code|errno|syscall|path|dest|A complete log|Log files|network |\s|at )|For more information|Traceback )/;

/** An error says of itself that it is one. The first of these is the cause; later ones follow from it. */
const errors: readonly RegExp[] = [
  // Node, Java, .NET: `TypeError: …`, `Error [ERR_X]: …`, `Uncaught Exception: …`
  /^(?:Uncaught |Unhandled |\[?ERROR\]?:? |Exception in thread "[^"]{0,80}" )?[\w.$]{0,100}(?:Error|Exception)(?: \[\w{1,60}\])?: \S/,
  /^npm (?:error|ERR!) \S/,
  // uv, cargo, docker, git, argparse, Go, Rust.
  /^(?:[\w./-]{1,80}: )?(?:error|fatal|panic)(?: response from daemon)?: /i,
  /^(?:×|✖|✘|❌) ?\S/,
  /^thread '[^']{0,80}' panicked at /,
  // Shells and loaders.
  /: (?:command not found|not found|No such file or directory|Permission denied|cannot execute\b)/,
  /\b(?:executable file not found|could not determine executable|cannot open shared object|exec format error)\b/i,
];

const signs =
  /\b(?:E(?:NOENT|ACCES|PERM|CONN\w+|NOTFOUND|ADDRINUSE|AI_AGAIN|NOTEMPTY|NOSPC)|cannot|can't|could not|failed|failure|missing|not set|not provided|is required|are required|must be|invalid|denied|unauthorized|unknown|unsupported|timed out)\b/i;

/**
 * The line of what a program wrote to standard error that says why it ended: the error itself, and not the version, the stack
 * or the hint below it. "" = nothing was said.
 */
export function findTellingLine(errorOutput: string): string {
  const lines = stripVTControlCharacters(errorOutput)
    .split("\n")
    .map((line) => line.slice(0, maxLine).trimEnd());
  const bare = lines.map((line) => line.trim()).filter((line) => line !== "" && !noise.test(line));
  const found =
    findPythonError(lines) ??
    errors.map((pattern) => bare.find((line) => pattern.test(line))).find((line) => line !== undefined) ??
    bare.find((line) => signs.test(line));
  // A heading means nothing without the line below it.
  if (found?.endsWith(":") === true) return `${found} ${bare[bare.indexOf(found) + 1] ?? ""}`.trim();
  return found ?? bare.at(-1) ?? lines.findLast((line) => line.trim() !== "")?.trim() ?? "";
}

/** Python puts the error under its stack, and the one that ended the program last. */
function findPythonError(lines: readonly string[]): string | undefined {
  const head = lines.findIndex((line) => line.includes("Traceback (most recent call last):"));
  if (head === -1) return undefined;
  // A group of errors draws a frame of these around each.
  const below = lines.slice(head + 1).map((line) => line.replace(/^[ |+-]{0,40}\| ?/, ""));
  return below.findLast((line) => /^[A-Za-z_][\w.]{0,100}(?:: \S.*)?$/.test(line) && !noise.test(line));
}

/** The folder of npx that an installation was cut off in, as the program's complaint names it. */
export function findHalfInstalled(errorOutput: string): string | undefined {
  const complains = /ENOTEMPTY|Cannot find (?:module|package)|MODULE_NOT_FOUND|could not determine executable/.test(
    errorOutput,
  );
  if (!complains) return undefined;
  return /(?:\/[\w.@~+-]{1,100}){1,20}\/_npx\/[0-9a-f]{6,64}(?![\w-])/.exec(errorOutput)?.[0];
}
