import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A module of src that holds a regular expression. */
export interface ScannedModule {
  /** Relative to src. */
  readonly path: string;
  readonly source: string;
  /** Exported functions whose first parameter is a text, with how many more they must be given. */
  readonly readers: readonly { readonly name: string; readonly more: number }[];
}

const expression =
  /(?<=[(=,:[!&|?{};>\n]\s*|return )\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*(?=[\s.,;)\]])/g;
const exported =
  /^export (?:(?:async )?function (\w+)(?:<[^(]*>)?|const (\w+)(?:: [^=\n]{1,80})? = )\(\s*\w+: string\b([^)]*)\)/gm;

export function scanModules(root: string): readonly ScannedModule[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .toSorted()
    .map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }))
    .filter(({ source }) => /\bRegExp\(/.test(source) || source.search(expression) >= 0)
    .map(({ path, source }) => ({ path, source, readers: listReaders(source) }));
}

export function listReaders(source: string): ScannedModule["readers"] {
  return [...source.matchAll(exported)].map(([, name, constant = "", rest = ""]) => ({
    name: name ?? constant,
    more: rest.split(/,\s*(?=\w+\??[:=])/).filter((one) => /^\w+:/.test(one.trim()) && !one.includes(" = ")).length,
  }));
}

/** Repeats that were slow somewhere once, or look like it. */
const dangerous =
  " |\n|\t|a|1|.|-|_a|*a|`|<|>|\"|'|「|“|（|(|[|[a](|![|{|/|\\|@a |#|:|,|=|!|~|的上|的|。|我是|あ|%25|&amp;|a.|a |1.|- |://|[CQ:|</a>".split(
    "|",
  );
/** So many of a module's own words are repeated; of more, every n-th is. */
const maxOwn = 12;

/** Texts that a module's expressions and constants are made of, and those that every module is pumped with. */
export function listUnits(source: string): readonly string[] {
  const expressions = [...source.matchAll(expression)].map(([, one = ""]) => one);
  const strings = [...source.matchAll(/"((?:\\.|[^"\\\n])*)"|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? "");
  const words = [
    ...expressions,
    ...strings.filter((text) => !text.startsWith(".") && !text.startsWith("node:")),
  ].flatMap((text) =>
    text
      .replaceAll(/\$\{[^}]*\}|\\[dwsbpPDWSB](?:\{[^}]*\})?|\{\d*,?\d*\}|\(\?<?[:=!]|\(\?<\w+>|\[\^?/g, "\0")
      .replaceAll(/\\(.)/g, "$1")
      .split(/[\0()|\]?*+^$\\]+/)
      .filter((word) => word.trim() !== "")
      .map((word) => word.slice(0, 12)),
  );
  const own = [...new Set(words)].filter((word) => !dangerous.includes(word));
  const step = Math.max(1, own.length / maxOwn);
  const chosen = Array.from(
    { length: Math.min(own.length, maxOwn) },
    (_, index) => own[Math.floor(index * step)] ?? "",
  );
  return [...dangerous, ...chosen];
}
