import { parseDocument } from "yaml";
import { moduleOfPackage, standardModules } from "./python-modules.ts";
import { readText } from "./scan-files.ts";
import type { SkillFile } from "./skill-files.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";

/** Needs of a skill's commands and scripts in the sandbox. Every name is safe as a word of a command line. */
export interface SkillNeeds {
  /** Python modules, by the name that is imported. */
  readonly python: readonly string[];
  /** Packages of npm. */
  readonly node: readonly string[];
  readonly programs: readonly string[];
}

export type NeedKind = keyof SkillNeeds;

export const needPatterns: Readonly<Record<NeedKind, RegExp>> = {
  python: /^[A-Za-z_]\w{0,60}$/,
  node: /^(?:@[a-z0-9][\w.-]{0,60}\/)?[a-z0-9][\w.-]{0,60}$/,
  programs: /^[A-Za-z0-9][\w.+-]{0,40}$/,
};

/** Programs that are looked for in texts: those that skills are known to call, and that no sandbox has by nature. */
const knownPrograms =
  "soffice|libreoffice|pandoc|pdftotext|pdftoppm|pdfimages|pdfinfo|qpdf|pdftk|ffmpeg|ffprobe|node|npm|npx|bun|deno|uv|uvx|pip|magick|convert|identify|tesseract|gs|inkscape|dot|mmdc|rg|sqlite3|gh|docker|kubectl|java|go|cargo|ruby|php|pdflatex|xelatex|lualatex|wkhtmltopdf|chromium|yt-dlp|exiftool|rsvg-convert|typst|duckdb|psql";
/** At the start of a command: of a line, or behind a pipe, && or $( . */
const calls = new RegExp(
  `(?:^|[|;&(]|\\b(?:sudo|exec|xargs|time|then|do))[ \\t]{0,8}(?:\\$ )?(${knownPrograms})(?=[ \\t\\n;|)]|$)(?!-)`,
  "gm",
);
/** As a string of a script: `subprocess.run(["soffice", …])`. */
const quotedPrograms = new RegExp(`(?:[[(]\\s{0,40}|which\\()["'](${knownPrograms})(?:["']|[ ])`, "g");
const namedPrograms = new RegExp(`(?<![\\w./-])(${knownPrograms})(?![\\w/-])`, "g");
/** Words of everyday language are no programs in a sentence. */
const everyday = new Set(["go", "convert", "identify", "dot", "node", "java", "ruby", "time", "gs"]);

const nodeModules = new Set(
  "assert buffer child_process cluster crypto dgram dns events fs http http2 https module net os path perf_hooks process querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib".split(
    " ",
  ),
);

const maxNames = 60;
const maxText = 400_000;

/** Reads scripts, the blocks of code in SKILL.md, its frontmatter, requirements.txt and package.json. */
export function readNeeds(files: readonly SkillFile[]): SkillNeeds {
  const found = { python: new Set<string>(), node: new Set<string>(), programs: new Set<string>() };
  for (const { path, bytes } of files) {
    const text = (readText(bytes) ?? "").slice(0, maxText);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.endsWith(".py")) readPython(text, found);
    else if (/\.[cm]?[jt]s$/.test(name)) readNode(text, found);
    else if (/\.(?:sh|bash)$/.test(name)) readShell(text, found);
    else if (path === "SKILL.md") readMain(text, found);
    else if (name === "requirements.txt") for (const line of text.split("\n")) addPackage(line, found);
    else if (name === "package.json") readPackageJson(text, found);
  }
  if (found.node.size > 0) found.programs.add("node");
  const own = new Set(
    files.flatMap(({ path }) => path.split("/").map((part) => part.replace(/\.(?:py|[cm]?[jt]s)$/, ""))),
  );
  const pick = (kind: NeedKind, isGiven: (name: string) => boolean) =>
    [...found[kind]]
      .filter((one) => needPatterns[kind].test(one) && !isGiven(one))
      .toSorted()
      .slice(0, maxNames);
  return {
    python: pick("python", (one) => standardModules.has(one) || own.has(one)),
    node: pick("node", (one) => nodeModules.has(one)),
    programs: pick("programs", (one) => one === "pip"),
  };
}

type Found = Readonly<Record<NeedKind, Set<string>>>;

