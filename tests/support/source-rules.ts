import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";

/** A file of the repository; the path is relative to its root, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Looks at all files and answers one line per fault: `path: what is wrong`. */
export type SourceRule = (files: readonly SourceFile[]) => readonly string[];

/** A rule with files that show it to bite. */
export interface RuleCase {
  readonly promise: string;
  readonly rule: SourceRule;
  /** Files that break it; each must be found. */
  readonly bad: readonly SourceFile[];
  /** Files that look alike and keep it. */
  readonly good?: readonly SourceFile[];
}

export const file = (path: string, text: string): SourceFile => ({ path, text });
export const nowhere = (): boolean => false;
export const inFile =
  (...allowed: readonly string[]) =>
  (path: string): boolean =>
    allowed.includes(path);

export function readSources(root: string, folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|mjs|js)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes("node_modules"))
      .map((file) => ({ path: relative(root, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") })),
  );
}

/** From left to right; a room imports only what stands to its right. Rooms in one place do not know each other. */
export const rooms: readonly (readonly string[])[] = [
  ["cli", "console"],
  ["features"],
  ["kernel"],
  ["channels"],
  ["workspace"],
  ["models"],
  ["sandbox"],
  ["web"],
  ["store"],
  ["language"],
  ["core"],
];

const inSources = (path: string) => path.startsWith("src/");
const placeOf = (room: string) => rooms.findIndex((place) => place.includes(room));

/** The code without its comments, so that words about a thing are not taken for the thing. */
export function stripComments(text: string): string {
  return text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    "$1",
  );
}

/** What a file imports or exports from elsewhere, types included, and what it loads later. */
export function listImports(text: string): string[] {
  const code = stripComments(text);
  const fixed = code.matchAll(/(?:^|\n)\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"']+)["']/g);
  const later = code.matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [...fixed, ...later].map(([, specifier = ""]) => specifier);
}

/** `src/<room>/…` → the room; config and what stands outside the rooms have names of their own. */
function roomOf(path: string): string {
  const [, first = "", ...rest] = path.split("/");
  // The ordered list of what Kurisu can do: the configuration and the command line read it, too.
  if (path === "src/assembly/features.ts") return "features";
  if (rest.length > 0) return first === "assembly" ? "main" : first;
  return first === "config.ts" ? "config" : "main";
}

export const importsGoRight: SourceRule = (files) =>
  files
    .filter(({ path }) => inSources(path))
    .flatMap(({ path, text }) => {
      const room = roomOf(path);
      const local = listImports(text).filter((specifier) => specifier.startsWith("."));
      return local.flatMap((specifier) => {
        const target = posix.normalize(posix.join(dirname(path), specifier));
        if (!inSources(target)) return [`${path}: imports ${target}, which is not in src`];
        const refusal = refuseImport(room, roomOf(target));
        return refusal === undefined ? [] : [`${path}: ${refusal} (${target})`];
      });
    });

function refuseImport(from: string, to: string): string | undefined {
  if (from === to || from === "main") return undefined;
  if (to === "main") return "imports main.ts or the assembly";
  if (to === "config") return from === "cli" ? undefined : `${from} imports the configuration`;
  if (placeOf(to) < 0) return `imports ${to}, which is no room`;
  if (from === "config") return undefined;
  // tests/kernel-and-features.test.ts holds this, with its list of what is still allowed.
  if (to === "features" && placeOf(from) > placeOf("features")) return undefined;
  if (placeOf(from) < 0) return `stands in ${from}, which is no room`;
  return placeOf(from) < placeOf(to) ? undefined : `${from} imports ${to}, which stands to its left or beside it`;
}

/** The inner folders of the kernel, from left to right; the files of its root stand to the left of them all. */
const kernelFolders: readonly string[] = [
  "command-line",
  "socket",
  "inbox",
  "commands",
  "pause",
  "turns",
  "questions",
  "tasks",
  "outbox",
  "files",
  "people",
  "agent",
  "lanes",
  "tools",
  "gate",
  "recovery",
  "claims",
  "tracing",
  "http",
];

/** Within the kernel a folder imports only what stands to its right. The types of a feature name parts of all of them. */
export const kernelFoldersGoRight: SourceRule = (files) =>
  files.flatMap(({ path, text }) => {
    const from = kernelFolderOf(path);
    if (from === undefined) return [];
    if (from !== "" && !kernelFolders.includes(from)) return [`${path}: stands in ${from}, which is not in the list`];
    return listImports(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => posix.normalize(posix.join(dirname(path), specifier)))
      .filter((target) => {
        const to = kernelFolderOf(target);
        return to !== undefined && to !== from && kernelFolders.indexOf(to) <= kernelFolders.indexOf(from);
      })
      .map((target) => `${path}: imports ${target}, which stands to its left`);
  });

/** undefined = not of the kernel, "" = its root, which may import every folder and is imported by none. */
function kernelFolderOf(path: string): string | undefined {
  const [src, room, ...rest] = path.split("/");
  if (src !== "src" || room !== "kernel" || rest[0] === "feature") return undefined;
  return rest.length > 1 ? rest[0] : "";
}

/** The command line is told the configuration's shape, not how it is read. */
export const commandLineTakesTypesOnly: SourceRule = (files) =>
  files
    .filter(({ path }) => path.startsWith("src/cli/"))
    .flatMap(({ path, text }) => {
      const statements = stripComments(text).match(/import\s[^;]*?["'][^"']*\bconfig(?:\/[^"']*)?\.ts["']/g) ?? [];
      const values = statements.filter((statement) => !/^import\s+type\b/.test(statement));
      return values.map(() => `${path}: imports more than types of the configuration`);
    });

const maxLines = 400;

export const filesAreSmall: SourceRule = (files) =>
  files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0) }))
    .filter(({ lines }) => lines > maxLines)
    .map(({ path, lines }) => `${path}: has ${lines} lines, ${maxLines} is the most`);

