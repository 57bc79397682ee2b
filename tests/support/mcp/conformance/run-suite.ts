import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { createTemporaryFolder } from "../../temporary-folder.ts";
import { patienceMs } from "../../patience.ts";

const suite = fileURLToPath(
  new URL("../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const names = z.array(z.string());
const baselineSchema = z.strictObject({ client: names, server: names });

type Side = keyof z.output<typeof baselineSchema>;

/** The scenarios that we know not to pass, in the suite's own format; each has its reason beside it. */
export function readBaseline(side: Side): readonly string[] {
  return baselineSchema.parse(parse(readFileSync(new URL("baseline.yml", import.meta.url), "utf8")))[side].toSorted();
}

export interface SuiteRun {
  readonly passed: readonly string[];
  /** With a failure or a warning. */
  readonly failed: readonly string[];
  readonly output: string;
}

/** Runs the official suite, or a scenario of it. */
export async function runSuite(side: Side, given: readonly string[]): Promise<SuiteRun> {
  const folder = await createTemporaryFolder();
  const output = await new Promise<string>((resolve) => {
    const wanted = [suite, side, ...given, "-o", folder];
    // It ends with 1 where a scenario fails; what it says is read instead.
    execFile(process.execPath, wanted, { cwd: folder, timeout: patienceMs, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve(`${stdout}\n${stderr}`),
    );
  });
  const lines = [...output.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed(?:, (\d+) warnings)?/gmu)];
  const isSound = ([, , , , failures, warnings = "0"]: RegExpMatchArray) => failures === "0" && warnings === "0";
  const name = ([, , scenario = ""]: RegExpMatchArray) => scenario;
  return {
    passed: lines.filter(isSound).map(name).toSorted(),
    failed: lines
      .filter((line) => !isSound(line))
      .map(name)
      .toSorted(),
    output,
  };
}
