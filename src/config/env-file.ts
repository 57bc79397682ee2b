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
    const entries = Object.entries(parseEnv(readFileSync(file, "utf8")));
    return Object.fromEntries(entries.filter(([name]) => !placesOfIt.includes(name)));
  } catch {
    // None is there, or none that can be read: isEnvFileUnread tells of the second.
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

/** It sets something that the environment does not have, so it was not read. */
export function isEnvFileUnread(file: string, environment: Environment): boolean {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    const names = lines.map((line) => /^\s*(?:export\s+)?([A-Z]\w*)=\s*\S/.exec(line)?.[1]);
    return names.some((name) => name !== undefined && !placesOfIt.includes(name) && environment[name] === undefined);
  } catch {
    return false;
  }
}
