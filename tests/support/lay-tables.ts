import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "./open-store.ts";

const names = ["kurisu.db", "checkpoints.db"] as const;
let tables: Promise<readonly Buffer[]> | undefined;

/** Puts our tables, with nothing in them, into a folder that has none: copying them is quicker than making them each time. */
export async function layTables(home: string): Promise<void> {
  if (names.some((name) => existsSync(join(home, name)))) return;
  const files = await (tables ??= makeTables());
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const [index, name] of names.entries()) writeFileSync(join(home, name), files[index] ?? "", { mode: 0o600 });
}

async function makeTables(): Promise<readonly Buffer[]> {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-tables-"));
  try {
    const store = await openStore({ home: folder });
    await store.close();
    return names.map((name) => readFileSync(join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
