import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Environment } from "./environment.ts";

/** They say where the file is, so they cannot stand in it. */
const placesOfIt = ["KURISU_HOME", "KURISU_CONFIG"];

/**
 * The variables of a .env. Only one that is ours and that nobody else can read counts: somebody else's project may have a .env
 * as well, and its database is not ours.
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
    // None is there, or none that can be read: findEnvFileFault tells of the second.
    return {};
  }
}

/** The names that the file sets otherwise than the start found them; `own` = of the process alone, which goes first. */
export function listChangedVariables(file: string, at: { readonly own: Environment; readonly all: Environment }) {
  const now = readEnvFile(file);
  return [...new Set([...Object.keys(at.all), ...Object.keys(now)])]
    .filter((name) => at.own[name] === undefined && at.all[name] !== now[name])
    .sort();
}

/** Why a .env is not used: others can read it, it is somebody else's, it cannot be opened, or it is no UTF-8. */
export type EnvFileFault = "open" | "foreign" | "unreadable" | "utf16";

/**
 * The reason why a .env is left out; undefined = it is read, there is none, or it sets nothing that the environment does not
 * have: another project's .env is not worth a word at every command.
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

/** A byte order mark of it, or the zeros that UTF-16 has beside every letter. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString("hex");
  return mark === "fffe" || mark === "feff" || bytes.includes(0);
}

function setsMore(text: string, environment: Environment): boolean {
  const names = text.split("\n").map((line) => /^\s*(?:export\s+)?([A-Za-z_]\w*)=\s*\S/.exec(line)?.[1]);
  return names.some((name) => name !== undefined && !placesOfIt.includes(name) && environment[name] === undefined);
}
