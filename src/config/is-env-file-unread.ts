import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A .env in the folder sets something that the environment does not have: only Docker Compose reads such a file. */
export function isEnvFileUnread(folder: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  try {
    const lines = readFileSync(join(folder, ".env"), "utf8").split("\n");
    const names = lines.map((line) => /^\s*(?:export\s+)?([A-Z]\w*)=\s*\S/.exec(line)?.[1]);
    return names.some((name) => name !== undefined && environment[name] === undefined);
  } catch {
    return false;
  }
}
