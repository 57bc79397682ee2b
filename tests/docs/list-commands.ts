import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The shell commands that the documents show, and the code that they stand in. */

export const root = join(import.meta.dirname, "../..");
export const readDocument = (path: string): string => readFileSync(join(root, path), "utf8");

/** Pages that tell a reader what to type. A decision and the change log tell what once was. */
export const pagesWithCommands: readonly string[] = globSync(
  ["README*.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md", "examples/*/README.md"],
  { cwd: root, exclude: ["docs/decisions/**"] },
).toSorted();

const fence = /^ *```\w*\n([\s\S]*?)^ *```/gm;

/** Lines of fenced and indented blocks; a line that ends in a backslash goes on in the next one. */
function listBlockLines(text: string): string[] {
  const fenced = [...text.matchAll(fence)].flatMap(([, body = ""]) => joinLines(body).split("\n"));
  const rest = joinLines(text.replaceAll(fence, ""));
  return [...fenced, ...rest.split("\n").filter((line) => line.startsWith("    "))];
}

const joinLines = (text: string): string => text.replaceAll(/ *\\\n */g, " ");

export function listSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Fenced and indented blocks, and spans between backticks. */
export function listCode(text: string): string[] {
  return [...listBlockLines(text), ...listSpans(text.replaceAll(fence, ""))];
}

/** A command as a document shows it, without comment, prompt and variables. */
export interface ShownCommand {
  readonly form: string;
  readonly pages: readonly string[];
}

const programs = `
  ./kurisu chmod chown cp createdb curl docker dockerd echo export git install journalctl kurisu ln mkdir mv node npm npx
  ollama openssl psql rm ssh sudo systemctl tail tar useradd`
  .trim()
  .split(/\s+/);

/** Words of a command; quotation marks keep a word together, and stay. */
export function splitWords(command: string): string[] {
  return command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}

/** `a && b; c # why` is three commands; none where the line begins with another word, such as RUN of a Dockerfile. */
function splitLine(line: string): string[] {
  const parts: string[][] = [[]];
  for (const word of splitWords(line.replace(/^\s*\$ /, ""))) {
    if (word.startsWith("#")) break;
    if (word === "&&") parts.push([]);
    else {
      parts.at(-1)?.push(word.replace(/;$/, ""));
      if (word.endsWith(";")) parts.push([]);
    }
  }
  const commands = parts.map((words) => withoutVariables(words));
  return programs.includes(commands[0]?.[0] ?? "") ? commands.map((words) => words.join(" ")) : [];
}

function withoutVariables(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  return first < 0 ? [] : words.slice(first);
}

/** `[X]` may be left out: the command with it, and the command without. */
function expandBrackets(command: string): string[] {
  const [whole, inside = ""] = / \[((?:-|[A-Z])[^\]"']*)\]/.exec(command) ?? [];
  if (whole === undefined) return [command];
  return [command.replace(whole, ""), command.replace(whole, ` ${inside}`)].flatMap(expandBrackets);
}

/** Our own command has one name here: `npx kurisu` and `kurisu` are `./kurisu` of an installed package. */
const nameKurisu = (command: string): string => command.replace(/^(?:npx )?kurisu(?= |$)/, "./kurisu");

/** A span is a command when it has an argument; a name alone speaks of the program. */
function isCommand(command: string): boolean {
  const [program = "", ...given] = splitWords(command);
  if (program === "export") return given[0]?.includes("=") === true;
  return programs.includes(program) && (given.length > 0 || program === "./kurisu");
}

/** Every command of the pages, each once. */
export function listCommands(): ShownCommand[] {
  const found = new Map<string, Set<string>>();
  for (const page of pagesWithCommands) {
    const forms = listCode(readDocument(page)).flatMap(splitLine).flatMap(expandBrackets).map(nameKurisu);
    for (const form of forms.filter(isCommand)) found.set(form, (found.get(form) ?? new Set()).add(page));
  }
  return [...found].map(([form, pages]) => ({ form, pages: [...pages] }));
}

/** Lists commands without a row and rows without a command, with the remedy. */
export function compareWithRows(
  shown: readonly ShownCommand[],
  rows: Readonly<Record<string, unknown>>,
  table: string,
): readonly string[] {
  const missing = shown.filter(({ form }) => !Object.hasOwn(rows, form));
  const unused = Object.keys(rows).filter((form) => !shown.some((one) => one.form === form));
  return [
    ...missing.map(({ form, pages }) => `${pages.join(", ")} shows \`${form}\`: add a row for it to ${table}`),
    ...unused.map((form) => `no document shows \`${form}\` any more: remove its row from ${table}`),
  ];
}
