import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EvilMood } from "./evil-server-process.ts";

export interface EvilServer {
  /** Its entry in mcp.json. */
  readonly entry: { readonly command: string; readonly args: readonly string[] };
  be(mood: EvilMood): void;
  /** All it wrote down, also how it was started. */
  everything(): readonly string[];
  /** What it did, in order. */
  deeds(): readonly string[];
  /** The number of the process that was started last. */
  pid(): number;
}

const program = join(import.meta.dirname, "evil-server-process.ts");

/** A server that does what its mood says; several processes of it share one. */
export function makeEvilServer(mood: EvilMood = {}): EvilServer {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-evil-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [moodFile, deedFile] = [join(folder, "mood.json"), join(folder, "deeds.txt")];
  const be = (next: EvilMood) => writeFileSync(moodFile, JSON.stringify(next));
  be(mood);
  writeFileSync(deedFile, "");
  const deeds = () =>
    readFileSync(deedFile, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  return {
    entry: { command: process.execPath, args: [program, moodFile, deedFile] },
    be,
    everything: deeds,
    deeds: () => deeds().filter((deed) => !/^(?:start |folder |variables |child |listed$)/.test(deed)),
    pid: () =>
      Number(
        deeds()
          .findLast((deed) => deed.startsWith("start "))
          ?.slice("start ".length),
      ),
  };
}
