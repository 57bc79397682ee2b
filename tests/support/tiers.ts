import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * The quick tier is `npm test`: it needs no container engine, no second database, no browser and no second start of the program.
 * `npm run test:full` runs both.
 */
export type Tier = "quick" | "full";

const root = join(import.meta.dirname, "..", "..");
/** Tests of the whole program, of its death, of containers and of attacks. */
const fullFolders = ["tests/faults/", "tests/proof/", "tests/sandbox/", "tests/stories/"];

/** By the folder of the file, unless its first line says otherwise: `// quick: REASON` or `// full: REASON`. */
export function readTier(path: string, text: string): Tier {
  const marker = /^\/\/ (quick|full): \S/.exec(text)?.[1];
  if (marker === "quick" || marker === "full") return marker;
  return fullFolders.some((folder) => path.startsWith(folder)) ? "full" : "quick";
}

export interface TestFile {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tier: Tier;
}

export function listTestFiles(): TestFile[] {
  return globSync("tests/**/*.test.ts", { cwd: root, exclude: (path) => path.includes("node_modules") })
    .filter((path) => !path.startsWith("tests/checkpoint-validation/"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, tier: readTier(path, text) };
    });
}

/** Its cases run on each database: the quick tier runs them on SQLite, the rest on Postgres. */
export const runsOnBothDatabases = ({ text }: TestFile): boolean =>
  /^import \{[^}]*\blistEngines\b[^}]*\} from "[^"]*store-engines\.ts";$/m.test(text);

/** Which part of the tests a run is: `npm test`, what that leaves (`npm run test:full -- --rest`), or all there is. */
export type Part = "quick" | "rest" | "all";

export function readPart(): Part {
  const given = process.env["KURISU_TEST_PART"];
  return given === "quick" || given === "rest" ? given : "all";
}

export function listFilesOf(part: Part): string[] {
  return listTestFiles()
    .filter(
      (file) =>
        part === "all" ||
        file.tier === (part === "quick" ? "quick" : "full") ||
        (part === "rest" && runsOnBothDatabases(file)),
    )
    .map(({ path }) => path);
}

/** Of the test file that is being collected. */
export function tierOfFile(path: string): Tier {
  return readTier(relative(root, path), readFileSync(path, "utf8"));
}
