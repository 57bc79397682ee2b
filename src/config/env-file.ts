import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Environment } from "./environment.ts";

/** They locate the file, so they cannot be in it. */
const placesOfIt = ["KURISU_HOME", "KURISU_CONFIG"];

/**
 * The variables of a .env. The file counts only if it is ours and unreadable for others: a foreign project may have a
 * .env too, and its database is not ours.
 */
export function readEnvFile(file: string): Environment {
  try {
    const { mode, uid } = statSync(file);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (!isOurs || (mode & 0o077) !== 0) return {};
    const bytes = readFileSync(file);
    if (isUtf16(bytes)) return {};
    const entries = Object.entries(parseEnv(bytes.toString().replace(/^\uFEFF/, "")));
    return Object.fromEntries(entries.filter(([name]) => !placesOfIt.includes(name)));
  } catch {
    // The file is missing or unreadable; findEnvFileFault reports the latter.
    return {};
  }
}

/**
 * The names whose values in the file differ from those at startup. `own` is the process's environment, which takes
 * precedence.
 */
export function listChangedVariables(file: string, at: { readonly own: Environment; readonly all: Environment }) {
  const now = readEnvFile(file);
  return [...new Set([...Object.keys(at.all), ...Object.keys(now)])]
    .filter((name) => at.own[name] === undefined && at.all[name] !== now[name])
    .sort();
}

/** Why a .env is not used: others can read it, another user owns it, it cannot be opened, or it is not UTF-8. */
export type EnvFileFault = "open" | "foreign" | "unreadable" | "utf16";

/**
 * The reason for ignoring a .env. Returns undefined when it is used, is missing, or sets nothing beyond the
 * environment: another project's .env is not worth a message on every command.
 */
export function findEnvFileFault(file: string, environment: Environment): EnvFileFault | undefined {
  let bytes: Buffer;
  let isForeign: boolean;
  let mode: number;
  try {
    const found = statSync(file);
    mode = found.mode;
    isForeign = process.getuid !== undefined && found.uid !== process.getuid();
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "unreadable";
  }
  if (isUtf16(bytes)) return "utf16";
  if (!setsMore(bytes.toString(), environment)) return undefined;
  if (isForeign) return "foreign";
  return (mode & 0o077) === 0 ? undefined : "open";
}

/** Detects the byte order mark, or the zero bytes that UTF-16 has with every ASCII letter. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString("hex");
  return mark === "fffe" || mark === "feff" || bytes.includes(0);
}

function setsMore(text: string, environment: Environment): boolean {
  const names = text.split("\n").map((line) => /^\s*(?:export\s+)?([A-Za-z_]\w*)=\s*\S/.exec(line)?.[1]);
  return names.some((name) => name !== undefined && !placesOfIt.includes(name) && environment[name] === undefined);
}
