// full: starts the program
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const mebibyte = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "kurisu-package-"));
const home = mkdtempSync(join(tmpdir(), "kurisu-package-home-"));
afterAll(() => [folder, home].forEach((path) => rmSync(path, { recursive: true, force: true })));

beforeAll(() => {
  execFileSync(process.execPath, ["scripts/bundle.mjs", "--package", folder], { cwd: root });
});

const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>;
const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + lstatSync(join(path, name)).size,
    0,
  );

describe("the published package", () => {
  test("the pages that the program and the README name are in it", () => {
    const texts = [...globSync("dist/*.mjs", { cwd: folder }), "README.md", "README.zh-CN.md"];
    const named = new Set(
      texts.flatMap(
        (path) => readFileSync(join(folder, path), "utf8").match(/\bdocs\/[\w./-]+\.(?:md|png|svg)\b/g) ?? [],
      ),
    );
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });

  test("needs little and names exact versions of it", () => {
    const { dependencies, bin, private: isPrivate } = readJson("package.json");
    expect(Object.keys(dependencies as object).toSorted()).toEqual(["pg", "playwright-core", "sqlite-vec"]);
    expect({ bin, isPrivate }).toEqual({ bin: { kurisu: "dist/kurisu.mjs" }, isPrivate: undefined });
    const { packages } = readJson("npm-shrinkwrap.json") as { packages: Record<string, { integrity?: string }> };
    const { "": own, ...others } = packages;
    expect(own).toMatchObject({ dependencies });
    for (const name of ["pg", "pg-protocol", "playwright-core", "sqlite-vec"])
      expect(others[`node_modules/${name}`]?.integrity).toMatch(/^sha512-/);
  });

  test("takes at most 60 MB together with what is installed beside it", () => {
    const { packages } = readJson("npm-shrinkwrap.json") as {
      packages: Record<string, { os?: readonly string[]; cpu?: readonly string[] }>;
    };
    // Packages for other machines are not installed here.
    const isForHere = ({ cpu, os }: { os?: readonly string[]; cpu?: readonly string[] }) =>
      (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
    const beside = Object.entries(packages).flatMap(([path, one]) => (path !== "" && isForHere(one) ? [path] : []));
    const bytes = sizeOf(folder) + beside.reduce((sum, path) => sum + sizeOf(join(root, path)), 0);
    expect(bytes / mebibyte).toBeLessThan(60);
    expect(readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  test("takes along every file that a module names beside it, and nothing finds a file in another way", () => {
    const sources = globSync("src/**/*.ts", { cwd: root });
    const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
    const named = sources.flatMap((path) =>
      [...textOf(path).matchAll(/new URL\("([^"]+)",\s*import\.meta\.url\)/g)].map(([, name = ""]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(["watchdog-thread.ts", "own-tool-process.ts", "file-action.sh"]));
    expect(sources.flatMap((path) => textOf(path).match(/import\.meta\.url/g) ?? [])).toHaveLength(named.length);
    // These mean the folder of the bundle: what is above it, what Node compiled, the weights and values that were built with it.
    const inFolder = [
      "src/console/page-files.ts",
      "src/core/parsed-yaml.ts",
      "src/core/persona/tone/tone-judge.ts",
      "src/core/project-folder.ts",
      "src/features/skills/matching/skill-models.ts",
      "src/launch.ts",
    ];
    const others = sources.filter((path) => /import\.meta\.(?:dirname|filename)|\b__dirname\b/.test(textOf(path)));
    expect(others.toSorted()).toEqual(inFolder);
    const files = readdirSync(join(folder, "dist"));
    const missing = named.filter((name) => !files.some((file) => file.startsWith(name.replace(/\.ts$/, ""))));
    expect(missing).toEqual([]);
  });

  test("the package has the page of the console, every file in three forms", () => {
    const page = join(folder, "dist", "console-page");
    const { files } = JSON.parse(readFileSync(join(page, "page.json"), "utf8")) as { files: string[] };
    expect(files.length).toBeGreaterThanOrEqual(6);
    const all = files.flatMap((name) => [name, `${name}.gz`, `${name}.br`]);
    expect(readdirSync(page).toSorted()).toEqual([...all, "page.json"].toSorted());
  });

  test("says what is missing on an older Node, whose modules have fewer exports", () => {
    // Its node:module and its version are set before the program begins.
    const olderNode = `
      import { registerHooks } from "node:module";
      const older = { url: "data:text/javascript,export default {}", format: "module", shortCircuit: true };
      registerHooks({ resolve: (name, context, next) => (name === "node:module" ? older : next(name, context)) });
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });
    `;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(olderNode)}`,
        join(folder, "dist", "kurisu.mjs"),
        "doctor",
      ],
      { env: { PATH: process.env["PATH"], KURISU_HOME: home }, encoding: "utf8" },
    );
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(
      /^Kurisu needs Node 24\.12 or newer, and this is Node 20\.19\.0\.\n {2}What to do: install Node 24 .+\n$/,
    );
  });

  test("runs from another folder, with its own personas, skills and version", () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const run = (...given: string[]) =>
      execFileSync(process.execPath, [join(folder, "dist", "kurisu.mjs"), ...given], {
        cwd: home,
        env: { PATH: process.env["PATH"], KURISU_HOME: home, KURISU_MODEL: "offline" },
        encoding: "utf8",
      });
    expect(run("--version")).toBe(`${String(readJson("package.json")["version"])}\n`);
    expect(run("skills", "list", "--json")).toContain('"id":"shell"');
  });

  test("marks its folder while it runs, where bundles are built and removed", async () => {
    const marks = join(folder, "dist", "running");
    expect(existsSync(marks), "nobody builds in the package").toBe(false);
    mkdirSync(marks);
    const chat = spawn(process.execPath, [join(folder, "dist", "kurisu.mjs"), "chat"], {
      cwd: home,
      env: { PATH: process.env["PATH"], KURISU_HOME: home, KURISU_MODEL: "offline" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = once(chat, "exit");
    chat.stdin.write("你好\n");
    // A reply: she talks from here.
    await once(chat.stdout, "data");
    expect(readdirSync(marks)).toEqual([String(chat.pid)]);
    chat.stdout.resume();
    chat.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(marks)).toEqual([]);
  });
});
