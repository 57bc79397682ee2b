import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The contents of config/tools that may run, and who approved them: `tools.lock` in the data folder. */
const schema = z.record(
  z.string(),
  z.strictObject({
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    approver: z.string(),
    date: z.string(),
    /** The declaration of this content, so that no start has to run it for that. */
    declaration: z.unknown().exactOptional(),
  }),
);

type ToolsLock = z.output<typeof schema>;

const fileOf = (home: string): string => join(home, "tools.lock");

/** A lock that cannot be read admits nothing. */
export function readToolsLock(home: string): ToolsLock {
  try {
    return schema.safeParse(JSON.parse(readFileSync(fileOf(home), "utf8"))).data ?? {};
  } catch {
    return {};
  }
}

/** When it was written; 0 = there is none. */
export function timeOfToolsLock(home: string): number {
  return statSync(fileOf(home), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function writeToolsLock(home: string, lock: ToolsLock): void {
  const file = fileOf(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(lock, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
