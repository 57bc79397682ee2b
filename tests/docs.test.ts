import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../src/cli/run-command.ts";
import { wordsFor } from "../src/core/words/words.ts";
import { features } from "../src/assembly/features.ts";
import { listCommandMenus, listCommands } from "../src/kernel/commands/command-table.ts";
import { listCode, listSpans } from "./docs/list-commands.ts";

/** What the documents say of the repository must be so: links, commands, paths. */

const root = join(import.meta.dirname, "..");
const documents = globSync(["*.md", "docs/**/*.md", "examples/*/README.md"], { cwd: root }).toSorted();
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Link {
  readonly target: string;
  /** Path from the root; "" for a heading of the same file. */
  readonly path: string;
  readonly heading: string | undefined;
}

/** Links that stay in the repository. */
function listLinks(document: string): Link[] {
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, "");
  const found = [...text.matchAll(/\]\(([^()\s]+)\)/g), ...text.matchAll(/<[^<>]*(?:href|src|srcset)="([^"]+)"/g)];
  const targets = found.map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [file = "", heading] = target.split("#");
      return { target, path: file === "" ? document : normalize(join(dirname(document), file)), heading };
    });
}

/** A heading's anchor as GitHub makes it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function listAnchors(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));
}

describe.each(documents)("%s", (document) => {
  it("links to files and headings that exist", () => {
    const broken = listLinks(document).filter(({ path, heading }) => {
      if (!existsSync(join(root, path))) return true;
      return heading !== undefined && !listAnchors(path).includes(heading);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });

  it("names commands that exist", () => {
    const code = listCode(read(document)).join("\n");
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, name = ""]) => name);
    const runs = [...named(/\bnpm run (?:-s |--silent )?([\w:]+)/g), ...named(/\bnpm (start|test)\b/g)];
    const words = named(/\bkurisu (?:-- )?([a-z]+(?:-[a-z]+)*)\b/g);
    const files = named(/\bnode scripts\/node\.mjs ([\w/.-]+)/g);
    expect(runs.filter((name) => !(name in scripts))).toEqual([]);
    expect(words.filter((name) => !commands.some((command) => command.name === name))).toEqual([]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("names source files that exist", () => {
    const paths = listSpans(read(document)).filter((span) => /^(?:src|tests|scripts|bench)\/[\w./-]+$/.test(span));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("no document contains a path of a personal machine", () => {
    const machinePath = /(?:\/(?:home|Users|root|work|tmp)\/[\w.~-]+|[A-Z]:\\Users)/g;
    expect(read(document).match(machinePath) ?? []).toEqual([]);
  });
});

describe("docs/", () => {
  it("the README or AGENTS.md leads to every file of docs/", () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = relative(root, join(root, path));
      if (reached.has(file) || !existsSync(join(root, file))) return;
      reached.add(file);
      // A link to a folder shows what is in it.
      if (statSync(join(root, file)).isDirectory())
        globSync("*.md", { cwd: join(root, file) }).forEach((name) => visit(join(file, name)));
      else if (file.endsWith(".md")) for (const link of listLinks(file)) visit(link.path);
    };
    visit("README.md");
    visit("AGENTS.md");
    expect(documents.filter((document) => !reached.has(document))).toEqual([]);
  });
});

it("the index of docs/decisions lists every page once", () => {
  const listed = listLinks("docs/decisions/README.md").map(({ path }) => path);
  const there = documents.filter((path) => /^docs\/decisions\/[a-z]/.test(path));
  expect(listed.toSorted()).toEqual(there);
});

/** The commands in the first cells of a page's tables: those of the shell, or those of a chat. */
function listTabled(text: string, command: RegExp): string[] {
  const cells = [...text.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const names = cells.flatMap((cell) => [...cell.matchAll(command)].map(([, name = ""]) => name));
  return [...new Set(names)].toSorted();
}

describe.each(["docs/commands.md", "docs/commands.zh-CN.md"])("the tables of %s", (document) => {
  const text = read(document);
  const chat = text.slice(0, text.indexOf("| `./kurisu "));

  it("the tables list every command of the command line, and no other", () => {
    expect(listTabled(text, /`\.\/kurisu ([a-z-]+)`/g)).toEqual(commands.map(({ name }) => name).toSorted());
  });

  it("the tables list every command of a chat, and no other", () => {
    const chatCommands = listCommands(features);
    // Chinese names of commands are told in words.
    const known = chatCommands
      .flatMap(({ names }) => names)
      .filter((name) => /^[a-z]+$/.test(name) && name !== "preference");
    expect(listTabled(chat, /`\/([a-z]+)(?=[ `])/g)).toEqual(known.filter((name) => name !== "reset").toSorted());
    expect(chat).toContain("`/reset`");
    for (const language of ["zh", "en", "ja"] as const) {
      const { commandMenu } = wordsFor(language);
      const [listed] = listCommandMenus(chatCommands, language);
      const menu = [...(listed?.commands ?? []).map(({ command }) => command), "start", "reset"];
      expect(Object.keys(commandMenu).toSorted()).toEqual(chatCommands.flatMap(({ words = [] }) => words).toSorted());
      expect(menu.toSorted(), `Telegram's list in ${language}`).toEqual(known.toSorted());
    }
  });
});

const readmes = ["README.md", "README.zh-CN.md"] as const;

describe("README.md and README.zh-CN.md", () => {
  it("link to the same pages", () => {
    // Each links to the pages and pictures of its own language.
    const [english, chinese] = readmes.map(
      (document) => new Set(listLinks(document).map(({ path }) => path.replace(/\.(?:en|zh|zh-CN)(?=\.)/, ""))),
    );
    expect([...(chinese ?? [])].toSorted()).toEqual([...(english ?? [])].toSorted());
  });

  it("give the same figures and the same commands to check them", () => {
    const [english, chinese] = readmes.map((document) => {
      const rows = read(document)
        .split("\n")
        .filter((line) => line.startsWith("| ") && line.includes("`npm "));
      const figures = rows.map((row) => [...row.matchAll(/\d+(?:,\d{3})*/g)].map(([figure]) => figure).toSorted());
      return { commands: rows.map((row) => /`(npm [^`]+)`/.exec(row)?.[1]), figures };
    });
    expect(chinese?.commands).toEqual(english?.commands);
    expect(english?.commands).toHaveLength(5);
    expect(chinese?.figures).toEqual(english?.figures);
  });

  it("count the rows of docs/advisories.md that have a test", () => {
    const rows = read("docs/advisories.md")
      .split("\n")
      .filter((line) => line.startsWith("| ") && line.includes("`tests/"));
    for (const document of readmes) expect(read(document)).toMatch(new RegExp(`\\b${rows.length}\\b`));
  });

  it("stay short enough for a few minutes", () => {
    for (const document of readmes) {
      const text = read(document).replaceAll(/<[^>]+>|\]\([^)]+\)/g, " ");
      const words = text.match(/\p{Script=Han}{2}|[\p{L}\p{N}]+/gu) ?? [];
      expect(words.length).toBeLessThanOrEqual(900);
    }
  });
});
