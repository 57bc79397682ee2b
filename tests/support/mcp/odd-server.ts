import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { OddManners } from "./odd-server-process.ts";

export interface OddServer {
  /** Its entry in mcp.json. */
  readonly entry: { readonly command: string; readonly args: readonly string[] };
  /** The arguments of the calls that it has run, in order. */
  calls(): readonly unknown[];
}

const program = join(import.meta.dirname, "odd-server-process.ts");

/** A server that means well and writes its answers in its own way. */
export function makeOddServer(manners: OddManners): OddServer {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-odd-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [mannersFile, deedFile] = [join(folder, "manners.json"), join(folder, "deeds.txt")];
  writeFileSync(mannersFile, JSON.stringify(manners));
  writeFileSync(deedFile, "");
  return {
    entry: { command: process.execPath, args: [program, mannersFile, deedFile] },
    calls: () =>
      readFileSync(deedFile, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as unknown),
  };
}
