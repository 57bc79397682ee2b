import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { features } from "../../src/assembly/features.ts";
import { commands } from "../../src/cli/run-command.ts";
import { listCommands as listChatCommands } from "../../src/kernel/commands/command-table.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { listTestFiles } from "../support/tiers.ts";
import { kurisuRows } from "./kurisu-rows.ts";
import {
  compareWithRows,
  listCode,
  listCommands,
  listSpans,
  pagesWithCommands,
  readDocument,
  root,
  splitWords,
} from "./list-commands.ts";
import { otherRows, reasons, scriptRows, type Proof } from "./other-rows.ts";

/*
 * Every shell command of the documents has a row, and every row a command. kurisu-commands.test.ts runs those of `./kurisu`;
 * here are npm's and those of other programs.
 */

const shown = listCommands();
const { scripts } = JSON.parse(readDocument("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

const isKurisu = (form: string): boolean => form.startsWith("./kurisu");
const isScript = (form: string): boolean => /^npm (?:run|start|test)\b/.test(form);
const isVitest = (form: string): boolean => form.startsWith("npx vitest ");

/** The name of the script, and what it is given after `--`. */
function readScript(form: string): { readonly name: string; readonly given: readonly string[] } {
  const [, ...words] = splitWords(form).filter((word) => word !== "run");
  const [name = "", ...given] = words;
  const prefix = given.indexOf("--prefix");
  return { name, given: prefix < 0 ? given : given.toSpliced(prefix, 2) };
}

const scriptForms = shown.flatMap(({ form, pages }) => (isScript(form) ? [{ form, pages, ...readScript(form) }] : []));

const listLacking = (rows: Readonly<Record<string, unknown>>): readonly (Proof & { readonly form: string })[] =>
  Object.entries(rows)
    .flatMap(([form, row]) =>
      typeof row === "object" && row !== null && "by" in row ? [{ form, ...(row as Proof) }] : [],
    )
    .filter(({ by, words }) => !existsSync(join(root, by)) || !readDocument(by).includes(words));

describe("the commands of the documents", () => {
  it("each command of ./kurisu has a row, and each row a command", () => {
    const own = shown.filter(({ form }) => isKurisu(form));
    expect(compareWithRows(own, kurisuRows, "tests/docs/kurisu-rows.ts")).toEqual([]);
  });

  it("each command of another program has a row, and each row a command", () => {
    const others = shown.filter(({ form }) => !isKurisu(form) && !isScript(form) && !isVitest(form));
    const why = Object.entries(reasons).map(([name, text]) => `${name}: ${text}`);
    const differences = compareWithRows(others, otherRows, "tests/docs/other-rows.ts");
    expect(differences, `a test that runs it, or one of the reasons\n${why.join("\n")}`).toEqual([]);
  });

  it("each script of package.json that is shown has a row, and each row a script", () => {
    const named = scriptForms.filter(({ name }) => name !== "").map(({ name, pages }) => ({ form: name, pages }));
    expect(compareWithRows(named, scriptRows, "tests/docs/other-rows.ts (scriptRows)")).toEqual([]);
    expect(Object.keys(scriptRows).filter((name) => !(name in scripts))).toEqual([]);
    // The same program as `./kurisu start`, which kurisu-commands.test.ts starts.
    expect(scripts["start"]).toBe("node scripts/node.mjs src/main.ts start");
    expect(readDocument("kurisu")).toContain('"$here/scripts/node.mjs" "$here/src/main.ts" "$@"');
  });

  it.each([
    ["kurisu-rows.ts", kurisuRows],
    ["other-rows.ts", otherRows],
    ["scriptRows of other-rows.ts", scriptRows],
  ])("the tests that the rows of %s name contain the words that they name", (_, rows) => {
    expect(listLacking(rows)).toEqual([]);
  });
});

/** The subcommands and options that a page's tables name for each command. */
function listBeside(page: string): readonly { readonly name: string; readonly words: readonly string[] }[] {
  return [...readDocument(page).matchAll(/^\| `\.\/kurisu ([a-z-]+)` \| (.*) \|$/gm)].map(
    ([, name = "", told = ""]) => ({
      name,
      words: listSpans(told).flatMap((span) => splitWords(span).filter((word) => /^(?:--)?[a-z-]+$/.test(word))),
    }),
  );
}

it.each(["docs/commands.md", "docs/commands.zh-CN.md"])(
  "the help of each command has the subcommands and options that %s tells of it",
  async (page) => {
    const told = listBeside(page);
    expect(told).toHaveLength(commands.length);
    for (const { name, words } of told) {
      const { help = "" } = (await commands.find((command) => command.name === name)?.load()) ?? {};
      expect([name, ...words.filter((word) => word !== "npm" && !help.includes(word))]).toEqual([name]);
    }
  },
);

/** Paths and commands of others, which look the same. */
const otherSlashes: readonly string[] = [
  // Paths of the HTTP server.
  ..."api console healthz metrics readyz".split(" "),
  // Folders of a container.
  ..."tmp workspace".split(" "),
  // Commands of Telegram's BotFather, the chat in a terminal, and other projects.
  ..."newbot setprivacy exit approve".split(" "),
  // The command of an example, and the word for any.
  ..."dice command".split(" "),
];

it("each command of a chat that is shown is one that she knows", () => {
  const known = [...listChatCommands(features).flatMap(({ names }) => names), ...otherSlashes];
  const unknown = pagesWithCommands.flatMap((page) =>
    listCode(readDocument(page))
      .map((code) => /^ *(\/[a-z]+)(?= |$)/.exec(code)?.[1] ?? "")
      .filter((word) => word !== "" && !known.includes(word.slice(1)))
      .map((word) => `${page}: ${word}`),
  );
  expect(unknown).toEqual([]);
});

describe("the arguments of npm scripts", () => {
  it("each bench that is shown is one that npm run bench lists, and knows its options", () => {
    const listed = execFileSync(process.execPath, [join(root, "bench/run.ts")], { encoding: "utf8" });
    const known = [...listed.matchAll(/^([a-z]+) +\S/gm)].map(([, name = ""]) => name);
    const wrong = scriptForms
      .filter(({ name }) => name === "bench")
      .filter(({ given: [bench = "", ...options] }) => {
        const code = known.includes(bench) ? readBench(bench) : "";
        return !known.includes(bench) || options.some((option) => !knowsOption(code, option));
      });
    expect(wrong.map(({ form }) => form)).toEqual([]);
  });

  it("each option of another script is one that its file reads", () => {
    const wrong = scriptForms.filter(({ name, given }) => {
      const code = (scripts[name] ?? "").match(/scripts\/(?!node\.mjs)[\w-]+\.mjs/)?.[0];
      const options = given.filter((word) => word !== "--" && word.startsWith("--"));
      return (
        name !== "bench" && options.some((option) => code === undefined || !knowsOption(readDocument(code), option))
      );
    });
    expect(wrong.map(({ form }) => form)).toEqual([]);
  });

  it("each test that is shown is there", () => {
    const files = listTestFiles().map(({ path }) => path);
    const named = shown.filter(({ form }) => isVitest(form) || /^npm (?:test|run test:full)\b/.test(form));
    const paths = named.flatMap(({ form }) => splitWords(form).filter((word) => word.startsWith("tests/")));
    expect(paths.length).toBeGreaterThanOrEqual(5);
    expect(paths.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
  });
});

/** The code of a bench: its file, the files beside it that this one imports, and its folder. */
function readBench(name: string): string {
  const own = readDocument(`bench/${name}.ts`);
  const imported = [...own.matchAll(/"\.\/([\w/-]+\.ts)"/g)].map(([, path = ""]) => readDocument(`bench/${path}`));
  return [own, ...imported, ...globSync(`bench/${name}/**/*.ts`, { cwd: root }).map(readDocument)].join("\n");
}

/** `--minutes=20` is read as `minutes` or `--minutes`; `queue` is a word of its own. */
function knowsOption(code: string, option: string): boolean {
  const name = option.replace(/^--/, "").replace(/=.*$/, "");
  return name === "" || new RegExp(`["'\`](?:--)?${name}\\b|\\b${name}:`).test(code);
}

it("commands that copy files and make folders work in a copy of the checkout", async () => {
  const copy = await createTemporaryFolder();
  for (const name of ["examples", ".env.example"]) cpSync(join(root, name), join(copy, name), { recursive: true });
  // The folders that a checkout has.
  for (const name of ["config/skills", "src/channels", "src/features"])
    mkdirSync(join(copy, name), { recursive: true });
  for (const [form, row] of Object.entries(otherRows))
    if (row === "run") execFileSync("sh", ["-ec", form], { cwd: copy, stdio: "pipe" });
  const pairs = [
    [".env.example", ".env"],
    ["examples/skill-tides/SKILL.md", "config/skills/tides/SKILL.md"],
    ["examples/feature-dice/dice.ts", "src/features/dice/dice.ts"],
  ] as const;
  for (const [from, to] of pairs)
    expect(readFileSync(join(copy, to), "utf8")).toBe(readFileSync(join(root, from), "utf8"));
});
