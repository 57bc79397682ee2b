// full: copies the repository and starts the program in it
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recipes, removable, type Recipe } from "./support/recipes.ts";

/** Follows recipes of AGENTS.md in a copy of the repository: what they name is enough, and what they add is really there. */

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);
const left = new Set([".git", "node_modules", "data", "coverage", "dist"]);
const limitMs = 400_000;
/** KURISU_TEST_FULL=1 reads the types of tests and benches in the copy too; no recipe touches one. */
const full = process.env["KURISU_TEST_FULL"] === "1";
const changed = recipes.flatMap(({ files, rows }) => [...Object.keys(files), ...rows.map(({ path }) => path)]);

let copy: string;
let home: string;
/** The copy's own bundle: each start of the sources would cost as much as building it. */
let program: string;

/** The repository without what is not its own; the packages are links. */
function copyRepository(to: string): void {
  cpSync(root, to, {
    recursive: true,
    filter: (path) =>
      !relative(root, path)
        .split(sep)
        .some((part) => left.has(part)),
  });
  for (const packages of ["node_modules", "scripts/runtime/node_modules"])
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(to, packages));
}

async function follow({ files, rows }: Recipe): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  for (const { path, after, row } of rows) {
    const text = readFileSync(join(copy, path), "utf8");
    expect(text.split(after).length, `${path} has once: ${after}`).toBe(2);
    writeFileSync(
      join(copy, path),
      text.replace(after, () => `${after}${row}`),
    );
  }
}

function kurisu(
  given: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  typed = "",
): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", KURISU_HOME: home, KURISU_MODEL: "offline", ...environment };
  const started = run(process.execPath, [program, ...given], { cwd: copy, env });
  started.child.stdin?.end(typed);
  return started.then(
    ({ stdout }) => stdout,
    // The doctor of a machine without a container engine ends with 1.
    (error: { stdout?: string }) => error.stdout ?? "",
  );
}

/** The numbered steps of a recipe. */
function readSteps(name: string): readonly string[] {
  const page = readFileSync(join(root, "AGENTS.md"), "utf8");
  const [, body = ""] = page.split(new RegExp(`\\n\\*\\*${name}\\*\\*[^\\n]*\\n`));
  const [list = ""] = body.split("\n\n");
  return list.split(/^\d+\. /m).slice(1);
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-recipes-"));
  copy = join(folder, "kurisu");
  home = join(folder, "data");
  copyRepository(copy);
  for (const recipe of recipes) await follow(recipe);
  await run(process.execPath, ["scripts/config-schema.mjs"], { cwd: copy });
  await run("node_modules/.bin/oxfmt", ["config", ...changed], { cwd: copy });
  const settings = join(copy, "tsconfig.json");
  if (!full)
    writeFileSync(settings, readFileSync(settings, "utf8").replace('["src", "tests", "bench", "examples"]', '["src"]'));
  program = (await run(process.execPath, ["scripts/bundle.mjs"], { cwd: copy })).stdout.trim();
}, limitMs);

afterAll(() => rm(dirname(copy), { recursive: true, force: true }));

