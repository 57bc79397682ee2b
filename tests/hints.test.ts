import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/run-command.ts";
import { nameBuildCommand, nameKurisuCommand } from "../src/core/kurisu-command.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

/** Whatever a hint names can be typed by who reads it. */

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const sources = globSync("src/**/*.ts", { cwd: root });
const texts = [
  ...globSync(["*.md", "docs/*.md", "docs/reference/*.md", "config/**/*.{yaml,md}"], { cwd: root }).filter(
    (path) => path !== "CHANGELOG.md",
  ),
  ".env.example",
];
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line);
const codeOf = (path: string): string =>
  read(path)
    .split("\n")
    .filter((line) => !isComment(line))
    .join("\n");

const prefix = /(?:\$\{kurisuCommand\}|\{kurisu\}|\.\/kurisu|exec gateway kurisu) /;
const hint = new RegExp(`${prefix.source}([a-z][a-z-]*)(?: ([a-z]+)\\b(?![^\\s\`|'"]))?`, "g");

interface Hint {
  readonly path: string;
  readonly command: string;
  readonly action: string | undefined;
}

function listHints(path: string, text: string): readonly Hint[] {
  return [...text.matchAll(hint)].map(([, command = "", action]) => ({ path, command, action }));
}

/** Words of people may follow a command; only in these does a word name what is to be done. */
const takesAction = new Set(["tools", "skills", "mcp", "approvals", "audit", "persona"]);

const helps = new Map(await Promise.all(commands.map(async ({ name, load }) => [name, (await load()).help] as const)));

function isThere({ command, action }: Hint): boolean {
  const found = commands.find(({ name, alias }) => name === command || alias === command);
  if (!found) return false;
  // The one word that may follow without being an action: what the sentence goes on with, in English.
  const goesOn = /^(?:and|shows?|says?|tells|explains|checks|reads|brings|lists?|asks|names|opens|or|is|to|for)$/;
  if (action === undefined || !takesAction.has(command) || goesOn.test(action)) return true;
  return new RegExp(`\\b${action}\\b`).test(helps.get(found.name) ?? "");
}

describe("hints", () => {
  test("every command that a text of the program or a document names exists, with its action", () => {
    const hints = [
      ...sources.flatMap((path) => listHints(path, codeOf(path))),
      ...texts.flatMap((path) => listHints(path, read(path))),
    ];
    expect(hints.length).toBeGreaterThan(60);
    expect(hints.filter((one) => !isThere(one))).toEqual([]);
    expect(isThere({ path: "", command: "doctr", action: undefined }), "this test can fail").toBe(false);
    expect(isThere({ path: "", command: "mcp", action: "inspect" }), "this test can fail").toBe(false);
  });

  test("no text says a bare kurisu or npm's long way, which cannot be typed in a checkout; npx kurisu can be, for the package", () => {
    const names = commands.map(({ name }) => name).join("|");
    const bare = new RegExp(`(?<![\\w./}])kurisu (?:${names})\\b|npm run (?:-s |--silent )?kurisu\\b`, "g");
    const found = [...sources.map((path) => [path, codeOf(path)]), ...texts.map((path) => [path, read(path)])].flatMap(
      ([path = "", text = ""]) =>
        [...text.replaceAll(/exec gateway kurisu |npx kurisu /g, "").matchAll(bare)].map(
          ([words]) => `${path}: ${words}`,
        ),
    );
    expect(found).toEqual([]);
  });

  test("npm scripts that the program names exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = sources.flatMap((path) =>
      [...codeOf(path).matchAll(/npm run ([a-z][\w:]*)|npm (start|test)\b/g)].map(([, run, own]) => run ?? own ?? ""),
    );
    expect(named).toContain("sandbox:image");
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the name of a command", () => {
  test("the script of the sandbox's image is named with the folder of an installed package", () => {
    expect(nameBuildCommand("/srv/kurisu", "/srv/kurisu")).toBe("npm run sandbox:image");
    const installed = "/srv/bot/node_modules/kurisu";
    expect(nameBuildCommand(installed, "/srv/bot")).toBe("npm run sandbox:image --prefix node_modules/kurisu");
    expect(nameBuildCommand(installed, "/")).toBe(`npm run sandbox:image --prefix ${installed}`);
    const fixed = sources.filter(
      (path) => path.startsWith("src/sandbox/") && codeOf(path).includes("npm run sandbox:image"),
    );
    expect(fixed, "each names the command of this place").toEqual([]);
  });

  test("the command is ./kurisu at the top of a checkout, the whole path elsewhere, and where it is installed npx kurisu or kurisu", async () => {
    const folder = await createTemporaryFolder();
    expect(nameKurisuCommand(folder, folder), "the image has it on its PATH").toBe("kurisu");
    writeFileSync(join(folder, "kurisu"), "");
    expect(nameKurisuCommand(folder, folder)).toBe("./kurisu");
    expect(nameKurisuCommand(folder, "/")).toBe(join(folder, "kurisu"));
    const installed = join(folder, "node_modules", "kurisu");
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "kurisu"), "");
    expect(nameKurisuCommand(installed, "/"), "installed for all users").toBe("kurisu");
    expect(nameKurisuCommand(installed, folder), "installed in this folder").toBe("npx kurisu");
    expect(nameKurisuCommand(join(folder, "_npx", "0a", "node_modules", "kurisu"), "/")).toBe("npx kurisu");
  });
});

describe("./kurisu", () => {
  test("runs a command from any folder and through a link, on the data and settings of its checkout", async () => {
    const checkout = await createTemporaryFolder();
    const elsewhere = await createTemporaryFolder();
    cpSync(join(root, "kurisu"), join(checkout, "kurisu"));
    mkdirSync(join(checkout, "scripts"));
    // Says what it was given, in place of the real one, which would install everything first.
    const tell =
      "console.log(JSON.stringify([process.argv.slice(2), process.env.KURISU_HOME, process.env.KURISU_CONFIG]))";
    writeFileSync(join(checkout, "scripts", "node.mjs"), tell);
    symlinkSync(join(checkout, "kurisu"), join(elsewhere, "link"));
    const { PATH } = process.env;
    const run = (path: string, env: Record<string, string> = {}) => {
      const child = spawnSync(path, ["skills", "match", "a b"], {
        cwd: elsewhere,
        env: { PATH, ...env },
        encoding: "utf8",
      });
      return JSON.parse(child.stdout) as unknown;
    };
    const told = [[join(checkout, "src/main.ts"), "skills", "match", "a b"], `${checkout}/data`, `${checkout}/config`];
    expect(run(join(checkout, "kurisu"))).toEqual(told);
    expect(run("./link")).toEqual(told);
    expect(run("./link", { KURISU_HOME: "./here" })).toEqual([told[0], "./here", told[2]]);
  });

  test("hints say the whole path to who stands in another folder", async () => {
    const cwd = await createTemporaryFolder();
    const child = spawnSync(join(root, "kurisu"), ["tools", "why", "nothing"], {
      cwd,
      env: { ...process.env, KURISU_HOME: join(cwd, "data") },
      encoding: "utf8",
    });
    expect(child.status).toBe(78);
    expect(child.stderr).toContain(`${join(root, "kurisu")} tools list shows them`);
  });
});