function readPython(text: string, found: Found): void {
  for (const [, name = ""] of text.matchAll(
    /^[ \t]{0,80}from[ \t]{1,8}([A-Za-z_]\w{0,60})[\w.]{0,120}[ \t]{1,8}import\b/gm,
  ))
    found.python.add(name);
  for (const [, names = ""] of text.matchAll(/^[ \t]{0,80}import[ \t]{1,8}([\w., \t]{1,200})(?:[#;].{0,200})?$/gm)) {
    const parts = names.split(",").map((part) => /^\s*(\w+)(?:\.\w+)*(?:\s+as\s+\w+)?\s*$/.exec(part)?.[1]);
    if (parts.every((part) => part !== undefined)) for (const part of parts) found.python.add(part);
  }
  addMatches(text, quotedPrograms, found.programs);
}

function readNode(text: string, found: Found): void {
  found.programs.add("node");
  const imports = /(?:\brequire\(|\bfrom[ \t]{1,8}|\bimport[ \t]{1,8}|\bimport\()["']([^"'\n]{1,120})["']/g;
  for (const [, source = ""] of text.matchAll(imports)) {
    if (/^(?:[./]|node:|https?:)/.test(source)) continue;
    const parts = source.split("/");
    found.node.add(source.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? ""));
  }
  addMatches(text, quotedPrograms, found.programs);
}

function readShell(text: string, found: Found): void {
  addMatches(text, calls, found.programs);
  readInstalls(text, found);
}

/** `pip install …` and `npm install -g …`, wherever they are written. */
function readInstalls(text: string, found: Found): void {
  for (const [, names = ""] of text.matchAll(/\bpip3? install ([^\n`|&;#()]{1,200})/g))
    for (const word of names.split(/[\s"',]+/)) if (!word.startsWith("-")) addPackage(word, found);
  for (const [, names = ""] of text.matchAll(/\bnpm (?:install|i) ([^\n`|&;#()]{1,200})/g))
    for (const word of names.split(/[\s"',]+/))
      if (!word.startsWith("-")) found.node.add(word.replace(/(?<=.)@.*$/, ""));
}

function readMain(text: string, found: Found): void {
  const head = /^---[ \t]*\n([\s\S]{0,20000}?)\n---/.exec(text.replaceAll("\r\n", "\n"))?.[1] ?? "";
  readFrontmatter(head, found);
  readInstalls(text, found);
  let [language, block]: [string | undefined, string[]] = [undefined, []];
  for (const line of text.split("\n")) {
    const fence = /^[ \t]{0,12}(?:```|~~~)[ \t]{0,8}(\w{0,20})/.exec(line);
    if (fence === null) {
      if (language !== undefined) block.push(line.trimStart());
      continue;
    }
    if (language === undefined) {
      [language, block] = [fence[1]?.toLowerCase() ?? "", []];
      continue;
    }
    const code = block.join("\n");
    if (/^(?:py|python3?)$/.test(language)) readPython(code, found);
    else if (/^(?:js|javascript|mjs|ts|typescript)$/.test(language)) readNode(code, found);
    else if (/^(?:|sh|bash|shell|console|zsh)$/.test(language)) readShell(code, found);
    language = undefined;
  }
}

/** The fields that say it: `compatibility` and `dependencies`, and `requires` and the like within `metadata`. */
function readFrontmatter(head: string, found: Found): void {
  const document = parseDocument(head, { prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0) return;
  let fields: unknown;
  try {
    fields = document.toJS({ maxAliasCount: 20 });
  } catch {
    return;
  }
  if (!isJsonObject(fields)) return;
  const { compatibility, dependencies, metadata, requires } = fields;
  if (typeof compatibility === "string") addSentence(compatibility, found);
  for (const item of listTexts(dependencies)) addDependency(item, found);
  readRequires({ requires }, found, 0);
  readRequires(metadata, found, 0);
}

const keysOf: Readonly<Record<string, NeedKind>> = {
  bins: "programs",
  anyBins: "programs",
  binaries: "programs",
  programs: "programs",
  pip: "python",
  python: "python",
  npm: "node",
  node: "node",
};

function readRequires(value: unknown, found: Found, depth: number): void {
  if (!isJsonObject(value) || depth > 4) return;
  for (const [key, item] of Object.entries(value)) {
    const kind = Object.hasOwn(keysOf, key) ? keysOf[key] : undefined;
    if (kind === "python") for (const text of listTexts(item)) addPackage(text, found);
    else if (kind !== undefined) for (const text of listTexts(item)) found[kind].add(text);
    else if (/^(?:requires|dependencies|packages)$/.test(key) && !isJsonObject(item))
      for (const text of listTexts(item)) addDependency(text, found);
    else readRequires(item, found, depth + 1);
  }
}

/** Dependencies have no kind: known programs count as programs, all others as Python packages. */
function addDependency(text: string, found: Found): void {
  const name = text.trim();
  if (/^python3?\b/.test(name)) return;
  if (name.toLowerCase().match(namedPrograms)?.[0] === name.split(/[\s>=<~]/)[0]) addSentence(name, found);
  else addPackage(name, found);
}

function addSentence(text: string, found: Found): void {
  for (const [, name = ""] of text.toLowerCase().matchAll(namedPrograms))
    if (!everyday.has(name) || text.trim().split(/[\s>=<~]/)[0] === name) found.programs.add(name);
}

/** `Pillow>=10`, `markitdown[pptx]`. */
function addPackage(written: string, found: Found): void {
  const name = /^\s*([A-Za-z][\w.-]{0,60})/.exec(written)?.[1]?.toLowerCase();
  if (name === undefined || /^(?:git|http|file)\b/.test(name)) return;
  found.python.add(
    Object.hasOwn(moduleOfPackage, name) ? (moduleOfPackage[name] ?? name) : name.replaceAll(/[-.]/g, "_"),
  );
}

function addMatches(text: string, pattern: RegExp, into: Set<string>): void {
  for (const [, name = ""] of text.matchAll(pattern)) into.add(name);
}

function readPackageJson(text: string, found: Found): void {
  try {
    const { dependencies } = JSON.parse(text) as { dependencies?: unknown };
    if (isJsonObject(dependencies)) for (const name of Object.keys(dependencies)) found.node.add(name);
  } catch {
    // A file that npm could not read either.
  }
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return value.split(/[,\n]/).map((part) => part.trim());
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
