import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "../core/conversation.ts";
import { projectFolder } from "../core/project-folder.ts";

/** The list that scripts/console-page.mjs writes next to the files. */
interface PageList {
  readonly script: string;
  /** The files that the script needs at once. */
  readonly imports: readonly string[];
  readonly style: string;
  readonly icon: string;
  /** On the home screen of a phone without manifests. */
  readonly homeIcon: string;
  readonly manifest: string;
  readonly words: Readonly<Record<Language, string>>;
  /** Every file that may be asked for. */
  readonly files: readonly string[];
}

export interface PageFiles {
  readonly list: PageList;
  /** Undefined when there is no such file. */
  read(name: string, accepted: string): Promise<PageFile | undefined>;
}

interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly encoding?: "br" | "gzip";
}

const folderName = "console-page";
const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json; charset=utf-8",
};

/** The page as it was built; undefined when it was not. */
export function findPageFiles(folder = findFolder()): PageFiles | undefined {
  if (folder === undefined) return undefined;
  const list = JSON.parse(readFileSync(join(folder, "page.json"), "utf8")) as PageList;
  const known = new Set(list.files);
  return {
    list,
    async read(name, accepted) {
      if (!known.has(name)) return undefined;
      const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
      const [encoding, ending] = accepts(accepted, "br")
        ? (["br", ".br"] as const)
        : accepts(accepted, "gzip")
          ? (["gzip", ".gz"] as const)
          : ([undefined, ""] as const);
      const body = new Uint8Array(await readFile(join(folder, `${name}${ending}`)));
      return { body, type, ...(encoding && { encoding }) };
    },
  };
}

/** Weight 0 means that the browser does not take it. */
function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((one) => {
    const [name = "", ...settings] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !settings.some((setting) => /^q=0(?:\.0*)?$/.test(setting));
  });
}

/** Next to the chunks of the bundle. Where the sources run, the folder of the newest bundle. */
function findFolder(): string | undefined {
  const dist = join(projectFolder, "dist");
  const bundles = [import.meta.dirname, ...listFolders(dist).map((name) => join(dist, name))];
  const found = bundles
    .map((bundle) => join(bundle, folderName))
    .map((folder) => ({ folder, time: statSync(join(folder, "page.json"), { throwIfNoEntry: false })?.mtimeMs }))
    .filter(({ time }) => time !== undefined);
  if (found[0]?.folder === join(import.meta.dirname, folderName)) return found[0].folder;
  return found.toSorted((one, other) => (other.time ?? 0) - (one.time ?? 0))[0]?.folder;
}

function listFolders(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);
}