describe.each(recipes)("the recipe of $name", ({ name, files, rows, most }) => {
  const folders = new Set(
    Object.keys(files).map((path) => path.replace(/(channels\/\w+|features\/\w+|skills\/\w+)\/.*$/, "$1")),
  );
  const touched = [...folders, ...new Set(rows.map(({ path }) => path))];

  test(`names each of its ${most} touches, and no more are needed`, () => {
    expect(touched.length).toBeLessThanOrEqual(most);
    const named = readSteps(name)
      .join("\n")
      .replaceAll(/<(?:name|id)>/g, name === "A feature" ? "dice" : "dummy")
      .replaceAll(/\{(\w+),(\w+),(\w+)\}/g, "$1");
    const missing = touched.filter((path) => !named.includes(`\`${path}`));
    expect(missing.filter((path) => !/\/(?:en|ja)\//.test(path))).toEqual([]);
  });
});

describe("the copy with one more of each", () => {
  test("passes npm run check", { timeout: limitMs }, async () => {
    // The lint of each file that is as it was has its own run.
    const sources = [...new Set(changed)].filter((path) => path.endsWith(".ts"));
    const check = ["scripts/check.mjs", "--lint", ...sources];
    const { stdout } = await run(process.execPath, check, { cwd: copy }).catch((error: { stdout?: string }) => ({
      stdout: error.stdout ?? "",
    }));
    expect(stdout).toMatch(/types ok .*lint ok .*format ok .*dead code ok/);
  });

  test("offers the tool", async () => {
    const tools = (await kurisu(["tools", "list", "--json"])).trim().split("\n");
    expect(tools.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ name: "dummy", level: "safe", source: "builtin", available: true }),
    );
  });

  test("the doctor asks the new channel, and its model is the provider's", async () => {
    const environment = { DUMMY_TOKEN: "letters", KURISU_MODEL: "dummy:one", DUMMY_KEY: "letters" };
    const findings = (await kurisu(["doctor", "--json", "--no-ask"], environment)).trim().split("\n");
    const found = findings.map((line) => JSON.parse(line) as object);
    expect(found).toContainEqual({ check: "dummy", state: "ok", detail: "it echoes" });
    expect(found).toContainEqual({ check: "model", state: "warning", detail: "dummy:one: not asked (--no-ask)" });
    expect(await kurisu(["doctor"])).toMatch(/dummy: off\. Set DUMMY_TOKEN/);
  });

  test("hears the chat command and lists it", async () => {
    const said = await kurisu(["chat"], {}, "/dice 2d6\n/help all\n");
    expect(said).toMatch(/2d6[:：] ?[1-6] \+ [1-6] = \d+/);
    expect(said).toMatch(/\/dice +\S/);
  });

  test("the copy has the skill, and an utterance calls for it", async () => {
    expect(await kurisu(["skills", "list", "--json"])).toMatch(/^\{"id":"dummy",.*"available":true/m);
    expect(JSON.parse(await kurisu(["skills", "match", "say xyzzy to the door"]))).toEqual({ skills: ["dummy"] });
  });
});

/** The chat commands and the tools that the program of the copy has. */
async function listAbilities(): Promise<{ readonly commands: readonly string[]; readonly tools: readonly string[] }> {
  const help = await kurisu(["chat"], {}, "/help all\n");
  const tools = (await kurisu(["tools", "list", "--json"])).trim().split("\n");
  return {
    commands: [...help.matchAll(/\/(\w+)/g)].map(([, name = ""]) => name),
    tools: tools.map((line) => (JSON.parse(line) as { readonly name: string }).name),
  };
}

/** The tables of the database that the program made. */
function listTables(): readonly string[] {
  const database = new DatabaseSync(join(home, "kurisu.db"), { readOnly: true });
  const rows = database.prepare("select name from sqlite_master where type = 'table'").all();
  database.close();
  return rows.map(({ name }) => String(name));
}

// Last: from here on the copy is another.
describe("the copy without the features that can be taken out", () => {
  const names = Object.keys(removable);
  const gone = Object.values(removable);

  test("passes npm run check, and the program answers", { timeout: limitMs }, async () => {
    const before = await listAbilities();
    expect(before.commands).toEqual(expect.arrayContaining(gone.flatMap(({ command = [] }) => command)));
    expect(before.tools).toEqual(expect.arrayContaining(gone.flatMap(({ tool = [] }) => tool)));
    expect(listTables()).toEqual(expect.arrayContaining(gone.flatMap(({ table = [] }) => table)));

    const list = join(copy, "src/assembly/features.ts");
    for (const name of names) {
      for (const folder of ["src", "tests"]) rmSync(join(copy, folder, "features", name), { recursive: true });
      const text = readFileSync(list, "utf8");
      const [, variable = ""] = new RegExp(`^import \\{ (\\w+) \\} from .*/features/${name}/.*$`, "m").exec(text) ?? [];
      const lines = new RegExp(`^(?:import .*/features/${name}/.*|\\s*${variable},.*)\\n`, "gm");
      const left = text.replaceAll(lines, "");
      expect(text.split("\n").length - left.split("\n").length, `the lines of ${name}`).toBe(2);
      writeFileSync(list, left);
    }
    await run(process.execPath, ["scripts/config-schema.mjs"], { cwd: copy });
    await run("node_modules/.bin/oxfmt", ["config", "src/assembly/features.ts"], { cwd: copy });
    // What is left of the tests has to fit, too.
    cpSync(join(root, "tsconfig.json"), join(copy, "tsconfig.json"));
    const check = ["scripts/check.mjs", "--lint", "src/assembly/features.ts"];
    const { stdout } = await run(process.execPath, check, { cwd: copy }).catch((error: { stdout?: string }) => ({
      stdout: error.stdout ?? "",
    }));
    expect(stdout).toMatch(/types ok .*lint ok .*format ok .*dead code ok/);

    program = (await run(process.execPath, ["scripts/bundle.mjs"], { cwd: copy })).stdout.trim();
    home = join(dirname(copy), "data-without");
    const after = await listAbilities();
    expect(after.commands).toEqual(expect.arrayContaining(["remind", "memory", "mcp"]));
    expect(after.tools).toEqual(expect.arrayContaining(["file_read", "find_skill"]));
    const tables = listTables();
    expect(tables).toContain("questions");
    for (const { command = "", tool = "", table = "" } of gone) {
      expect(after.commands).not.toContain(command);
      expect(after.tools).not.toContain(tool);
      expect(tables).not.toContain(table);
    }
  });
});