export const noBarrels: SourceRule = (files) =>
  files.flatMap(({ path, text }) => {
    const faults: string[] = [];
    if (/(?:^|\/)index\.\w+$/.test(path)) faults.push(`${path}: is an index file`);
    if (/(?:^|\n)\s*export\s*(?:type\s*)?(?:\*|\{[^}]*\})[^;\n]*\bfrom\b/.test(stripComments(text)))
      faults.push(`${path}: exports what is another file's`);
    return faults;
  });

/** A rule on what may be written where: `allowed` lists the only files of src with it. */
export function onlyIn(what: string, pattern: RegExp, allowed: (path: string) => boolean): SourceRule {
  return (files) =>
    files
      .filter(({ path, text }) => inSources(path) && !allowed(path) && pattern.test(stripComments(text)))
      .map(({ path }) => `${path}: ${what}`);
}

/** The same for what is imported. */
export function importedOnlyIn(what: string, pattern: RegExp, allowed: (path: string) => boolean): SourceRule {
  return (files) =>
    files
      .filter(
        ({ path, text }) => inSources(path) && !allowed(path) && listImports(text).some((one) => pattern.test(one)),
      )
      .map(({ path }) => `${path}: ${what}`);
}

const connectingModules = "(?:node:)?(?:net|http|https|http2|tls|dgram)";
const connectingPackages =
  "undici|ws|dockerode|telegraf|pg|playwright-core|axios|got|ky|node-fetch|needle|superagent|follow-redirects";
/** What those of Node offer that opens no connection to anywhere. */
const harmlessNames = /^(?:createServer|isIP|isIPv4|isIPv6|STATUS_CODES|validateHeaderName|validateHeaderValue)$/;

/** What can open a connection is imported in the allowed files only; types and servers are anybody's. */
export function connectsOnlyIn(allowed: (path: string) => boolean): SourceRule {
  const imports = new RegExp(
    `(?:^|\\n)\\s*(?:import|export)\\s+(?!type\\b)([^"';]*?)\\bfrom\\s*["'](${connectingModules}|${connectingPackages})["']`,
    "g",
  );
  const later = new RegExp(
    `(?:\\bimport|\\brequire|\\bgetBuiltinModule)\\(\\s*["'](?:${connectingModules}|${connectingPackages})["']`,
  );
  const connects = (code: string): boolean =>
    later.test(code) ||
    [...code.matchAll(imports)].some(([, clause = "", source = ""]) => {
      const names = /^\{([^}]*)\}\s*$/.exec(clause)?.[1]?.split(",") ?? ["everything"];
      const values = names.map((name) => name.trim().split(/\s+as\s+/)[0] ?? "").filter((name) => name !== "");
      const used = values.filter((name) => !name.startsWith("type "));
      return new RegExp(`^(?:${connectingPackages})$`).test(source)
        ? used.length > 0
        : used.some((name) => !harmlessNames.test(name));
    });
  return (files) =>
    files
      .filter(({ path, text }) => inSources(path) && !allowed(path) && connects(stripComments(text)))
      .map(({ path }) => `${path}: can open connections; what a model or a page names goes through tools/web`);
}

/** Packages that take long to load are imported where they are used first, not when Kurisu starts. */
export function loadedLater(packages: RegExp, allowed: (path: string) => boolean): SourceRule {
  return (files) =>
    files
      .filter(({ path }) => inSources(path) && !allowed(path))
      .filter(({ text }) =>
        [...stripComments(text).matchAll(/(?:^|\n)\s*import\s+(?!type\b)(?:[^"';]*?\bfrom\s*)?["']([^"']+)["']/g)].some(
          ([, specifier = ""]) => packages.test(specifier),
        ),
      )
      .map(({ path }) => `${path}: loads at the start what takes long to load`);
}

export const noMocks: SourceRule = (files) =>
  files
    .filter(
      ({ path, text }) =>
        path.startsWith("tests/") && /\bvi\s*\.\s*(?:mock|doMock|hoisted|stubGlobal)\s*\(/.test(stripComments(text)),
    )
    .map(({ path }) => `${path}: replaces a module; fakes are classes and servers in tests/support`);
